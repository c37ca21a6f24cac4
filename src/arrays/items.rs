//! The items of an array in order, regardless of how they are stored.
//!
//! [`Items`] connects the formats: every array can return its items in C order, piece by piece, and every writer accepts them. Any
//! format can therefore be converted to any other without loading the whole array into memory.
//!
//! [`ElementItems`] does this for the formats whose items are plain bytes. It describes a selection by its first item and, for each
//! axis, a count and a distance in the file, so Fortran order, steps and reversed axes need no special cases. Distances may be
//! negative, hence the wrapping arithmetic: the sums are positions in a file whose length was checked, and only intermediate
//! results wrap.
//!
//! Items that follow each other in the file are borrowed. All others are gathered, run by run along the last axis. For a remote
//! source, [`NEAR`] and [`SPARSE`] determine which bytes between the items are worth fetching with them.

use super::elements::Elements;
use super::scattered::Scattered;
use super::selection::Selection;
use crate::bytes::limits::Debit;
use crate::bytes::memory;
use crate::error::{Error, Result};
use crate::types::item_type::{Field, ItemType};
use crate::types::scalar::Scalar;
use std::ops::Range;

/// The number of bytes that are requested at once if all items are selected.
const PIECE: u64 = 1 << 18;

/// The maximum distance between items of a source that are read together with everything between them.
const NEAR: u64 = 16;

/// A selection is sparse if the range from its first to its last item exceeds both this many bytes and this multiple of the
/// selected bytes.
const SPARSE: (u64, u64) = (256 << 10, 4);

/// The maximum number of items of a sparse selection that are requested at once.
const SCATTERED: u64 = 64 << 10;

/// The maximum number of bytes of a sparse selection that are requested at once if the items of a row are close together.
const SCATTERED_BYTES: u64 = 4 << 20;

/// The items of an array, read piece by piece. Arrays and selections return them; writers and converters accept them.
///
/// ```
/// let array = ndbytes::open("samples/temperatures.b2nd")?.into_array()?;
/// let mut items = array.items();
/// let (mut start, mut bytes) = (0, 0);
/// while start < items.count() {
///     let count = items.piece().min(items.count() - start);
///     bytes += items.read(start, count)?.len(); // only these chunks are decoded
///     start += count;
/// }
/// assert_eq!(bytes, 168 * 6 * size_of::<i16>());
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// Items are numbered in C order of the shape, regardless of their order in the file. The bytes are decoded, but keep the byte
/// order of the [item type](Items::item_type). The bytes are borrowed until the next call, so an implementation can reuse its
/// buffer.
pub trait Items {
    /// The type of one item.
    fn item_type(&self) -> &ItemType;

    /// The length of each axis.
    fn shape(&self) -> &[usize];

    /// Reads the decoded bytes of `count` items, starting with item `start`; see [`ItemType::stride`].
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are fewer items; any error while reading them.
    fn read(&mut self, start: u64, count: u64) -> Result<&[u8]>;

    /// The best number of items to read at once when reading all of them.
    fn piece(&self) -> u64 {
        (PIECE / self.item_type().stride().max(1)).max(1)
    }

    /// The number of items.
    fn count(&self) -> u64 {
        count(self.shape())
    }
}

/// Returns the number of items in an array of this shape.
fn count(shape: &[usize]) -> u64 {
    if shape.contains(&0) { 0 } else { shape.iter().fold(1, |count, &extent| count.saturating_mul(extent as u64)) }
}

/// Fails if the requested items do not exist in the array.
pub(crate) fn demand(start: u64, asked: u64, length: u64) -> Result<()> {
    match start.checked_add(asked) {
        Some(end) if end <= length => Ok(()),
        _ => Err(Error::OutOfRange { index: start.saturating_add(asked.saturating_sub(1)), length }),
    }
}

/// One item of an array: its bytes and their type.
///
/// ```
/// use ndbytes::{Item, ItemType, Scalar};
///
/// let item_type: ItemType = "[('id', '<u2'), ('level', '|i1')]".parse().unwrap();
/// let item = Item::new(&[7, 0, 0xFF], &item_type);
/// let values: Vec<_> = item.fields().map(|(field, value)| (field.name.as_str(), value.scalar())).collect();
/// assert_eq!(values, [("id", Scalar::Uint(7)), ("level", Scalar::Int(-1))]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Item<'a> {
    bytes: &'a [u8],
    item_type: &'a ItemType,
}

