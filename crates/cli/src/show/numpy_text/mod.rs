//! Arrays as text, as `print` shows a NumPy array.
//!
//! The rules are the defaults of [`numpy.printoptions`]: `linewidth=75`, `threshold=1000`, `edgeitems=3` and, for
//! floating-point numbers, the rules of the `float_format` module. Where versions of NumPy differ, this module follows
//! 2.3 and later.
//!
//! [`numpy.printoptions`]: https://numpy.org/doc/stable/reference/generated/numpy.set_printoptions.html

use crate::show::columns::{Column, EDGE_ITEMS, ELLIPSIS, Place, THRESHOLD, item_text};
use crate::show::float_format::pad;
use ndbytes::{Error, Item, ItemType, Items};
use std::fmt::{self, Write};

/// The width that a line may fill (`linewidth`: "the number of characters per line for the purpose of inserting line
/// breaks").
const LINE_WIDTH: usize = 75;
/// The number of bytes to read at once, if that is more than one item.
const PIECE: u64 = 1 << 16;

/// The reason why printing stopped.
#[derive(Debug)]
pub enum Stop {
    /// The text could not be written.
    Output,
    /// The items could not be read.
    Input(Error),
}

impl From<fmt::Error> for Stop {
    fn from(_: fmt::Error) -> Self {
        Stop::Output
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Input(error)
    }
}

/// Writes an array like `print` of a NumPy array, without the final line break.
///
/// Lines are broken at 75 columns, and an array of more than 1000 elements is summarised. In a summary, only the first
/// and the last 3 elements are shown on every axis longer than 6. An array without elements is `[]` whatever its shape,
/// and an array without axes is its only element, as returned by `item_text`.
///
/// Every shown item is read twice, once to find the common width and once to print it. Other items are not read, except
/// for those in the same subarray. Neighbours on the last axis are read at once.
///
/// # Errors
///
/// Any error of `out` or `items`.
pub fn write_array(out: &mut impl Write, items: &mut dyn Items) -> Result<(), Stop> {
    write(out, items, THRESHOLD)
}

/// Writes an array like [`write_array`], but with all of its elements, however many there are.
///
/// # Errors
///
/// The same as for [`write_array`].
pub fn write_whole(out: &mut impl Write, items: &mut dyn Items) -> Result<(), Stop> {
    write(out, items, usize::MAX)
}

/// `threshold` is the number of elements above which an array is summarised.
fn write(out: &mut impl Write, items: &mut dyn Items, threshold: usize) -> Result<(), Stop> {
    let item_type = items.item_type().clone();
    let mut shape = items.shape().to_vec();
    let mut plain = &item_type;
    let mut per_item = 1_u64;
    // If the item type is a subarray, it adds axes.
    while let ItemType::Subarray(subarray) = plain {
        shape.extend(subarray.shape().iter().map(|&extent| extent as usize));
        per_item *= subarray.count();
        plain = subarray.item_type();
    }
    if shape.contains(&0) {
        return Ok(out.write_str("[]")?);
    }
    let mut source = Source { items, item_type: plain, per_item };
    if shape.is_empty() {
        let mut text = String::new();
        source.each(0, 1, &mut |item| {
            text = item_text(item);
            Ok(())
        })?;
        return Ok(out.write_str(&text)?);
    }

    let column = measured(&mut source, &shape, threshold)?;
    let rank = shape.len();
    let last_axis = rank - 1;
    let mut lines = Lines::new(out, rank);
    let mut word = String::new();
    let mut cursor = Cursor::new(&shape, threshold);
    lines.open(0, rank);
    loop {
        source.each(cursor.offset, cursor.run(), &mut |item| {
            word.clear();
            column.push(&mut word, item);
            Ok(lines.push_word(&word)?)
        })?;
        let Some(axis) = cursor.advance_run() else { break };
        if axis < last_axis {
            lines.close(last_axis - axis)?;
            if cursor.skipped(axis) {
                lines.push_skipped_rows(axis)?;
            }
            lines.open(axis + 1, last_axis - axis);
        } else if cursor.skipped(axis) {
            lines.push_word(ELLIPSIS)?;
        }
    }
    Ok(lines.close(rank)?)
}

/// Returns a column with room for all items that are shown.
fn measured(source: &mut Source<'_>, shape: &[usize], threshold: usize) -> Result<Column, Stop> {
    let mut column = Column::of(source.item_type, Place::Array);
    let mut cursor = Cursor::new(shape, threshold);
    loop {
        source.each(cursor.offset, cursor.run(), &mut |item| {
            column.include(item);
            Ok(())
        })?;
        if cursor.advance_run().is_none() {
            break;
        }
    }
    Ok(column)
}

/// Items or, if the items are subarrays, the items of the subarrays.
struct Source<'s> {
    items: &'s mut dyn Items,
    item_type: &'s ItemType,
    /// The number of items in a subarray.
    per_item: u64,
}

impl Source<'_> {
    /// Passes on `count` items in C order, beginning with `start`.
    fn each(
        &mut self,
        start: usize,
        count: usize,
        take: &mut dyn FnMut(Item<'_>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut start = start as u64;
        let end = start.checked_add(count as u64).ok_or(Error::OutOfRange { index: u64::MAX, length: u64::MAX })?;
        let piece = (PIECE / self.item_type.stride().max(1)).max(1);
        while start < end {
            let next = end.min(start.saturating_add(piece));
            let (first, last) = (start / self.per_item, next.div_ceil(self.per_item));
            let bytes = self.items.read(first, last - first)?;
            let skipped = first * self.per_item;
            for place in start - skipped..next - skipped {
                take(Item::at(bytes, place as usize, self.item_type))?;
            }
            start = next;
        }
        Ok(())
    }
}

