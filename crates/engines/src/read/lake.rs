//! Many files: their findings, what they are, and their columns.

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

/// Files that are read before their rows are handed on.
const AT_ONCE: usize = 128;

/// Sends the rows of whole files.
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

/// The rows about files. A file that cannot be read is a row too. `source` is what the query names, if files were met
/// in a folder or fit a pattern. Those of no known format have no row then.
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

/// The column of verdicts of the table of files.
const VERDICT: &str = "verdict";

/// The schema of the rows. A verdict that is about the structure alone may be none.
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

/// The rows of files whose values were not read: an error is one for good, but nothing else is known.
fn without_verdicts(rows: &RecordBatch) -> Result<RecordBatch> {
    let schema = schema(Lake::Files, Depth::Structure);
    let (at, mut columns) = (schema.index_of(VERDICT)?, rows.columns().to_vec());
    let verdicts = columns[at].as_string::<i32>().iter();
    columns[at] =
        Arc::new(verdicts.map(|verdict| verdict.filter(|verdict| *verdict == ERROR)).collect::<StringArray>());
    Ok(RecordBatch::try_new(schema, columns)?)
}
