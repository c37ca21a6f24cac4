//! The work of a scan.

use super::array::OpenArray;
use super::schema::own;
use super::table::OpenTable;
use crate::filters::Wanted;
use crate::paths;
use crate::pieces::{self, Piece};
use crate::source::{Kind, OnError, ROW, Source};
use datafusion::arrow::datatypes::Schema;
use datafusion::common::Result;
use rayon::prelude::*;
use std::ops::Range;

/// Pieces for each partition of a scan, so that one slow piece does not hold up the rest.
const PIECES: usize = 4;

/// The pieces of a scan, and the number of its rows where it is known.
pub fn survey(
    source: &Source,
    full: &Schema,
    wanted: &Wanted,
    partitions: usize,
) -> Result<(Vec<Piece>, Option<usize>)> {
    let mut files = paths::list(&source.path)?;
    files.retain(|file| wanted.may_have(file));
    if let Kind::Lake(..) = source.kind {
        return Ok((files.into_iter().map(|path| Piece { path, rows: None }).collect(), None));
    }
    let parts = partitions.saturating_mul(PIECES).div_ceil(files.len().max(1));
    let surveyed = files.par_iter().map(|path| {
        let surveyed = match &source.kind {
            Kind::Array(_) => array(path, source, full, wanted)?,
            _ => table(path, source, full, wanted)?,
        };
        Ok(match surveyed {
            Surveyed::Rows { ranges, block, count } => {
                let cut = ranges.into_iter().flat_map(|range| pieces::ranges(range, block, parts));
                (cut.map(|rows| Piece { path: path.clone(), rows: Some(rows) }).collect(), count)
            }
            // Its row has no indices and no place that could be wanted.
            Surveyed::Broken if source.on_error == OnError::Null && wanted.numbers.is_empty() => {
                (vec![Piece { path: path.clone(), rows: None }], 1)
            }
            Surveyed::Broken => (Vec::new(), 0),
        })
    });
    let surveyed: Vec<(Vec<Piece>, u64)> = surveyed.collect::<Result<_>>()?;
    let rows = surveyed.iter().try_fold(0_u64, |sum, (_, rows)| sum.checked_add(*rows));
    // More than the files' own words is not known of rows that may be left out.
    let rows = rows.filter(|_| source.on_error != OnError::Skip);
    Ok((surveyed.into_iter().flat_map(|(pieces, _)| pieces).collect(), rows.and_then(|rows| rows.try_into().ok())))
}

enum Surveyed {
    Rows {
        /// The rows that are read.
        ranges: Vec<Range<u64>>,
        /// The rows that are best read at once.
        block: u64,
        /// The number of rows that are wanted.
        count: u64,
    },
    /// It cannot be read, and that is no error.
    Broken,
}

fn table(path: &str, source: &Source, full: &Schema, wanted: &Wanted) -> Result<Surveyed> {
    let surveyed = OpenTable::open(path, source).and_then(|table| Ok((table.block()?, table)));
    let Some((block, table)) = readable(surveyed, source)? else { return Ok(Surveyed::Broken) };
    table.columns(full, own(full, source), source)?;
    let rows = wanted.of(ROW).below(table.rows());
    Ok(Surveyed::Rows { ranges: rows.ranges().to_vec(), block, count: rows.count() })
}

fn array(path: &str, source: &Source, full: &Schema, wanted: &Wanted) -> Result<Surveyed> {
    let Some(array) = readable(OpenArray::open(path, source, wanted), source)? else { return Ok(Surveyed::Broken) };
    array.compare(full, own(full, source))?;
    let (rows, block) = array.extent();
    Ok(Surveyed::Rows { ranges: vec![0..rows], block, count: array.wanted() })
}

/// What was opened; `None` if it was not, and that is no error.
fn readable<T>(opened: Result<T>, source: &Source) -> Result<Option<T>> {
    match opened {
        Err(_) if source.on_error != OnError::Fail => Ok(None),
        opened => opened.map(Some),
    }
}
