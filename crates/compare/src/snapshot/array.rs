//! The values of an array as text: row by row, or in folds.
//!
//! The digest of the values comes first, so any change is visible. Small arrays are printed completely. For larger
//! ones, each line is the hash of 2^k rows, so a review shows where an array changed, and the text has at most about 64
//! lines. The hashes come from the leaves of the digest, in the same pass.

use super::measure::Measure;
use super::{Choices, Values, item};
use crate::diff::coordinates;
use crate::digest;
use crate::digest::Leaves;
use blake3::Hasher;
use everybyte::numerals::{counted, grouped};
use ndbytes::{Array, ItemType, Result, Scalar};
use std::mem;

/// The maximum number of items that are shown one by one.
const MOST_ITEMS: u64 = 4096;
/// The maximum number of axes of an array whose rows are printed completely.
const MOST_AXES: usize = 2;

/// The maximum number of bytes in the items that are shown one by one.
const MOST_BYTES: u64 = 1 << 20;

/// The maximum number of folds. An array that grows keeps its folds until it has twice as many rows.
const MOST_FOLDS: u64 = 64;

/// The maximum number of items on a line. Longer rows continue on the next line.
const ITEMS_A_LINE: u64 = 64;

/// Arrays that are larger than this, and larger than the file by the same factor, are not decoded.
const LARGEST: u64 = 1 << 30;
const MOST_TIMES: u64 = 64;

/// Writes the lines of an array's values, beginning with the digest.
pub fn lines(
    array: &Array<'_>,
    file_length: u64,
    values: Values,
    choices: &Choices,
    room: usize,
) -> Result<Vec<String>> {
    let layout = Layout::of(array);
    let bytes = layout.items.saturating_mul(layout.item_type.stride());
    if bytes > LARGEST && bytes / MOST_TIMES > file_length {
        return Ok(vec![format!(
            "values not read: they take {}, which is out of proportion to the file",
            counted(bytes, "byte")
        )]);
    }
    let mut folds = Folds::new(&layout);
    let digest = digest::noted(array, &choices.limits, &|leaf| layout.units(leaf), &mut |leaf| folds.take(leaf))?;
    let mut lines = vec![format!("values blake3 {digest}{}", folds.measure().summary())];
    let unwritten = digest::unwritten_items(array)?;
    if unwritten > 0 {
        lines.push(format!("  unwritten {} of {}", counted(unwritten, "item"), grouped(layout.items)));
    }
    let most = match values {
        Values::Hash | Values::None => return Ok(lines),
        Values::Folded | Values::Small => MOST_ITEMS,
        Values::AtMost(items) => items,
    };
    let axes = layout.shape.len();
    let has_rows = axes <= MOST_AXES || matches!(values, Values::AtMost(_));
    let is_small = layout.items <= most && bytes <= MOST_BYTES && has_rows;
    let rows = if is_small { layout.rows(array, choices.form == 1, room)? } else { None };
    match rows {
        Some(rows) => lines.extend(rows),
        None if values == Values::Small => {}
        None => lines.extend(folds.lines(&layout)),
    }
    Ok(lines)
}

/// The properties of an array that are known before its items are read.
struct Layout {
    item_type: ItemType,
    shape: Vec<u64>,
    items: u64,
    /// The first axis with more than one step, and the number of items per step.
    axis: usize,
    row: u64,
    leaves: Leaves,
    /// The number of items in a fold, and the number of steps.
    fold: u64,
    steps: u64,
}

impl Layout {
    fn of(array: &Array<'_>) -> Self {
        let item_type = array.item_type();
        let shape: Vec<u64> = array.shape().iter().map(|&extent| extent as u64).collect();
        let product = |shape: &[u64]| shape.iter().fold(1_u64, |items, &extent| items.saturating_mul(extent));
        let items = if shape.contains(&0) { 0 } else { product(&shape) };
        let axis = shape.iter().position(|&extent| extent > 1).unwrap_or(0);
        let row = product(shape.get(axis + 1..).unwrap_or_default()).max(1);
        let extent = shape.get(axis).copied().unwrap_or(1).max(1);
        let steps = (extent.checked_next_power_of_two().unwrap_or(1 << 63) / MOST_FOLDS).max(1);
        let leaves = Leaves::of(&shape, digest::item_size(&item_type));
        Layout { fold: row.saturating_mul(steps), steps, item_type, shape, items, axis, row, leaves }
    }

    /// Returns whether a leaf has several folds, rather than a fold having several leaves.
    fn is_fine(&self) -> bool {
        self.fold < self.leaves.each
    }

