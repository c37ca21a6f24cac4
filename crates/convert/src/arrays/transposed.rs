//! The items of an array in C or Fortran order. If they are not stored in that order, they are transposed slab by slab.
//!
//! In RawArray, the first axis varies fastest; in most other formats, the last one does. Transposing item by item would
//! read every chunk of a source once per item. So whole slabs are read in C order, at most 64 MiB each, and transposed
//! in memory. Their width is a multiple of what the source decodes at once, so no chunk is decoded twice.

use super::items::{As, Counted, Joined};
use super::part::ArraySource;
use super::view::{Order, View};
use crate::memory::room;
use ndbytes::{Error, ItemType, Items, Limits, Result};
use std::ops::Range;

/// The maximum number of bytes of a slab.
const MOST: u64 = 64 << 20;

/// The number of rows to transpose together. They must fit into the processor's cache.
const ROWS: usize = 128;

impl View<'_> {
    /// All items in order. In Fortran order, these are the items of the transposed array, whose shape is reversed.
    pub fn items(&self, order: Order) -> Result<Box<dyn Items + '_>> {
        let stored = self.only().and_then(ArraySource::in_fortran_order);
        let is_turned = order == Order::Fortran && self.shape.iter().filter(|&&extent| extent != 1).count() > 1;
        let reversed = || self.shape.iter().rev().copied().collect::<Vec<_>>();
        Ok(match (is_turned, stored) {
            (true, Some(array)) => {
                let items = As::of_bytes(array.bytes()?, self.item_type.clone(), reversed());
                Box::new(Counted::new(items, self.first, self.progress))
            }
            (true, None) => Box::new(Transposed::new(self, self.limits)),
            (false, _) => {
                let items =
                    Joined::new(self.parts, self.item_type.clone(), self.shape.clone(), (self.first, self.progress))?;
                match order {
                    Order::C => Box::new(items),
                    Order::Fortran => Box::new(As::new(Box::new(items), self.item_type.clone(), Some(reversed()))),
                }
            }
        })
    }
}

/// The items of a view, with the first axis varying fastest. The shape is reversed.
pub struct Transposed<'v> {
    view: &'v View<'v>,
    shape: Vec<usize>,
    limits: Limits,
    /// A slab has all items along the axes before this one, `width` along it, and one along the axes after it.
    axis: usize,
    width: u64,
    /// The range of items in the current slab, and their bytes.
    place: Range<u64>,
    slab: Vec<u8>,
    /// The same items, with the last axis varying fastest.
    stored: Vec<u8>,
    /// A buffer for items that span two slabs.
    joined: Vec<u8>,
}

impl<'v> Transposed<'v> {
    /// The items of a view in the opposite axis order. A slab takes at most a quarter of the memory limit.
    pub fn new(view: &'v View<'v>, limits: Limits) -> Self {
        let (size, extents) = (view.item_type().stride(), view.shape());
        let most = MOST.min(limits.memory / 4);
        let (mut axis, mut inner) = (0, size.max(1));
        while axis + 1 < extents.len() && inner.saturating_mul(extents[axis] as u64) <= most {
            inner *= (extents[axis] as u64).max(1);
            axis += 1;
        }
        let width = (most / inner).clamp(1, (extents[axis] as u64).max(1));
        // Items that are decoded together are requested together.
        let together = view.together(axis) as u64;
        let width = if width > together { width / together * together } else { width };
        let shape = extents.iter().rev().copied().collect();
        let (slab, stored, joined) = Default::default();
        Transposed { view, shape, limits, axis, width, place: 0..0, slab, stored, joined }
    }

    /// Reads the slab that contains an item.
    fn load(&mut self, item: u64) -> Result<()> {
        if self.place.contains(&item) {
            return Ok(());
        }
        let extents: Vec<u64> = self.view.shape().iter().map(|&extent| extent as u64).collect();
        let inner: u64 = extents[..self.axis].iter().product();
        let along = item / inner % extents[self.axis];
        let first = along - along % self.width;
        let count = self.width.min(extents[self.axis] - first);
        let start = item - item % inner - (along - first) * inner;
        let needed = inner * count * self.view.item_type().stride();
        for buffer in [&mut self.stored, &mut self.slab] {
            room(buffer, needed, &self.limits)?;
        }
        let mut ranges: Vec<Range<usize>> = extents[..self.axis].iter().map(|&extent| 0..extent as usize).collect();
        ranges.push(first as usize..(first + count) as usize);
        let mut outer = item / inner / extents[self.axis];
        for extent in &extents[self.axis + 1..] {
            let place = (outer % extent) as usize;
            ranges.push(place..place + 1);
            outer /= extent;
        }
        self.place = 0..0;
        self.view.read_box(&ranges, &mut self.stored)?;
        let shape: Vec<usize> = ranges[..=self.axis].iter().map(Range::len).collect();
        turn(&self.stored, &mut self.slab, &shape, self.view.item_type().stride() as usize);
        self.place = start..start + inner * count;
        Ok(())
    }