impl<'a> Item<'a> {
    /// Creates an item from its bytes.
    ///
    /// # Panics
    /// Panics if their number is not [`ItemType::stride`].
    pub fn new(bytes: &'a [u8], item_type: &'a ItemType) -> Self {
        assert_eq!(bytes.len() as u64, item_type.stride(), "an item has its bytes");
        Item { bytes, item_type }
    }

    /// Creates one of the items that are stored consecutively in `bytes`.
    ///
    /// # Panics
    /// Panics if there are fewer items.
    pub fn at(bytes: &'a [u8], place: usize, item_type: &'a ItemType) -> Self {
        let stride = item_type.stride() as usize;
        Item::new(&bytes[place * stride..(place + 1) * stride], item_type)
    }

    /// Its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Its type.
    pub fn item_type(&self) -> &'a ItemType {
        self.item_type
    }

    /// The value, including all nested values.
    pub fn scalar(&self) -> Scalar {
        Scalar::from_item(self.bytes, self.item_type)
    }

    /// The fields of a structure; empty for other types.
    pub fn fields(&self) -> impl Iterator<Item = (&'a Field, Item<'a>)> + use<'a> {
        let fields = match self.item_type {
            ItemType::Structure(structure) => structure.fields(),
            _ => &[],
        };
        let bytes = self.bytes;
        fields.iter().map(move |field| {
            let start = field.offset as usize;
            (field, Item::new(&bytes[start..start + field.item_type.stride() as usize], &field.item_type))
        })
    }

    /// The items of a subarray, in C order; empty for other types.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Item<'a>> + use<'a> {
        let (item_type, count) = match self.item_type {
            ItemType::Subarray(subarray) => (subarray.item_type(), subarray.count() as usize),
            other => (other, 0),
        };
        let bytes = self.bytes;
        (0..count).map(move |place| Item::at(bytes, place, item_type))
    }
}

/// Items whose bytes are in memory, consecutively in C order.
///
/// ```
/// use ndbytes::{Decoded, ItemType, Limits, npy};
///
/// let item_type: ItemType = "<u2".parse().unwrap();
/// let mut items = Decoded::new(&[1, 0, 2, 0], &item_type, &[2])?;
/// let mut file = Vec::new();
/// npy::Writer::new().write_items_to(&mut file, &mut items, &Limits::default())?;
/// assert_eq!(npy::from_slice(&file)?.to_array::<u16>()?.as_slice(), Some(&[1, 2][..]));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Decoded<'a> {
    bytes: &'a [u8],
    item_type: &'a ItemType,
    shape: &'a [usize],
}

impl<'a> Decoded<'a> {
    /// The items of an array of this shape.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the number of bytes does not match the shape.
    pub fn new(bytes: &'a [u8], item_type: &'a ItemType, shape: &'a [usize]) -> Result<Self> {
        let needed = count(shape).saturating_mul(item_type.stride());
        if bytes.len() as u64 != needed {
            return Err(Error::BufferLength { needed, given: bytes.len() as u64 });
        }
        Ok(Decoded { bytes, item_type, shape })
    }
}

impl Items for Decoded<'_> {
    fn item_type(&self) -> &ItemType {
        self.item_type
    }

    fn shape(&self) -> &[usize] {
        self.shape
    }

    fn read(&mut self, start: u64, asked: u64) -> Result<&[u8]> {
        demand(start, asked, count(self.shape))?;
        let stride = self.item_type.stride();
        Ok(&self.bytes[(start * stride) as usize..((start + asked) * stride) as usize])
    }
}

/// Plain elements of a file, or some of them.
pub(crate) struct ElementItems<'e, 'a> {
    elements: &'e Elements<'a>,
    item_type: ItemType,
    shape: Vec<usize>,
    /// The position of the first item.
    first: u64,
    /// The number of selected items along each axis of the file, and the distance between neighbours. `None` if they are
    /// consecutive in the file.
    axes: Option<Vec<(u64, i64)>>,
    buffer: Vec<u8>,
    /// The bytes from the first to the last item in the file, if they had to be read from a source.
    span: Option<Span<'e>>,
}

