//! Computes a number for each cell and for each row. Equal values have equal numbers.
//!
//! Rows are matched by these numbers, so equal values must have equal numbers, however each file stores them: a vector
//! has the same number whether it is sparse or dense, and a key has the number of its category. Different values may
//! share a number. That can make the alignment worse, but never the verdict wrong, since matched rows are compared cell
//! by cell afterwards.

use super::columns::How;
use super::names::Side;
use crate::diff::options::Options;
use ndbytes::Result;
use ndbytes::idv::{Column, Value, Vector};

/// Computes a number for every value of a column, from its first row to its last.
pub(super) fn words(
    column: &Column<'_>,
    how: &How,
    side: Side,
    asked: &Options,
    mut each: impl FnMut(usize, u64),
) -> Result<()> {
    let mut batches = column.batches();
    while let Some(batch) = batches.next() {
        let batch = batch?;
        asked.limits.ensure_time()?;
        let first = batch.rows().start as usize;
        let Some(values) = batch.values(0) else { break };
        for (place, value) in values.iter().enumerate() {
            each(first + place, cell(value, how, side));
        }
    }
    Ok(())
}

/// Combines a number with others. The order matters.
pub(super) fn mix(state: u64, word: u64) -> u64 {
    let mixed = (state ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9).rotate_left(31)
}

/// Returns the hash of a cell.
fn cell(value: Value<'_>, how: &How, side: Side) -> u64 {
    match value {
        Value::Vector(vector) => items(&vector, how, side),
        value => item(value, how, side),
    }
}

/// Returns the hash of a vector. It does not depend on which items the vector stores.
fn items(vector: &Vector<'_>, how: &How, side: Side) -> u64 {
    let mut state = vector.len() as u64;
    for (place, value) in vector.stored().enumerate() {
        if !is_default(&value) {
            let place = vector.indices().map_or(place as u64, |indices| indices[place].into());
            state = mix(mix(state, place), item(value, how, side));
        }
    }
    state
}

/// Returns whether a sparse vector may leave out an item.
pub(super) fn is_default(value: &Value<'_>) -> bool {
    match value {
        Value::Int(number) => *number == 0,
        Value::Uint(number) => *number == 0,
        Value::RowId(id) => *id == 0,
        Value::F32(number) => number.to_bits() == 0,
        Value::F64(number) => number.to_bits() == 0,
        Value::Bool(value) => !value,
        Value::DateTimeOffset(time) => (time.ticks, time.offset_minutes) == (0, 0),
        Value::Text(text) => text.as_bytes().is_empty(),
        _ => false,
    }
}

/// Returns the hash of an item. Keys are hashed by the name of their category, since files may number the categories
/// differently.
fn item(value: Value<'_>, how: &How, side: Side) -> u64 {
    match (value, how) {
        (Value::Uint(key), How::Named(names)) => mix(1, names.number(side, key)),
        (Value::Int(number), _) => integer(number.into()),
        (Value::Uint(number), _) => integer(number.into()),
        (Value::Bool(value), _) => integer(value.into()),
        (Value::F32(number), How::Numbers([a, b])) if a.kind != b.kind => widened(number.into()),
        (Value::F64(number), How::Numbers([a, b])) if a.kind != b.kind => widened(number),
        // All `NaN`s are equal, whatever their payloads.
        (Value::F32(number), _) => mix(2, if number.is_nan() { u64::MAX } else { number.to_bits().into() }),
        (Value::F64(number), _) => mix(3, if number.is_nan() { u64::MAX } else { number.to_bits() }),
        (Value::RowId(id), _) => mix(mix(4, id as u64), (id >> 64) as u64),
        (Value::DateTimeOffset(time), _) => mix(mix(5, time.ticks as u64), time.offset_minutes as u64),
        (Value::Text(text), _) => {
            let bytes = text.as_bytes();
            let (words, rest) = bytes.as_chunks::<8>();
            let state = words.iter().fold(bytes.len() as u64, |state, word| mix(state, u64::from_le_bytes(*word)));
            rest.iter().fold(state, |state, &byte| mix(state, byte.into()))
        }
        _ => mix(6, 0),
    }
}

/// Returns the same number for numbers that are equal after widening.
fn widened(number: f64) -> u64 {
    match super::items::integral(number) {
        Some(integral) => integer(integral),
        None => mix(3, if number.is_nan() { u64::MAX } else { number.to_bits() }),
    }
}

/// Returns the hash of an integer, which is the same for all integer types.
fn integer(number: i128) -> u64 {
    mix(mix(1, number as u64), (number >> 64) as u64)
}
