//! Rows about many files: their findings, their formats, and their columns.

use super::batch::Send;
use crate::pieces::Piece;
use crate::scan::Scan;
use crate::source::{Depth, Lake};
use datafusion::arrow::array::{AsArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{FieldRef, Schema, SchemaRef};
use datafusion::common::Result;
use ndbytes::Limits;
use ndbytes_arrow::lake::{Examined, Examiner, InOrder, Options, Rows, Table};
use std::path::Path;
use std::sync::Arc;

/// The verdict on a file with errors.
const ERROR: &str = "error";

/// The number of files that are read before their rows are passed on.
const AT_ONCE: usize = 128;

/// Sends the rows about complete files.
pub fn read(scan: &Scan, lake: Lake, depth: Depth, pieces: &[Piece], send: Send<'_>) -> Result<bool> {
    for pieces in pieces.chunks(AT_ONCE) {
        let paths: Vec<_> = pieces.iter().map(|piece| piece.path.as_str()).collect();
        let batch = rows(&paths, Some(&scan.source.path), lake, depth, scan.source.limits())?;
        let batch = match &scan.projection {
            Some(columns) => batch.project(columns)?,
            None => batch,
        };
        if batch.num_rows() > 0 && !send(batch) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the rows about files. A file that cannot be read also has a row. `source` is the path in the query, if files
/// were found in a directory or by a pattern. In that case, files in unknown formats have no rows.
pub fn rows(paths: &[&str], source: Option<&str>, lake: Lake, depth: Depth, limits: Limits) -> Result<RecordBatch> {
    let table = Table::from(lake);
    let options = Options::new().depth(depth.into()).limits(limits);
    let examiner = Examiner::new(table, &options);
    let examine = |path: &&str| examiner.examine(Path::new(path));
    let mut rows = Rows::new(table, &options);
    let mut push = |path: &str, examined: Examined| {
        let is_named = source.is_none_or(|source| source == path);
        if is_named || !examined.is_foreign() {
            rows.push(examined);
        }
    };
    InOrder::new(paths.iter().copied(), examine).for_each(|(path, examined)| push(path, examined));
    let rows = rows.take_all()?;
    match (lake, depth) {
        (Lake::Files, Depth::Structure) => without_verdicts(&rows),
        _ => Ok(rows),
    }
}

/// The column of verdicts in the table of files.
const VERDICT: &str = "verdict";

/// Returns the schema of the rows. A verdict based only on the structure may be null.
pub fn schema(lake: Lake, depth: Depth) -> SchemaRef {
    let schema = Table::from(lake).schema();
    match (lake, depth) {
        (Lake::Files, Depth::Structure) => {
            let field = |field: &FieldRef| match field.name().as_str() {
                VERDICT => Arc::new(field.as_ref().clone().with_nullable(true)),
                _ => field.clone(),
            };
            Arc::new(Schema::new(schema.fields().iter().map(field).collect::<Vec<_>>()))
        }
        _ => schema,
    }
}

/// Returns the rows of files whose values were not read. An error is final, but any other verdict is replaced with null.
fn without_verdicts(rows: &RecordBatch) -> Result<RecordBatch> {
    let schema = schema(Lake::Files, Depth::Structure);
    let (at, mut columns) = (schema.index_of(VERDICT)?, rows.columns().to_vec());
    let verdicts = columns[at].as_string::<i32>().iter();
    columns[at] =
        Arc::new(verdicts.map(|verdict| verdict.filter(|verdict| *verdict == ERROR)).collect::<StringArray>());
    Ok(RecordBatch::try_new(schema, columns)?)
}
