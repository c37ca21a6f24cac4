//! Many files: their findings, what they are, and their columns.

use super::batch::Send;
use crate::pieces::Piece;
use crate::scan::Scan;
use crate::source::{Depth, Lake};
use crate::stores;
use datafusion::arrow::array::RecordBatch;
use datafusion::common::Result;
use ndbytes::Limits;
use ndbytes_arrow::lake::{Examined, Examiner, InOrder, Options, Rows, Table};
use std::path::Path;

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
    let examine = |path: &&str| {
        let place = Path::new(path);
        match stores::is_url(path).then(|| stores::reader(path, limits)) {
            Some(Ok(reader)) => examiner.examine_reader(place, reader),
            Some(Err(error)) => Examined::unreadable(place, error.to_string()),
            None => examiner.examine(place),
        }
    };
    let mut rows = Rows::new(table, &options);
    let mut push = |path: &str, examined: Examined| {
        let is_named = source.is_none_or(|source| source == path);
        if is_named || !examined.is_foreign() {
            rows.push(examined);
        }
    };
    match paths.iter().any(|path| stores::is_url(path)) {
        // Objects of stores are waited for, one after the other.
        true => paths.iter().for_each(|path| push(path, examine(path))),
        false => InOrder::new(paths.iter().copied(), examine).for_each(|(path, examined)| push(path, examined)),
    }
    Ok(rows.take_all()?)
}
