//! The grid of an array: its chunks, and their blocks.

use super::parts::counts;
use everybyte::forge::Choices;

/// The maximum number of axes.
const MOST_AXES: u64 = 16;

/// The maximum number of chunks.
const MOST_CHUNKS: u64 = 12;

/// The maximum number of chunks and bytes of an array that is held as a whole.
const HELD_CHUNKS: u64 = 256;
const HELD_BYTES: u64 = 64 << 10;

/// The dimensions of array, chunk and block along each axis.
#[derive(Debug, Clone)]
pub struct Grid {
    pub axes: Vec<[i64; 3]>,
}

impl Grid {
    /// Shapes of which the chunks have no more bytes together than this, or one item.
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

    /// The grid of these dimensions, if its items are few enough to be held.
    pub fn of(axes: &[[i64; 3]], size: u64) -> Option<Self> {
        let (chunks, items) = counts(axes)?;
        let bytes = chunks.max(1).checked_mul(items)?.checked_mul(size)?;
        let count = axes.iter().try_fold(size, |product, axis| product.checked_mul(u64::try_from(axis[0]).ok()?))?;
        let is_small = chunks <= HELD_CHUNKS && bytes <= HELD_BYTES && count <= HELD_BYTES && axes.len() <= 16;
        let has_items = axes.iter().all(|axis| axis[0] == 0 || axis[1] > 0 && axis[2] > 0);
        (is_small && has_items && size > 0).then(|| Grid { axes: axes.to_vec() })
    }

    /// The items of the array. Dimensions beside one of 0 may be large.
    pub fn items(&self) -> usize {
        let extents = || self.axes.iter().map(|axis| axis[0] as usize);
        if extents().any(|extent| extent == 0) { 0 } else { extents().product() }
    }

    /// The items of each chunk, from those of the array in C order; those beyond the array are zeros.
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

    fn fits(&self, room: u64) -> bool {
        let Some((chunks, items)) = counts(&self.axes) else { return false };
        chunks <= MOST_CHUNKS && items.checked_mul(chunks).is_some_and(|items| items <= room)
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> u64 {
        counts(&self.axes).map_or(0, |(chunks, _)| chunks)
    }

    /// The items of a chunk, with those that fill up its blocks.
    pub fn chunk_items(&self) -> u64 {
        counts(&self.axes).map_or(0, |(_, items)| items)
    }

    pub fn block_items(&self) -> u64 {
        self.axes.iter().fold(1, |product: u64, axis| product.saturating_mul(axis[2] as u64))
    }

    /// The blocks of a chunk.
    pub fn blocks(&self) -> u64 {
        self.chunk_items().checked_div(self.block_items()).unwrap_or(0)
    }

    /// The place in the array of each item of a chunk, in the order in which it is stored; `None` beyond the array.
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

    /// For each item of a chunk, true if it belongs to the array.
    pub fn inside(&self, chunk: u64) -> Vec<bool> {
        self.places(chunk).map(|place| place.is_some()).collect()
    }

    /// The items of the array in C order, from those of its chunks.
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

    /// A number as a place in a grid of these dimensions.
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
