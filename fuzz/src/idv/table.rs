//! The guarantees for every opened table.

use super::model::{self, Row};
use crate::bounds::side_by_side;
use crate::random::Random;
use ndbytes::idv::{Annotation, Batches, Column, DenseItem, Items, Table, Values};
use ndbytes::{Error, Limits, Result};
use std::ops::Range;

/// A column with more blocks than this is read only as a whole.
const MOST_BLOCKS: usize = 64;

/// The maximum length of a file (`run.sh`).
const MOST_FILE: u64 = 8192;

/// The result of reading everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Read,
    /// Something is broken.
    Refused,
    /// Something takes too much memory.
    Limited,
}

/// Reads everything in every way.
pub fn examine(table: &Table<'_>, random: &mut Random) -> Outcome {
    let mut outcome = Outcome::Read;
    let mut blocks = Vec::new();
    for column in table.columns() {
        assert_eq!(column.rows(), table.rows());
        for annotation in column.annotations() {
            outcome = worse(outcome, &examine_annotation(&annotation));
        }
        for (kind, read) in [("KeyValues", column.key_values()), ("SlotNames", column.slot_names())] {
            match read {
                Ok(values) => assert!(values.is_some() || column.annotation(kind).is_none()),
                Err(_) => assert!(column.annotation(kind).is_some_and(|annotation| annotation.read().is_err())),
            }
        }
        if !column.is_readable() {
            assert!(matches!(column.read(), Err(Error::UnreadableColumn { .. })));
            assert!(matches!(column.read_block(0), Err(Error::UnreadableColumn { .. })));
            continue;
        }
        let read = examine_column(&column, random);
        outcome = read.iter().fold(outcome, worse);
        blocks.push((column, read));
    }
    examine_batches(table, blocks, random.one_in(4));
    outcome
}

fn worse(outcome: Outcome, read: &Result<Values>) -> Outcome {
    match (outcome, read) {
        (Outcome::Limited, _) | (_, Err(Error::Limit { .. })) => Outcome::Limited,
        (outcome, Ok(_) | Err(Error::UnreadableColumn { .. })) => outcome,
        (_, Err(Error::Invalid(_))) => Outcome::Refused,
        (_, Err(error)) => panic!("{error}"),
    }
}

fn examine_annotation(annotation: &Annotation<'_>) -> Result<Values> {
    let read = annotation.read();
    match &read {
        Ok(values) => {
            assert_eq!(values.rows(), 1);
            assert_eq!(Some(values.are_vectors()), annotation.value_type().map(|value_type| value_type.dims.is_some()));
            examine_values(values);
        }
        Err(error) => {
            let known = annotation.value_type().is_some();
            assert!(known || matches!(error, Error::UnreadableColumn { .. }), "{error}");
        }
    }
    read
}

/// Reads a column in every way. Returns its blocks, or the whole column as one block if there are many.
fn examine_column(column: &Column<'_>, random: &mut Random) -> Vec<Result<Values>> {
    let whole = column.read();
    let rows = column.rows();
    assert!(matches!(column.read_block(column.block_count()), Err(Error::OutOfRange { .. })));
    let behind = rows..rows.saturating_add(1);
    assert!(rows == u64::MAX || matches!(column.read_rows(behind), Err(Error::OutOfRange { .. })));
    // If a misplaced block was tolerated, an unreadable column says nothing about its other blocks.
    if column.block_count() > MOST_BLOCKS && !matches!(whole, Err(Error::UnreadableColumn { .. })) {
        return vec![whole];
    }
    let blocks: Vec<Result<Values>> = (0..column.block_count()).map(|block| column.read_block(block)).collect();
    let all: Vec<Option<Vec<Row>>> = blocks.iter().map(|block| block.as_ref().ok().and_then(small_rows)).collect();
    for (place, block) in blocks.iter().enumerate() {
        let Ok(values) = block else { continue };
        let Range { start, end } = column.rows_of_block(place);
        assert_eq!(values.rows() as u64, end - start);
        assert_eq!(Some(values.are_vectors()), column.column_type().map(|column_type| column_type.dims.is_some()));
        examine_values(values);
    }
    compare(column, 0..rows, &whole, &blocks, &all);
    if let Ok(values) = &whole {
        examine_values(values);
    }
    if random.one_in(4) {
        compare(column, 0..rows, &side_by_side(|| column.read()), &blocks, &all);
    }
    for _ in 0..2 {
        let start = random.below(rows.saturating_add(1));
        let range = start..start + random.below(rows - start + 1);
        compare(column, range.clone(), &column.read_rows(range), &blocks, &all);
    }
    blocks
}