/// Bytes of a source, which count towards the memory limit while they are kept.
struct Span<'e> {
    /// The first item.
    first: u64,
    bytes: Vec<u8>,
    _debit: Debit<'e>,
}

impl<'e, 'a> ElementItems<'e, 'a> {
    /// The selected items of plain elements.
    pub fn new(
        elements: &'e Elements<'a>,
        item_type: ItemType,
        extents: &[usize],
        is_fortran_order: bool,
        selection: Selection,
    ) -> Self {
        let mut strides = match is_fortran_order {
            true => distances(extents.iter().map(|&extent| extent as u64)),
            false => distances(extents.iter().rev().map(|&extent| extent as u64)),
        };
        if !is_fortran_order {
            strides.reverse();
        }
        let picks = selection.picks.iter().zip(strides);
        let first = picks
            .clone()
            .fold(0_u64, |first, (pick, stride)| first.wrapping_add(pick.start.wrapping_mul(stride as u64)));
        let axes: Vec<(u64, i64)> = picks.map(|(pick, stride)| (pick.count, stride.wrapping_mul(pick.step))).collect();
        // Along an axis with one item, there are no neighbours.
        let wide: Vec<(u64, i64)> = axes.iter().rev().filter(|axis| axis.0 != 1).copied().collect();
        let close = distances(wide.iter().map(|axis| axis.0));
        let follow_each_other = wide.iter().map(|axis| axis.1).eq(close);
        let axes = (!follow_each_other).then_some(axes);
        ElementItems { elements, item_type, shape: selection.shape, first, axes, buffer: Vec::new(), span: None }
    }
}

impl Items for ElementItems<'_, '_> {
    fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn read(&mut self, start: u64, asked: u64) -> Result<&[u8]> {
        demand(start, asked, self.count())?;
        if asked == 0 {
            return Ok(&[]);
        }
        if self.elements.is_in_source() {
            return self.fetch(start, asked);
        }
        let (bytes, size) = (self.elements.bytes()?, self.item_type.stride() as usize);
        let Some(axes) = &self.axes else {
            let start = (self.first + start) as usize;
            return Ok(&bytes[start * size..(start + asked as usize) * size]);
        };
        self.buffer.clear();
        for run in runs(axes, self.first, start, asked) {
            gather(bytes, size, run.places(0), &mut self.buffer);
        }
        Ok(&self.buffer)
    }
}

impl ElementItems<'_, '_> {
    /// Returns whether the items of a row are close enough to read the row in one piece.
    fn has_near_neighbours(&self) -> bool {
        let fastest = self.axes.as_ref().and_then(|axes| axes.last());
        fastest.is_none_or(|&(count, stride)| count <= 1 || stride.unsigned_abs() <= NEAR)
    }

    /// Returns whether only a small part of the range from the first to the last item is requested.
    fn is_sparse(&self, axes: &[(u64, i64)]) -> bool {
        let size = self.item_type.stride();
        let (first, end) = reach(axes, self.first);
        let (between, wanted) = ((end - first).saturating_mul(size), self.count().saturating_mul(size));
        between > SPARSE.0.max(wanted.saturating_mul(SPARSE.1))
    }

    /// Reads items from a source, and as few of the bytes between them as possible.
    fn fetch_scattered(&mut self, start: u64, asked: u64) -> Result<&[u8]> {
        let (elements, size) = (self.elements, self.item_type.stride());
        let (Some(axes), is_near) = (&self.axes, self.has_near_neighbours()) else { return Ok(&[]) };
        self.buffer.clear();
        // Each row is read in one piece, so more items can be requested at once.
        let together = if is_near { SCATTERED.max(SCATTERED_BYTES / size.max(1)) } else { SCATTERED };
        for from in (start..start + asked).step_by(together as usize) {
            let runs = runs(axes, self.first, from, together.min(start + asked - from));
            let item = |place| place * size..(place + 1) * size;
            let wanted = match is_near {
                true => runs.clone().map(|run| run.bytes(size)).collect(),
                false => runs.clone().flat_map(|run| run.places(0)).map(item).collect(),
            };
            let read = Scattered::read(elements, wanted)?;
            for run in runs {
                run.places(0).for_each(|place| self.buffer.extend_from_slice(read.bytes(item(place))));
            }
        }
        Ok(&self.buffer)
    }

