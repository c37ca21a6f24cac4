//! Collects the items of a block from an array, row by row.

use crate::b2nd::geometry::{Axis, Geometry};
use crate::b2nd::layer::MOST_AXES;
use std::ops::Range;

/// The capacity for axes. It is fixed, so that positions need no allocation.
const AXES: usize = MOST_AXES as usize;

/// The items of an array, with the last axis varying fastest, and their division into blocks.
pub struct Items<'a> {
    bytes: &'a [u8],
    item_size: usize,
    /// The axes. An axis that is not divided is merged with the previous one.
    axes: Vec<Axis>,
}

/// The part of an array that a block or a chunk covers.
struct Window {
    /// The range of items of the array along each axis.
    ranges: [Range<usize>; AXES],
    /// The shape of the buffer.
    room: [usize; AXES],
}

impl<'a> Items<'a> {
    /// Divides the items of an array with this geometry. Undivided axes are merged with the previous axis, which makes runs longer.
    pub fn new(bytes: &'a [u8], geometry: &Geometry, item_size: usize) -> Self {
        let mut axes: Vec<Axis> = Vec::new();
        for &axis in &geometry.axes {
            let is_whole = axis.extent == axis.chunk && axis.extent == axis.block;
            match axes.last_mut().filter(|_| is_whole) {
                Some(before) => {
                    let longer = |extent: u64| extent.saturating_mul(axis.extent);
                    let Axis { extent, chunk, block } = *before;
                    *before = Axis { extent: longer(extent), chunk: longer(chunk), block: longer(block) };
                }
                None => axes.push(axis),
            }
        }
        if axes.is_empty() {
            axes.push(Axis { extent: 1, chunk: 1, block: 1 });
        }
        Items { bytes, item_size, axes }
    }

    /// Copies the items of a block, with zeros where the block extends beyond the chunk or the array.
    pub fn copy_block(&self, chunk: u64, block: u64, out: &mut [u8]) {
        let window = self.window(chunk, Some(block));
        let axes = self.axes.len();
        if (0..axes).any(|axis| window.ranges[axis].len() < window.room[axis]) {
            out.fill(0);
        }
        let room = window.room;
        self.for_rows(&window, |row, at| {
            // The position of the row in the buffer.
            let to = (0..axes).fold(0, |to, axis| to * room[axis] + at[axis]) * self.item_size;
            out[to..to + row.len()].copy_from_slice(row);
            true
        });
    }

    /// The single value that fills the chunk; `None` if values differ or the padding would have to be nonzero.
    pub fn only_item(&self, chunk: u64) -> Option<&'a [u8]> {
        let window = self.window(chunk, None);
        let mut only = None;
        let all_same = self.for_rows(&window, |row, _| {
            let item = *only.get_or_insert(&row[..self.item_size]);
            row.starts_with(item) && row[self.item_size..] == row[..row.len() - self.item_size]
        });
        let is_padded = (0..self.axes.len()).any(|axis| window.ranges[axis].len() < window.room[axis]);
        only.filter(|item| all_same && (!is_padded || item.iter().all(|&byte| byte == 0)))
    }

    /// The items of a chunk, or of one of its blocks.
    fn window(&self, mut chunk: u64, block: Option<u64>) -> Window {
        let mut window = Window { ranges: [const { 0..0 }; AXES], room: [0; AXES] };
        let mut number = block.unwrap_or(0);
        for (place, axis) in self.axes.iter().enumerate().rev() {
            let (chunks, blocks) = (axis.chunks().max(1), axis.blocks().max(1));
            let start = chunk % chunks * axis.chunk;
            let end = (start + axis.chunk).min(axis.extent);
            let (start, room) = match block {
                Some(_) => (start + number % blocks * axis.block, axis.block),
                None => (start, axis.chunk),
            };
            window.ranges[place] = start.min(end) as usize..(start + room).min(end) as usize;
            window.room[place] = room as usize;
            (chunk, number) = (chunk / chunks, number / blocks);
        }
        window
    }

    /// Calls `visit` with every row of the window and its position in the buffer, until it returns false. Returns its last result.
    fn for_rows(&self, window: &Window, mut visit: impl FnMut(&'a [u8], &[usize; AXES]) -> bool) -> bool {
        let axes = self.axes.len();
        let (outer, last) = (axes - 1, &window.ranges[axes - 1]);
        if window.ranges[..axes].iter().any(Range::is_empty) {
            return true;
        }
        let mut at = [0; AXES];
        loop {
            let start = (0..outer)
                .fold(0, |row, axis| row * self.axes[axis].extent as usize + window.ranges[axis].start + at[axis])
                * self.axes[outer].extent as usize;
            let row = (start + last.start) * self.item_size..(start + last.end) * self.item_size;
            if !visit(&self.bytes[row], &at) {
                return false;
            }
            let next = (0..outer).rev().find(|&axis| {
                at[axis] += 1;
                let goes_on = at[axis] < window.ranges[axis].len();
                if !goes_on {
                    at[axis] = 0;
                }
                goes_on
            });
            if next.is_none() {
                return true;
            }
        }
    }
}