    /// The bytes of items in the current slab.
    fn bytes(&self, items: Range<u64>) -> &[u8] {
        let size = self.view.item_type().stride();
        let place = |item: u64| ((item - self.place.start) * size) as usize;
        &self.slab[place(items.start)..place(items.end)]
    }
}

impl Items for Transposed<'_> {
    fn item_type(&self) -> &ItemType {
        self.view.item_type()
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn read(&mut self, start: u64, count: u64) -> Result<&[u8]> {
        let end = start.checked_add(count).filter(|&end| end <= self.count());
        let end = end.ok_or(Error::OutOfRange { index: start.saturating_add(count), length: self.count() })?;
        if count == 0 || self.item_type().stride() == 0 {
            return Ok(&[]);
        }
        self.load(start)?;
        if end <= self.place.end {
            return Ok(self.bytes(start..end));
        }
        let mut joined = std::mem::take(&mut self.joined);
        joined.clear();
        let mut next = start;
        while next < end {
            self.load(next)?;
            let here = next..end.min(self.place.end);
            joined.extend_from_slice(self.bytes(here.clone()));
            next = here.end;
        }
        self.joined = joined;
        Ok(&self.joined)
    }
}

/// Transposes items whose last axis varies fastest into the same items with the first axis varying fastest.
fn turn(from: &[u8], to: &mut [u8], shape: &[usize], size: usize) {
    let run = match size {
        1 => gather::<1>,
        2 => gather::<2>,
        4 => gather::<4>,
        8 => gather::<8>,
        16 => gather::<16>,
        _ => gather_any,
    };
    let (rows, inner) = (shape[0], &shape[1..]);
    let columns: usize = inner.iter().product();
    for first in (0..rows).step_by(ROWS) {
        let count = ROWS.min(rows - first);
        for column in 0..columns {
            // The index of the column, with the last axis varying fastest.
            let (mut left, mut stride, mut place) = (column, columns, 0);
            for extent in inner {
                stride /= extent;
                place += left % extent * stride;
                left /= extent;
            }
            let start = (column * rows + first) * size;
            run(from, first * columns + place, columns, &mut to[start..start + count * size], size);
        }
    }
}

/// Copies items that are `stride` items apart.
fn gather<const SIZE: usize>(from: &[u8], first: usize, stride: usize, to: &mut [u8], _: usize) {
    let from = from.as_chunks::<SIZE>().0[first..].iter().step_by(stride);
    to.as_chunks_mut::<SIZE>().0.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}

/// Copies every `stride`-th item, for item sizes without their own version.
fn gather_any(from: &[u8], first: usize, stride: usize, to: &mut [u8], size: usize) {
    let from = from.chunks_exact(size).skip(first).step_by(stride);
    to.chunks_exact_mut(size).zip(from).for_each(|(to, from)| to.copy_from_slice(from));
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndbytes::ndarray::{ArrayD, IxDyn};

    #[test]
    fn items_of_any_size_and_shape_are_turned() {
        for size in [1, 2, 3, 4, 8, 16, 20] {
            for shape in [&[5][..], &[300, 2], &[2, 3, 4], &[1, 7, 1], &[129, 1, 3, 2]] {
                let count: usize = shape.iter().product();
                let bytes: Vec<u8> = (0..count * size).map(|byte| (byte * 7 + byte / 251) as u8).collect();
                let items: Vec<&[u8]> = bytes.chunks(size).collect();
                let array = ArrayD::from_shape_vec(IxDyn(shape), items).unwrap();
                let expected: Vec<u8> = array.t().iter().copied().flatten().copied().collect();
                let mut turned = vec![0; bytes.len()];
                turn(&bytes, &mut turned, shape, size);
                assert_eq!(turned, expected, "{shape:?} {size}");
            }
        }
    }
}