    /// Reads items from a source row by row. If the items of a row are far apart, it reads everything from the first to the last
    /// item.
    ///
    /// There are three cases. If only a small part of the range is requested, exactly those bytes are fetched. If the items of a
    /// row are far apart (a column of a matrix in the other order), every piece needs bytes from all over the range, so the range
    /// is fetched once and kept. Otherwise, one row after another is fetched. As many rows as the source accepts at a time are
    /// announced to it.
    fn fetch(&mut self, start: u64, asked: u64) -> Result<&[u8]> {
        let (elements, size) = (self.elements, self.item_type.stride());
        let Some(axes) = &self.axes else {
            let first = (self.first + start) * size;
            fill(elements, first..first + asked * size, &mut self.buffer)?;
            return Ok(&self.buffer);
        };
        if self.is_sparse(axes) {
            return self.fetch_scattered(start, asked);
        }
        if !self.has_near_neighbours() {
            let span = match self.span.take() {
                Some(span) => span,
                None => Span::read(elements, axes, self.first, size)?,
            };
            self.buffer.clear();
            for run in runs(axes, self.first, start, asked) {
                gather(&span.bytes, size as usize, run.places(span.first), &mut self.buffer);
            }
            self.span = Some(span);
            return Ok(&self.buffer);
        }
        let (mut piece, mut row) = (Vec::new(), Vec::new());
        let (mut runs, mut prepared) = (runs(axes, self.first, start, asked), 0);
        loop {
            if prepared == 0 {
                prepared = elements.prepare(runs.clone().map(|run| run.bytes(size)))?;
            }
            prepared -= 1;
            let Some(run) = runs.next() else { break };
            let bytes = run.bytes(size);
            let first = bytes.start / size.max(1);
            fill(elements, bytes, &mut row)?;
            gather(&row, size as usize, run.places(first), &mut piece);
        }
        self.buffer = piece;
        Ok(&self.buffer)
    }
}

/// Returns the positions of the first and the last item in the file.
fn reach(axes: &[(u64, i64)], first: u64) -> (u64, u64) {
    let reach = |&(count, stride): &(u64, i64)| stride.wrapping_mul(count.saturating_sub(1) as i64);
    let (low, high) = axes.iter().map(reach).fold((0_i64, 0_i64), |(low, high), reach| match reach < 0 {
        true => (low.wrapping_add(reach), high),
        false => (low, high.wrapping_add(reach)),
    });
    (first.wrapping_add_signed(low), first.wrapping_add_signed(high) + 1)
}

impl<'e> Span<'e> {
    /// Reads the contiguous bytes that contain the items of some inner axes. The memory must already be charged.
    fn read(elements: &'e Elements<'_>, axes: &[(u64, i64)], first: u64, size: u64) -> Result<Self> {
        let (first, end) = reach(axes, first);
        let (debit, mut bytes) = (Debit::new(elements.input.budget()), Vec::new());
        debit.take((end - first) * size, "the items of a selection")?;
        fill(elements, first * size..end * size, &mut bytes)?;
        Ok(Span { first, bytes, _debit: debit })
    }
}

/// Fills a buffer with some of the bytes.
fn fill(elements: &Elements<'_>, bytes: Range<u64>, buffer: &mut Vec<u8>) -> Result<()> {
    let needed = bytes.end - bytes.start;
    match usize::try_from(needed).is_ok_and(|length| memory::set_length(buffer, length)) {
        true => elements.copy_bytes(bytes.start, buffer, 1),
        false => Err(Error::Limit { what: "items", needed, left: 0 }),
    }
}

/// Adjacent items of a selection along its last axis.
struct Run {
    /// The position of the first item in the file.
    first: u64,
    count: u64,
    /// The distance between neighbours.
    stride: i64,
}

impl Run {
    /// The positions of the items, relative to a given position.
    fn places(&self, from: u64) -> impl Iterator<Item = u64> + use<> {
        let (first, stride) = (self.first.wrapping_sub(from), self.stride);
        (0..self.count).map(move |place| first.wrapping_add_signed(stride.wrapping_mul(place as i64)))
    }

