//! The grid of an array: its chunks and their blocks.

use super::parts::counts;
use everybyte::forge::Choices;

/// The maximum number of axes.
const MOST_AXES: u64 = 16;

/// The maximum number of chunks.
const MOST_CHUNKS: u64 = 12;

/// The maximum numbers of chunks and bytes of an array that is kept completely in memory.
const HELD_CHUNKS: u64 = 256;
const HELD_BYTES: u64 = 64 << 10;

/// The lengths of array, chunk and block along each axis.
#[derive(Debug, Clone)]
pub struct Grid {
    pub axes: Vec<[i64; 3]>,
}

impl Grid {
    /// Chooses shapes whose chunks have at most this many bytes in total, or one item.
    pub fn any(choices: &mut Choices<'_>, size: u64, bytes: u64) -> Self {
        let count =
            if choices.one_in(40) { choices.from_to(5, MOST_AXES) } else { *choices.pick(&[1, 0, 1, 2, 2, 3, 4]) };
        let mut grid = Grid { axes: Vec::new() };
        let room = (bytes / size).max(1);
        for _ in 0..count {
            let mut axis = axis(choices, room);
            grid.axes.push(axis);
            if !grid.fits(room) {
                axis = if choices.one_in(2) { [1, 1, 1] } else { [1, 2, 1] };
                *grid.axes.last_mut().expect("it was pushed") = axis;
            }
            if !grid.fits(room) {
                *grid.axes.last_mut().expect("it was pushed") = [1, 1, 1];
            }
        }
        if choices.one_in(30)
            && let Some(axis) = {
                let place = choices.index(grid.axes.len());
                grid.axes.get_mut(place)
            }
        {
            axis[0] = 0;
        }
        grid
    }

    /// The grid of this shape, if there are few enough items.
    pub fn of(axes: &[[i64; 3]], size: u64) -> Option<Self> {
        let (chunks, items) = counts(axes)?;
        let bytes = chunks.max(1).checked_mul(items)?.checked_mul(size)?;
        let count = axes.iter().try_fold(size, |product, axis| product.checked_mul(u64::try_from(axis[0]).ok()?))?;
        let is_small = chunks <= HELD_CHUNKS && bytes <= HELD_BYTES && count <= HELD_BYTES && axes.len() <= 16;
        let has_items = axes.iter().all(|axis| axis[0] == 0 || axis[1] > 0 && axis[2] > 0);
        (is_small && has_items && size > 0).then(|| Grid { axes: axes.to_vec() })
    }

    /// The number of items of the array. If one length is 0, the others may be large.
    pub fn items(&self) -> usize {
        let extents = || self.axes.iter().map(|axis| axis[0] as usize);
        if extents().any(|extent| extent == 0) { 0 } else { extents().product() }
    }

    /// Splits the items of the array, in C order, among the chunks; items outside the array are zeros.
    pub fn scatter(&self, items: &[u8], size: usize) -> Vec<Vec<u8>> {
        let chunk = |number| {
            let places = self.places(number);
            let item = |place: Option<u64>| {
                let start = place.and_then(|place| usize::try_from(place).ok()?.checked_mul(size));
                start.and_then(|start| items.get(start..start + size))
            };
            let zeros = vec![0; size];
            places.flat_map(|place| item(place).unwrap_or(&zeros).to_vec()).collect()
        };
        (0..self.chunks()).map(chunk).collect()
    }

    /// Returns whether the numbers of chunks and padded items are within the bounds.
    fn fits(&self, room: u64) -> bool {
        let Some((chunks, items)) = counts(&self.axes) else { return false };
        chunks <= MOST_CHUNKS && items.checked_mul(chunks).is_some_and(|items| items <= room)
    }

    /// Returns the number of chunks.
    pub fn chunks(&self) -> u64 {
        counts(&self.axes).map_or(0, |(chunks, _)| chunks)
    }

    /// Returns the number of items in a chunk, including the padding of its blocks.
    pub fn chunk_items(&self) -> u64 {
        counts(&self.axes).map_or(0, |(_, items)| items)
    }

    /// Returns the number of items in a block, including padding.
    pub fn block_items(&self) -> u64 {
        self.axes.iter().fold(1, |product: u64, axis| product.saturating_mul(axis[2] as u64))
    }

    /// Returns the number of blocks in a chunk.
    pub fn blocks(&self) -> u64 {
        self.chunk_items().checked_div(self.block_items()).unwrap_or(0)
    }

    /// Returns the index in the array of each item of a chunk, in stored order; `None` outside the array.
    pub fn places(&self, chunk: u64) -> impl Iterator<Item = Option<u64>> {
        let blocks = self.blocks();
        let items = self.block_items();
        let chunk_at = self.split(chunk, |axis| (axis[0] as u64).div_ceil((axis[1] as u64).max(1)));
        (0..blocks).flat_map(move |block| {
            let chunk_at = chunk_at.clone();
            let block_at = self.split(block, |axis| (axis[1] as u64).div_ceil((axis[2] as u64).max(1)));
            (0..items).map(move |item| {
                let item_at = self.split(item, |axis| axis[2] as u64);
                let mut place = Some(0);
                for (number, axis) in self.axes.iter().enumerate() {
                    let [extent, chunk, block] = axis.map(|extent| extent as u64);
                    let inside = block_at[number] * block + item_at[number];
                    let at = chunk_at[number] * chunk + inside;
                    place = place.filter(|_| inside < chunk && at < extent).map(|place| place * extent + at);
                }
                place
            })
        })
    }

    /// Returns, for each item of a chunk, whether it belongs to the array.
    pub fn inside(&self, chunk: u64) -> Vec<bool> {
        self.places(chunk).map(|place| place.is_some()).collect()
    }

    /// Joins the items of the chunks into the items of the array, in C order.
    pub fn gather(&self, chunks: &[Vec<u8>], size: usize) -> Vec<u8> {
        let mut items = vec![0; self.items() * size];
        for (number, chunk) in chunks.iter().enumerate() {
            for (place, item) in self.places(number as u64).zip(chunk.chunks_exact(size)) {
                if let Some(place) = place {
                    items[place as usize * size..][..size].copy_from_slice(item);
                }
            }
        }
        items
    }

    /// Converts a number to a position in a grid of these lengths.
    fn split(&self, mut number: u64, extent: impl Fn(&[i64; 3]) -> u64) -> Vec<u64> {
        let mut place: Vec<u64> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let extent = extent(axis).max(1);
                let here = number % extent;
                number /= extent;
                here
            })
            .collect();
        place.reverse();
        place
    }
}

/// Chooses the lengths of array, chunk and block along an axis. Chunks that exceed the array, and partial blocks, are
/// common, since readers often mishandle their padding.
fn axis(choices: &mut Choices<'_>, room: u64) -> [i64; 3] {
    let most = room.min(if choices.one_in(4) { 40 } else { 7 });
    let extent = choices.from_to(1, most.max(1));
    let chunk = match choices.below(4) {
        0 => extent,
        1 => choices.from_to(1, extent + 2),
        _ => choices.from_to(extent.div_ceil(2), extent),
    };
    let block = match choices.below(3) {
        0 => chunk,
        1 => choices.from_to(1, chunk),
        _ => choices.from_to(chunk.div_ceil(2), chunk),
    };
    [extent as i64, chunk as i64, block as i64]
}
