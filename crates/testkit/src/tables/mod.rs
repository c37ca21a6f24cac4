//! Tables as JSON trees, in the format of both ML.NET's dump and `cat --json`, and generated tables for round trips.

pub mod json;
pub mod made;
pub mod model;

use crate::project::frozen;
use json::Json;
use ndbytes::idv::{Column, Compression, Options, Table};
use ndbytes::{Limits, Reference, Result, Severity};
use std::path::{Path, PathBuf};

/// The content of a table, read through the library column by column, in all readable columns.
pub fn read(table: &Table<'_>) -> Result<Json> {
    read_columns(table, |column| column.is_readable())
}

/// The same, but for some of the columns.
pub fn read_columns(table: &Table<'_>, wanted: impl Fn(&Column<'_>) -> bool) -> Result<Json> {
    let mut columns = Vec::new();
    let mut values = Vec::new();
    for column in table.columns().filter(wanted) {
        let mut annotations = Vec::new();
        for annotation in column.annotations() {
            match annotation.read() {
                Ok(value) => {
                    let [cell] = &model::cells(&value)[..] else { panic!("an annotation of {} rows", value.rows()) };
                    annotations.push((annotation.kind(), annotation.value_type().unwrap().clone(), cell.clone()));
                }
                Err(ndbytes::Error::UnreadableColumn { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        columns.push(json::column(&column.name(), column.column_type().unwrap(), column.is_hidden(), &annotations));
        values.push(model::cells(&column.read()?));
    }
    let version = format!("{}/{}", table.version(), table.compatible_version());
    Ok(json::table(&version, table.rows(), columns, &values))
}

/// Options that tolerate the errors in a file that ML.NET tolerates. A file that ML.NET refuses should be refused.
pub fn tolerant(path: &Path) -> Options {
    let report = ndbytes::check(path, &Limits::default()).unwrap();
    let errors = report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    let tolerable = errors.filter(|finding| finding.reference == Reference::Accepts);
    tolerable.fold(Options::new(), |options, finding| options.tolerate(finding.rule))
}

/// Returns whether ML.NET also reads the column, instead of leaving it out.
pub fn is_seen(column: &Column<'_>) -> bool {
    let is_unknown =
        column.compression() == Compression::ZLIB || ["RowId", "UInt128"].contains(&column.codec().as_str());
    column.is_readable() && !is_unknown
}

/// The readable columns that ML.NET leaves out.
pub fn left_out(table: &Table<'_>) -> Vec<bool> {
    table.columns().filter(Column::is_readable).map(|column| !is_seen(&column)).collect()
}

/// The files of a directory whose names have this ending, in order.
pub fn files(folder: impl Into<PathBuf>, end: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = folder.into().read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_str().unwrap().ends_with(end));
    files.sort();
    files
}

/// Every frozen file.
pub fn all_frozen() -> Vec<PathBuf> {
    let files = ["mlnet", "ndbytes", "old"].map(|folder| files(frozen("idv").join(folder), ".idv"));
    assert!(files.iter().all(|files| files.len() > 4), "{files:?}");
    files.concat()
}
