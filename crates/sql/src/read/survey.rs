//! Divides the work of a scan.

use super::array::OpenArray;
use super::schema::{First, Opened, own};
use super::table::OpenTable;
use crate::filters::Wanted;
use crate::intervals::Intervals;
use crate::paths;
use crate::pieces::{self, Piece};
use crate::source::{Kind, OnError, ROW, Source};
use datafusion::arrow::datatypes::Schema;
use datafusion::common::Result;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The number of pieces for each partition of a scan, so that one slow piece does not delay the rest.
const PIECES: usize = 4;

/// The number of files to open in parallel before checking for errors. The first failure ends the scan.
const AT_ONCE: usize = 1024;

/// Returns the pieces of a scan, and its number of rows if it is known. `first` is a file that is already open.
pub fn survey(
    source: &Source,
    full: &Schema,
    wanted: &Wanted,
    partitions: usize,
    first: First,
) -> Result<(Vec<Piece>, Option<usize>)> {
    let mut files = paths::list(&source.path)?;
    files.retain(|file| wanted.may_have(file));
    if let Kind::Lake(..) = source.kind {
        return Ok((files.into_iter().map(|path| Piece { path, rows: None }).collect(), None));
    }
    let parts = partitions.saturating_mul(PIECES).div_ceil(files.len().max(1));
    let first = Mutex::new(first);
    let survey = |path: &String| {
        let opened = first.lock().unwrap_or_else(PoisonError::into_inner).take_if(|(known, _)| known == path);
        let opened = match (&source.kind, opened) {
            (_, Some((_, opened))) => Ok(opened),
            (Kind::Array(_), None) => OpenArray::open(path, source).map(Box::new).map(Opened::Array),
            (_, None) => OpenTable::open(path, source).map(Opened::Table),
        };
        let surveyed = look(opened, source, full, wanted)?;
        Ok(match surveyed {
            Surveyed::Rows { rows, block, count } => {
                let cut = rows.ranges().iter().flat_map(|range| pieces::ranges(range.clone(), block, parts));
                (cut.map(|rows| Piece { path: path.clone(), rows: Some(rows) }).collect(), count)
            }
            // Its row has neither indices nor a position to filter by.
            Surveyed::Broken if source.on_error == OnError::Null && wanted.numbers.is_empty() => {
                (vec![Piece { path: path.clone(), rows: None }], 1)
            }
            Surveyed::Broken => (Vec::new(), 0),
        })
    };
    // The error is about the first failing file in the list, whichever is opened first.
    let in_order = |files: &[String]| files.par_iter().map(survey).collect::<Vec<_>>();
    let surveyed = files.chunks(AT_ONCE).flat_map(in_order).collect::<Result<Vec<(Vec<Piece>, u64)>>>()?;
    let rows = surveyed.iter().try_fold(0_u64, |sum, (_, rows)| sum.checked_add(*rows));
    // If rows may be left out, their number is not known.
    let rows = rows.filter(|_| source.on_error != OnError::Skip);
    Ok((surveyed.into_iter().flat_map(|(pieces, _)| pieces).collect(), rows.and_then(|rows| rows.try_into().ok())))
}

enum Surveyed {
    Rows {
        /// The rows to read.
        rows: Intervals,
        /// The number of rows to read at once.
        block: u64,
        /// The number of required rows.
        count: u64,
    },
    /// The file cannot be read, and that is not an error.
    Broken,
}

fn look(opened: Result<Opened>, source: &Source, full: &Schema, wanted: &Wanted) -> Result<Surveyed> {
    // At this point, it may turn out that the blocks of a table cannot be determined.
    let opened = opened.and_then(|opened| match opened {
        Opened::Table(table) => Ok((table.block()?, Opened::Table(table))),
        Opened::Array(array) => Ok((1, Opened::Array(array))),
    });
    Ok(match opened {
        Err(_) if source.on_error != OnError::Fail => Surveyed::Broken,
        Err(error) => return Err(error),
        Ok((block, Opened::Table(table))) => {
            table.columns(full, own(full, source), source)?;
            let rows = wanted.of(ROW).below(table.rows());
            Surveyed::Rows { block, count: rows.count(), rows }
        }
        Ok((_, Opened::Array(array))) => {
            let array = array.want(wanted);
            array.compare(full, own(full, source))?;
            let (rows, block) = array.extent();
            Surveyed::Rows { rows: Intervals::all().below(rows), block, count: array.wanted() }
        }
    })
}
