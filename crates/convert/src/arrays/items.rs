//! Items that are read in order: joined from several arrays, reinterpreted with another type or shape, or counted.

use super::part::ArraySource;
use crate::options::Progress;
use ndbytes::internals::swap_in_place;
use ndbytes::{Decoded, Error, ItemType, Items, Result};
use std::borrow::Cow;

/// The items of several arrays.
pub struct Joined<'j> {
    parts: Vec<Box<dyn Items + 'j>>,
    /// The types of the parts, which may differ from the common one in byte order.
    item_type: ItemType,
    shape: Vec<usize>,
    /// The index of the first part among all sources.
    first: usize,
    progress: &'j Progress<'j>,
    buffer: Vec<u8>,
}

impl<'j> Joined<'j> {
    /// Concatenates the items of several arrays. `first` is the index of the first array among all sources, for progress reports.
    pub fn new(
        parts: &[&'j ArraySource<'j>],
        item_type: ItemType,
        shape: Vec<usize>,
        (first, progress): (usize, &'j Progress<'j>),
    ) -> Result<Self> {
        let parts = parts.iter().map(|part| part.items()).collect::<Result<_>>()?;
        Ok(Joined { parts, item_type, shape, first, progress, buffer: Vec::new() })
    }
}

impl Items for Joined<'_> {
    fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn read(&mut self, start: u64, count: u64) -> Result<&[u8]> {
        if self.parts.len() == 1 {
            (self.progress)(self.first, 0);
            let bytes = self.parts[0].read(start, count)?;
            (self.progress)(self.first, bytes.len() as u64);
            return Ok(bytes);
        }
        let end = start.checked_add(count).filter(|&end| end <= self.count());
        let end = end.ok_or(Error::OutOfRange { index: start.saturating_add(count), length: self.count() })?;
        self.buffer.clear();
        let mut before = 0;
        for (place, part) in self.parts.iter_mut().enumerate() {
            let here =
                start.clamp(before, before + part.count()) - before..end.clamp(before, before + part.count()) - before;
            before += part.count();
            if here.is_empty() {
                continue;
            }
            (self.progress)(self.first + place, 0);
            let from = self.buffer.len();
            self.buffer.extend_from_slice(part.read(here.start, here.end - here.start)?);
            swap(&mut self.buffer[from..], part.item_type(), &self.item_type);
            (self.progress)(self.first + place, (self.buffer.len() - from) as u64);
        }
        Ok(&self.buffer)
    }

    fn piece(&self) -> u64 {
        self.parts.iter().map(|part| part.piece()).min().unwrap_or(1)
    }
}

/// Converts items to the byte order of another type. The types must not differ otherwise.
pub fn swap(bytes: &mut [u8], from: &ItemType, to: &ItemType) {
    if let (ItemType::Plain(from), ItemType::Plain(to)) = (from, to)
        && from.endian != to.endian
    {
        swap_in_place(bytes, from.kind.swapped());
    }
}

/// The same bytes as items of another type or shape.
pub struct As<'i> {
    bytes: Bytes<'i>,
    item_type: ItemType,
    shape: Vec<usize>,
}

/// Where the bytes come from.
enum Bytes<'i> {
    Items(Box<dyn Items + 'i>),
    Whole(Cow<'i, [u8]>),
}

impl<'i> As<'i> {
    /// Reinterprets items as another type of the same size, possibly with another shape.
    pub fn new(items: Box<dyn Items + 'i>, item_type: ItemType, shape: Option<Vec<usize>>) -> Self {
        let shape = shape.unwrap_or_else(|| items.shape().to_vec());
        As { bytes: Bytes::Items(items), item_type, shape }
    }

    /// Creates the items of an array of this shape.
    pub fn of_bytes(bytes: Cow<'i, [u8]>, item_type: ItemType, shape: Vec<usize>) -> Self {
        As { bytes: Bytes::Whole(bytes), item_type, shape }
    }
}

impl Items for As<'_> {
    fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn read(&mut self, start: u64, count: u64) -> Result<&[u8]> {
        match &mut self.bytes {
            Bytes::Items(items) => items.read(start, count),
            Bytes::Whole(bytes) => {
                Decoded::new(bytes, &self.item_type, &self.shape)?.read(start, count)?;
                let size = self.item_type.stride();
                Ok(&bytes[(start * size) as usize..((start + count) * size) as usize])
            }
        }
    }

    fn piece(&self) -> u64 {
        match &self.bytes {
            Bytes::Items(items) => items.piece(),
            Bytes::Whole(_) => ((256 << 10) / self.item_type.stride().max(1)).max(1),
        }
    }
}

/// The items of a source, with a count of the bytes read so far.
pub struct Counted<'i> {
    items: As<'i>,
    place: usize,
    progress: &'i Progress<'i>,
}

impl<'i> Counted<'i> {
    pub fn new(items: As<'i>, place: usize, progress: &'i Progress<'i>) -> Self {
        Counted { items, place, progress }
    }
}

impl Items for Counted<'_> {
    fn item_type(&self) -> &ItemType {
        self.items.item_type()
    }

    fn shape(&self) -> &[usize] {
        self.items.shape()
    }

    fn read(&mut self, start: u64, count: u64) -> Result<&[u8]> {
        let bytes = self.items.read(start, count)?;
        (self.progress)(self.place, bytes.len() as u64);
        Ok(bytes)
    }

    fn piece(&self) -> u64 {
        self.items.piece()
    }
}