fn small_rows(values: &Values) -> Option<Vec<Row>> {
    model::is_small(values).then(|| model::rows(values))
}

/// Asserts that rows match their blocks. If they cannot be read, the error is about the first unreadable block.
fn compare(
    column: &Column<'_>,
    range: Range<u64>,
    read: &Result<Values>,
    blocks: &[Result<Values>],
    all: &[Option<Vec<Row>>],
) {
    let covers = |block: &usize| {
        let rows = column.rows_of_block(*block);
        !range.is_empty() && rows.start < range.end && range.start < rows.end
    };
    let covered: Vec<usize> = (0..blocks.len()).filter(covers).collect();
    if matches!(read, Err(Error::Limit { .. })) {
        return;
    }
    let refused = covered.iter().find_map(|&block| blocks[block].as_ref().err());
    match (read, refused) {
        (Ok(values), None) => {
            assert_eq!(values.rows() as u64, range.end - range.start);
            let rows: Option<Vec<&Row>> = covered.iter().try_fold(Vec::new(), |mut rows, &block| {
                let first = column.rows_of_block(block).start;
                let held = (first..).zip(all[block].as_ref()?);
                rows.extend(held.filter(|(row, _)| range.contains(row)).map(|(_, row)| row));
                Some(rows)
            });
            if let Some(rows) = rows.filter(|_| model::is_small(values)) {
                assert!(model::rows(values).iter().eq(rows), "rows {range:?} of {}", column.name());
            }
        }
        // Misplaced blocks were tolerated, since ML.NET ignores the column.
        (Err(Error::UnreadableColumn { .. }), Some(_)) => {}
        (Err(Error::UnreadableColumn { .. }), None) if blocks.is_empty() && !range.is_empty() => {}
        (Err(error), Some(refused)) => assert_eq!(error.finding(), refused.finding(), "rows {range:?}: {error}"),
        (read, refused) => panic!("rows {range:?}: {read:?}, but {refused:?}"),
    }
}

/// Asserts that batches match the blocks of the columns.
fn examine_batches(table: &Table<'_>, mut columns: Vec<(Column<'_>, Vec<Result<Values>>)>, is_side_by_side: bool) {
    let count = columns.first().map_or(0, |(column, _)| column.block_count());
    // Columns may have too few blocks if that was tolerated.
    columns.retain(|(column, read)| !column.is_hidden() && column.block_count() == count && read.len() == count);
    let names: Vec<String> = columns.iter().map(|(column, _)| column.name()).collect();
    for ((column, _), name) in columns.iter().zip(&names) {
        let named = table.column(name).expect("there is a column of this name that can be read");
        // Names that are not UTF-8 may look the same.
        assert!(named.index() >= column.index(), "{name:?}");
        if named.index() != column.index() {
            return;
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut batches = table.batches(&names).expect("all columns can be read");
    if is_side_by_side {
        side_by_side(|| run(&mut batches, &columns));
    } else {
        run(&mut batches, &columns);
    }
}

fn run(batches: &mut Batches<'_>, columns: &[(Column<'_>, Vec<Result<Values>>)]) {
    let Some((first, blocks)) = columns.first() else { return assert!(batches.next().is_none()) };
    let is_bad = |block: &usize| columns.iter().any(|(_, blocks)| blocks[*block].is_err());
    let mut next = 0;
    while let Some(batch) = batches.next() {
        let batch = match batch {
            Ok(batch) => batch,
            Err(Error::Limit { .. }) => return,
            Err(error) => {
                assert!((next..blocks.len()).any(|block| is_bad(&block)), "{error}");
                return assert!(batches.next().is_none(), "nothing comes after an error");
            }
        };
        // A batch contains one or a few blocks.
        assert_eq!(batch.rows().start, first.rows_of_block(next).start);
        let end = (next..blocks.len()).find(|&block| first.rows_of_block(block).end == batch.rows().end);
        let held = next..end.expect("a batch ends with a block") + 1;
        assert!(!held.clone().any(|block| is_bad(&block)), "a block that cannot be read by itself");
        for (place, (_, blocks)) in columns.iter().enumerate() {
            let values = batch.values(place).expect("there is such a column");
            let read = || held.clone().map(|block| blocks[block].as_ref().expect("it was read by itself"));
            assert_eq!(values.rows(), read().map(Values::rows).sum::<usize>());
            assert_eq!(values.items().len(), read().map(|values| values.items().len()).sum::<usize>());
            if model::is_small(values) {
                assert!(model::rows(values).into_iter().eq(read().flat_map(model::rows)));
            }
        }
        assert!(batch.values(columns.len()).is_none());
        let memory: u64 = (0..columns.len()).filter_map(|column| batch.values(column)).map(memory).sum();
        assert!(memory <= crate::bounds::limits().memory + MOST_FILE, "{memory} bytes of values");
        next = held.end;
    }
    assert_eq!(next, blocks.len(), "all blocks were handed out");
}