/// Walks over the elements that are shown, in C order.
struct Cursor {
    axes: Vec<Axis>,
    /// The index of the current element among all elements in C order.
    offset: usize,
}

/// An axis on the way through an array.
struct Axis {
    position: usize,
    length: usize,
    /// The distance between neighbours on this axis in C order.
    stride: usize,
    summarised: bool,
}

impl Cursor {
    /// Starts at the first element; no axis may be empty.
    fn new(shape: &[usize], threshold: usize) -> Self {
        // If the product overflows, the array cannot exist, but this must not panic.
        let size = shape.iter().fold(1_usize, |size, &length| size.saturating_mul(length));
        let mut axes: Vec<Axis> = shape
            .iter()
            .map(|&length| Axis {
                position: 0,
                length,
                stride: 1,
                summarised: size > threshold && length > 2 * EDGE_ITEMS,
            })
            .collect();
        let mut stride = 1_usize;
        for axis in axes.iter_mut().rev() {
            axis.stride = stride;
            stride = stride.wrapping_mul(axis.length);
        }
        Cursor { axes, offset: 0 }
    }

    /// Returns the number of elements shown from the current one up to the next gap or the end of the row.
    fn run(&self) -> usize {
        let axis = &self.axes[self.axes.len() - 1];
        let end = if axis.summarised && axis.position < EDGE_ITEMS { EDGE_ITEMS } else { axis.length };
        end - axis.position
    }

    /// Moves to the element after this run, with the same result as [`Cursor::advance`].
    fn advance_run(&mut self) -> Option<usize> {
        let steps = self.run() - 1;
        let axis = self.axes.len() - 1;
        self.axes[axis].position += steps;
        self.offset = self.offset.wrapping_add(steps);
        self.advance()
    }

    /// Moves to the next shown element, and returns the outermost axis that moved; `None` after the last element.
    fn advance(&mut self) -> Option<usize> {
        for (index, axis) in self.axes.iter_mut().enumerate().rev() {
            let old = axis.position;
            if old + 1 == axis.length {
                axis.position = 0;
                self.offset = self.offset.wrapping_sub(old.wrapping_mul(axis.stride));
                continue;
            }
            let at_gap = axis.summarised && old + 1 == EDGE_ITEMS;
            axis.position = if at_gap { axis.length - EDGE_ITEMS } else { old + 1 };
            self.offset = self.offset.wrapping_add((axis.position - old).wrapping_mul(axis.stride));
            return Some(index);
        }
        None
    }

    /// Returns whether the last move on this axis skipped the omitted elements.
    fn skipped(&self, axis: usize) -> bool {
        let axis = &self.axes[axis];
        axis.summarised && axis.position == axis.length - EDGE_ITEMS
    }
}

/// Arranges words in lines and brackets.
struct Lines<'a, W> {
    out: &'a mut W,
    rank: usize,
    /// The current line. It has not been written yet, because breaking a line removes the padding at its end.
    line: String,
    /// Whether the next word is the first on its line, and needs no separator.
    at_start: bool,
}

impl<'a, W: Write> Lines<'a, W> {
    /// Creates the lines of an array with this number of axes.
    fn new(out: &'a mut W, rank: usize) -> Self {
        Lines { out, rank, line: String::new(), at_start: true }
    }

    /// Starts a row with blanks for the `indent` brackets that stay open, followed by `count` new brackets.
    fn open(&mut self, indent: usize, count: usize) {
        pad(&mut self.line, indent);
        self.line.extend(std::iter::repeat_n('[', count));
        self.at_start = true;
    }

    /// Adds an element to the row, on a new line if it does not fit.
    fn push_word(&mut self, word: &str) -> fmt::Result {
        // Every line leaves room for all brackets to be closed.
        let limit = LINE_WIDTH.saturating_sub(self.rank);
        if !self.at_start {
            if characters(&self.line) + 1 + characters(word) > limit {
                self.out.write_str(self.line.trim_end())?;
                self.out.write_char('\n')?;
                self.line.clear();
                pad(&mut self.line, self.rank);
            } else {
                self.line.push(' ');
            }
        }
        self.line += word;
        self.at_start = false;
        Ok(())
    }

    /// Ends a row with `count` brackets, and its line with `count` breaks unless it is the last.
    fn close(&mut self, count: usize) -> fmt::Result {
        self.line.extend(std::iter::repeat_n(']', count));
        let breaks = if count < self.rank { count } else { 0 };
        self.finish_line(breaks)
    }

    /// Writes the line in place of the rows omitted on `axis`.
    fn push_skipped_rows(&mut self, axis: usize) -> fmt::Result {
        pad(&mut self.line, axis + 1);
        self.line += ELLIPSIS;
        self.finish_line(self.rank - 1 - axis)
    }

    /// Ends a line, with empty lines between blocks as NumPy prints them.
    fn finish_line(&mut self, breaks: usize) -> fmt::Result {
        self.line.extend(std::iter::repeat_n('\n', breaks));
        self.out.write_str(&self.line)?;
        self.line.clear();
        Ok(())
    }
}

/// Returns the number of characters, as Python counts the length of a line.
fn characters(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests;
