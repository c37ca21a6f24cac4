//! The work of a scan.

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

/// Pieces for each partition of a scan, so that one slow piece does not hold up the rest.
const PIECES: usize = 4;

/// Files that are opened side by side, before the first one that fails ends the scan.
const AT_ONCE: usize = 1024;

/// The pieces of a scan, and the number of its rows where it is known. `first` is a file that is open already.
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
            // Its row has no indices and no place that could be wanted.
            Surveyed::Broken if source.on_error == OnError::Null && wanted.numbers.is_empty() => {
                (vec![Piece { path: path.clone(), rows: None }], 1)
            }
            Surveyed::Broken => (Vec::new(), 0),
        })
    };
    // The error is that of the first file of the list, whichever one is opened first.
    let in_order = |files: &[String]| files.par_iter().map(survey).collect::<Vec<_>>();
    let surveyed = files.chunks(AT_ONCE).flat_map(in_order).collect::<Result<Vec<(Vec<Piece>, u64)>>>()?;
    let rows = surveyed.iter().try_fold(0_u64, |sum, (_, rows)| sum.checked_add(*rows));
    // More than the files' own words is not known of rows that may be left out.
    let rows = rows.filter(|_| source.on_error != OnError::Skip);
    Ok((surveyed.into_iter().flat_map(|(pieces, _)| pieces).collect(), rows.and_then(|rows| rows.try_into().ok())))
}

enum Surveyed {
    Rows {
        /// The rows that are read.
        rows: Intervals,
        /// The rows that are best read at once.
        block: u64,
        /// The number of rows that are wanted.
        count: u64,
    },
    /// It cannot be read, and that is no error.
    Broken,
}

fn look(opened: Result<Opened>, source: &Source, full: &Schema, wanted: &Wanted) -> Result<Surveyed> {
    // That the blocks of a table cannot be told is known only now.
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