    /// The bytes of the items, including those between them.
    fn bytes(&self, size: u64) -> Range<u64> {
        let last = self.first.wrapping_add_signed(self.stride.wrapping_mul(self.count as i64 - 1));
        self.first.min(last) * size..(self.first.max(last) + 1) * size
    }
}

/// Returns the runs of the `asked` items.
fn runs(axes: &[(u64, i64)], first: u64, start: u64, asked: u64) -> impl Iterator<Item = Run> + Clone {
    let (mut index, end) = (start, start + asked);
    std::iter::from_fn(move || {
        let (place, count, stride) = (index < end).then(|| run_from(axes, first, index))?;
        let count = count.min(end - index);
        index += count;
        Some(Run { first: place, count, stride })
    })
}

/// Returns the position of an item in the file, the number of items from there along the last axis, and the distance between them.
fn run_from(axes: &[(u64, i64)], first: u64, index: u64) -> (u64, u64, i64) {
    let mut left = index;
    let stored = axes.iter().rev().fold(first, |stored, &(count, stride)| {
        let place = left % count;
        left /= count;
        stored.wrapping_add_signed(stride.wrapping_mul(place as i64))
    });
    axes.last().map_or((stored, 1, 0), |&(count, stride)| (stored, count - index % count, stride))
}

/// Appends the items at these positions. Common sizes are copied without a function call.
fn gather(bytes: &[u8], size: usize, places: impl Iterator<Item = u64>, to: &mut Vec<u8>) {
    /// Copies items of a size that is known at compile time, which is several times faster than copying slices of any length.
    fn sized<const SIZE: usize>(bytes: &[u8], places: impl Iterator<Item = u64>, to: &mut Vec<u8>) {
        let (items, _) = bytes.as_chunks::<SIZE>();
        places.for_each(|place| to.extend_from_slice(&items[place as usize]));
    }
    match size {
        1 => sized::<1>(bytes, places, to),
        2 => sized::<2>(bytes, places, to),
        4 => sized::<4>(bytes, places, to),
        8 => sized::<8>(bytes, places, to),
        16 => sized::<16>(bytes, places, to),
        _ => places.for_each(|place| to.extend_from_slice(&bytes[place as usize * size..][..size])),
    }
}

/// Returns the distance between neighbours along axes of these lengths, starting with the fastest axis.
fn distances(extents: impl Iterator<Item = u64>) -> Vec<i64> {
    let mut distance = 1_i64;
    let mut distances = Vec::new();
    for extent in extents {
        distances.push(distance);
        distance = distance.wrapping_mul(extent as i64);
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::{ElementItems, Items, Selection};
    use crate::arrays::elements::{Elements, Stored};
    use crate::bytes::input::Input;
    use crate::bytes::limits::Limits;
    use crate::types::dtype::{Dtype, ElementKind};
    use crate::types::item_type::ItemType;
    use everybyte::Endian;

    #[test]
    fn items_of_the_other_order_are_the_same_in_pieces_of_any_length() {
        const SHAPE: [usize; 3] = [2, 3, 5];
        for size in [1, 3, 4, 8, 16] {
            let dtype = Dtype::new(ElementKind::Record(size), Endian::Little);
            let item = |place: usize| (0..size as usize).map(move |byte| (place * 7 + byte) as u8);
            let bytes: Vec<u8> = (0..30).flat_map(item).collect();
            let stored = Stored::Plain(0..bytes.len() as u64);
            let elements = Elements { input: Input::from_slice(&bytes, Limits::default()), dtype, count: 30, stored };
            let item_type = ItemType::Plain(dtype);
            let mut items = ElementItems::new(&elements, item_type, &SHAPE, true, Selection::all(&SHAPE));
            let places = (0..30).map(|index| index / 15 + index / 5 % 3 * 2 + index % 5 * 6);
            let expected: Vec<u8> = places.flat_map(item).collect();
            for piece in [1, 2, 7, 30] {
                let starts = (0..30).step_by(piece);
                let read = starts.flat_map(|start| {
                    items.read(start as u64, piece.min(30 - start) as u64).expect("the items are there").to_vec()
                });
                assert_eq!(read.collect::<Vec<u8>>(), expected, "items of {size} bytes, {piece} at a time");
            }
        }
    }
}
