//! The items of an array one after the other, however they are stored.

#[cfg(feature = "_elements")]
use super::elements::Elements;
use crate::error::{Error, Result};
use crate::types::item_type::{Field, ItemType};
use crate::types::scalar::Scalar;

/// Bytes that are asked for at once if all items are wanted.
const PIECE: u64 = 1 << 18;

/// The items of an array in C order of its shape (the last axis fastest), whatever the order in the file.
pub trait Items {
    /// The type of one item.
    fn item_type(&self) -> &ItemType;

    /// Extent of each axis.
    fn shape(&self) -> &[usize];

    /// The bytes of `count` items, decoded, from the item `start` on; see [`ItemType::stride`].
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are fewer items; any error of reading them.
    fn read(&mut self, start: u64, count: u64) -> Result<&[u8]>;

    /// The best number of items to read at once if all of them are wanted.
    fn piece(&self) -> u64 {
        (PIECE / self.item_type().stride().max(1)).max(1)
    }

    /// The number of items.
    fn count(&self) -> u64 {
        count(self.shape())
    }
}

/// The number of items of an array of this shape.
fn count(shape: &[usize]) -> u64 {
    if shape.contains(&0) { 0 } else { shape.iter().fold(1, |count, &extent| count.saturating_mul(extent as u64)) }
}

/// Refuses items that an array does not have.
pub(crate) fn demand(start: u64, asked: u64, length: u64) -> Result<()> {
    match start.checked_add(asked) {
        Some(end) if end <= length => Ok(()),
        _ => Err(Error::OutOfRange { index: start.saturating_add(asked.saturating_sub(1)), length }),
    }
}

/// One item of an array: its bytes, and their type.
#[derive(Debug, Clone, Copy)]
pub struct Item<'a> {
    bytes: &'a [u8],
    item_type: &'a ItemType,
}

impl<'a> Item<'a> {
    /// An item from its bytes.
    ///
    /// # Panics
    /// If their number is not [`ItemType::stride`].
    pub fn new(bytes: &'a [u8], item_type: &'a ItemType) -> Self {
        assert_eq!(bytes.len() as u64, item_type.stride(), "an item has its bytes");
        Item { bytes, item_type }
    }

    /// One of the items that `bytes` holds one after the other.
    ///
    /// # Panics
    /// If there are fewer items.
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

    /// The items of a subarray in C order; empty for other types.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Item<'a>> + use<'a> {
        let (item_type, count) = match self.item_type {
            ItemType::Subarray(subarray) => (subarray.item_type(), subarray.count() as usize),
            other => (other, 0),
        };
        let bytes = self.bytes;
        (0..count).map(move |place| Item::at(bytes, place, item_type))
    }
}

/// Items whose bytes are in memory, one after the other in C order.
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

/// Plain elements of a file.
#[cfg(feature = "_elements")]
pub(crate) struct ElementItems<'e, 'a> {
    elements: &'e Elements<'a>,
    item_type: ItemType,
    shape: &'e [usize],
    /// The distance of neighbours on each axis, if the first axis is stored fastest.
    fortran_strides: Option<Vec<u64>>,
    buffer: Vec<u8>,
}

#[cfg(feature = "_elements")]
impl<'e, 'a> ElementItems<'e, 'a> {
    pub fn new(elements: &'e Elements<'a>, item_type: ItemType, shape: &'e [usize], is_fortran_order: bool) -> Self {
        let mut stride = 1_u64;
        let strides = shape.iter().map(|&extent| {
            let this = stride;
            stride = stride.wrapping_mul(extent as u64);
            this
        });
        // With no more than one axis, there is only one order.
        let fortran_strides = (is_fortran_order && shape.len() > 1).then(|| strides.collect());
        ElementItems { elements, item_type, shape, fortran_strides, buffer: Vec::new() }
    }
}

#[cfg(feature = "_elements")]
impl Items for ElementItems<'_, '_> {
    fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    fn shape(&self) -> &[usize] {
        self.shape
    }

    fn read(&mut self, start: u64, asked: u64) -> Result<&[u8]> {
        demand(start, asked, self.elements.count)?;
        let (bytes, stride) = (self.elements.bytes()?, self.item_type.stride() as usize);
        let Some(strides) = &self.fortran_strides else {
            return Ok(&bytes[start as usize * stride..(start + asked) as usize * stride]);
        };
        self.buffer.clear();
        for index in start..start + asked {
            let mut left = index;
            let places = self.shape.iter().zip(strides).rev().map(|(&extent, stride)| {
                let place = left % extent as u64;
                left /= extent as u64;
                place * stride
            });
            let stored = places.sum::<u64>() as usize * stride;
            self.buffer.extend_from_slice(&bytes[stored..stored + stride]);
        }
        Ok(&self.buffer)
    }
}