/// The minimum number of bytes of the items.
fn memory(values: &Values) -> u64 {
    let size = match values.items() {
        Items::Bool(_) | Items::I8(_) | Items::U8(_) => 1,
        Items::I16(_) | Items::U16(_) => 2,
        Items::I32(_) | Items::U32(_) | Items::F32(_) => 4,
        Items::RowId(_) | Items::DateTimeOffset(_) => 16,
        _ => 8,
    };
    values.items().len() as u64 * size
}

/// Accesses values as their own type and as other types.
fn examine_values(values: &Values) {
    if !model::is_small(values) {
        return;
    }
    let rows = model::rows(values);
    match values.items() {
        Items::I8(items) => examine_dense(values, &rows, items),
        Items::I16(items) => examine_dense(values, &rows, items),
        Items::I32(items) => examine_dense(values, &rows, items),
        Items::I64(items) => examine_dense(values, &rows, items),
        Items::U8(items) => examine_dense(values, &rows, items),
        Items::U16(items) => examine_dense(values, &rows, items),
        Items::U32(items) => examine_dense(values, &rows, items),
        Items::U64(items) => examine_dense(values, &rows, items),
        Items::RowId(items) => examine_dense(values, &rows, items),
        Items::F32(items) => examine_dense(values, &rows, items),
        Items::F64(items) => examine_dense(values, &rows, items),
        _ => assert!(matches!(values.to_dense::<u8>(&crate::bounds::limits()), Err(Error::WrongItems { .. }))),
    }
    assert_eq!(values.items().texts().is_some(), matches!(values.items(), Items::Text(_)));
}

/// Converts vectors of the same length to an array.
fn examine_dense<T: DenseItem>(values: &Values, rows: &[Row], items: &[T]) {
    let lengths: Vec<usize> = rows
        .iter()
        .map(|row| match row {
            Row::Item(_) => 1,
            Row::Vector { length, .. } => *length,
        })
        .collect();
    let same = lengths.windows(2).all(|pair| pair[0] == pair[1]);
    let dense = match values.to_dense::<T>(&Limits::default().memory(1 << 20)) {
        Ok(dense) => dense,
        Err(Error::WrongItems { .. }) => return assert!(!values.nulls().is_empty()),
        Err(Error::Ragged { first, row, other }) => {
            assert!(!same);
            let (first, other) = (first as usize, other as usize);
            return assert_eq!((lengths[0], lengths[row as usize]), (first, other));
        }
        Err(Error::Limit { needed, .. }) => return assert!(needed > 1 << 20),
        Err(error) => panic!("{error}"),
    };
    assert!(same && values.nulls().is_empty());
    let mut stored = items.iter();
    for (row, array) in rows.iter().zip(dense.outer_iter()) {
        let mut expected = vec![T::zeroed(); array.len()];
        match row {
            Row::Vector { indices: Some(indices), .. } => {
                indices.iter().zip(&mut stored).for_each(|(&index, &item)| expected[index as usize] = item);
            }
            _ => expected.iter_mut().zip(&mut stored).for_each(|(place, &item)| *place = item),
        }
        let found = array.as_slice().expect("row-major");
        assert!(bytemuck::cast_slice::<T, u8>(found) == bytemuck::cast_slice::<T, u8>(&expected));
    }
    assert!(stored.next().is_none() || rows.is_empty());
}