    /// Returns the units of a leaf: its folds, or the leaf itself.
    fn units(&self, leaf: &[u8]) -> Vec<Unit> {
        let size = digest::item_size(&self.item_type).max(1);
        let length = if self.is_fine() { self.fold.saturating_mul(size) as usize } else { leaf.len().max(1) };
        let unit = |bytes: &[u8]| Unit {
            hash: self.is_fine().then(|| *blake3::hash(bytes).as_bytes()),
            measure: match self.item_type {
                ItemType::Plain(dtype) => Measure::of(bytes, dtype.kind),
                _ => Measure::None,
            },
            items: bytes.len() as u64 / size,
        };
        leaf.chunks(length).map(unit).collect()
    }

    /// Returns the items one by one, or `None` if they take more than `room` bytes. Without indices, an inserted row
    /// changes no other line.
    fn rows(&self, array: &Array<'_>, has_places: bool, room: usize) -> Result<Option<Vec<String>>> {
        let stride = self.item_type.stride() as usize;
        let each = match &self.item_type {
            ItemType::Plain(dtype) if dtype.kind.size() <= 8 => ITEMS_A_LINE,
            _ => 1,
        };
        let mut items = array.items();
        let (mut lines, mut taken) = (Vec::new(), 0);
        // A line runs along the last axis, except that each item of a one-dimensional array has its own line.
        let row = if self.shape.len() < 2 { 1 } else { self.row.min(*self.shape.last().unwrap_or(&1)).max(1) };
        let mut start = 0;
        while start < self.items {
            let within = start % row;
            let count = each.min(row - within);
            let mut line = match has_places {
                true => format!("  {}", self.label(start, within, count, row)),
                // The continuation of a row is indented further.
                false => String::from(if within == 0 { " " } else { "   " }),
            };
            let bytes = items.read(start, count)?;
            for place in 0..count as usize {
                line.push(' ');
                line.push_str(&item::text(&Scalar::from_item(
                    &bytes[place * stride..(place + 1) * stride],
                    &self.item_type,
                )));
            }
            taken += line.len() + 1;
            if taken > room {
                return Ok(None);
            }
            lines.push(line);
            start += count;
        }
        Ok(Some(lines))
    }

    /// Returns the label of some items of a row.
    fn label(&self, start: u64, within: u64, count: u64, row: u64) -> String {
        let mut places: Vec<String> = coordinates(&self.shape, start).iter().map(u64::to_string).collect();
        if self.shape.len() > 1 {
            places.pop();
            if count < row {
                places.push(format!("{within}..{}", within + count));
            }
        }
        format!("[{}]", places.join(", "))
    }
}

/// A part of a leaf.
struct Unit {
    hash: Option<[u8; 32]>,
    measure: Measure,
    items: u64,
}

/// The current folds.
struct Folds {
    fold: u64,
    items: u64,
    /// The leaves of the fold that is being filled.
    hasher: Hasher,
    last: Measure,
    done: Vec<([u8; 32], Measure)>,
}

impl Folds {
    fn new(layout: &Layout) -> Self {
        Folds { fold: layout.fold, items: 0, hasher: Hasher::new(), last: Measure::None, done: Vec::new() }
    }

    fn take(&mut self, (leaf, units): ([u8; 32], Vec<Unit>)) {
        for unit in units {
            match unit.hash {
                Some(hash) => self.done.push((hash, unit.measure)),
                None => {
                    self.hasher.update(&leaf);
                    self.last.add(&unit.measure);
                    self.items += unit.items;
                    if self.items >= self.fold {
                        self.end();
                    }
                }
            }
        }
    }

    fn end(&mut self) {
        if self.items > 0 {
            self.done.push((*self.hasher.finalize().as_bytes(), mem::replace(&mut self.last, Measure::None)));
            self.hasher.reset();
            self.items = 0;
        }
    }

    fn measure(&mut self) -> Measure {
        self.end();
        let mut all = Measure::None;
        self.done.iter().for_each(|(_, measure)| all.add(measure));
        all
    }

    fn lines(&self, layout: &Layout) -> impl Iterator<Item = String> {
        let before = "0, ".repeat(layout.axis);
        let extent = layout.shape.get(layout.axis).copied().unwrap_or(1);
        self.done.iter().enumerate().map(move |(place, (hash, measure))| {
            let start = place as u64 * layout.steps;
            let end = start.saturating_add(layout.steps).min(extent);
            format!("  [{before}{start}..{end}] {}{}", super::short(hash), measure.extremes())
        })
    }
}
