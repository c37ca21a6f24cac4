//! The list of pieces below a scan, as an in-memory table.
//!
//! Ballista assigns some of the partitions of a plan to a task. It restricts only in-memory tables and files to these
//! partitions; any other leaf would run completely in every task. So the list of pieces is an in-memory table, below
//! the node that reads files.

use datafusion::arrow::array::{Array, AsArray, RecordBatch, StringArray, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt64Type};
use datafusion::common::{Result, internal_err};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::physical_plan::ExecutionPlan;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

/// A file, or some of its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The path or URL.
    pub path: String,
    /// The rows; `None` for all rows.
    pub rows: Option<Range<u64>>,
}

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    Arc::new(Schema::new(vec![
        Field::new("path", DataType::Utf8, false),
        Field::new("start", DataType::UInt64, true),
        Field::new("end", DataType::UInt64, true),
    ]))
});

/// The maximum number of pieces in a batch. If only a few rows are needed, this many files may be read unnecessarily.
const BATCH: usize = 1024;

/// Returns the table of pieces, with a partition for each list.
pub(crate) fn plan(partitions: &[Vec<Piece>]) -> Result<Arc<dyn ExecutionPlan>> {
    let batches = |pieces: &Vec<Piece>| pieces.chunks(BATCH).map(batch).collect::<Result<Vec<_>>>();
    let partitions = partitions.iter().map(batches).collect::<Result<Vec<_>>>()?;
    Ok(MemorySourceConfig::try_new_exec(&partitions, SCHEMA.clone(), None)?)
}

fn batch(pieces: &[Piece]) -> Result<RecordBatch> {
    let paths: StringArray = pieces.iter().map(|piece| Some(piece.path.as_str())).collect();
    let starts: UInt64Array = pieces.iter().map(|piece| piece.rows.as_ref().map(|rows| rows.start)).collect();
    let ends: UInt64Array = pieces.iter().map(|piece| piece.rows.as_ref().map(|rows| rows.end)).collect();
    Ok(RecordBatch::try_new(SCHEMA.clone(), vec![Arc::new(paths), Arc::new(starts), Arc::new(ends)])?)
}

/// Returns the pieces in a batch of the table.
pub(crate) fn pieces(batch: &RecordBatch) -> Result<Vec<Piece>> {
    if batch.schema_ref() != &*SCHEMA {
        return internal_err!("a scan of files needs a list of pieces below it");
    }
    let paths = batch.column(0).as_string::<i32>();
    let [starts, ends] = [1, 2].map(|column| batch.column(column).as_primitive::<UInt64Type>());
    let rows = |row| (starts.is_valid(row) && ends.is_valid(row)).then(|| starts.value(row)..ends.value(row));
    Ok((0..batch.num_rows()).map(|row| Piece { path: paths.value(row).to_owned(), rows: rows(row) }).collect())
}

/// Distributes pieces. Neighbours stay together, and only the first list may be empty.
pub(crate) fn share(pieces: Vec<Piece>, partitions: usize) -> Vec<Vec<Piece>> {
    let size = pieces.len().div_ceil(partitions.max(1)).max(1);
    let shares: Vec<_> = pieces.chunks(size).map(<[Piece]>::to_vec).collect();
    if shares.is_empty() { vec![vec![]] } else { shares }
}

/// Cuts rows into about `parts` ranges of complete blocks. Blocks are counted from row 0.
pub(crate) fn ranges(rows: Range<u64>, block: u64, parts: usize) -> impl Iterator<Item = Range<u64>> {
    let block = block.max(1);
    let blocks = (rows.end - rows.start).div_ceil(block).div_ceil(parts.max(1) as u64).max(1);
    let step = blocks.saturating_mul(block);
    let mut start = rows.start;
    std::iter::from_fn(move || {
        let first = start / block * block;
        let end = rows.end.min(first.saturating_add(step));
        let range = start..end;
        start = end;
        (!range.is_empty()).then_some(range)
    })
}
