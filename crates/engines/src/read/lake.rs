//! Many files: their findings, what they are, and their columns.

use super::Send;
use crate::exec::Scan;
use crate::pieces::Piece;
use crate::source::{Depth, Lake};
use crate::stores;
use datafusion::arrow::array::{RecordBatch, StringArray};
use datafusion::common::Result;
use ndbytes::Limits;
use ndbytes_arrow::lake::{Examined, Examiner, Options, Rows, Table, check_batch};
use std::path::Path;

/// Files that are read before their rows are handed on.
const AT_ONCE: usize = 128;

/// Sends the rows of whole files.
pub fn read(scan: &Scan, lake: Lake, depth: Depth, pieces: &[Piece], send: Send<'_>) -> Result<bool> {
    for pieces in pieces.chunks(AT_ONCE) {
        let paths: Vec<_> = pieces.iter().map(|piece| piece.path.as_str()).collect();
        let batch = rows(&paths, lake, depth, scan.source.limits())?;
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

/// The rows about files. A file that cannot be read is a row too.
pub fn rows(paths: &[&str], lake: Lake, depth: Depth, limits: Limits) -> Result<RecordBatch> {
    let table = Table::from(lake);
    let options = Options::new().depth(depth.into()).limits(limits);
    if !paths.iter().any(|path| stores::is_url(path)) {
        return Ok(check_batch(&StringArray::from_iter_values(paths), table, &options)?);
    }
    let examiner = Examiner::new(table, &options);
    let mut rows = Rows::new(table, &options);
    for path in paths {
        let place = Path::new(path);
        rows.push(match stores::is_url(path).then(|| stores::reader(path)) {
            Some(Ok(reader)) => examiner.examine_reader(place, reader),
            Some(Err(error)) => Examined::unreadable(place, error.to_string()),
            None => examiner.examine(place),
        });
    }
    Ok(rows.take_all()?)
}
