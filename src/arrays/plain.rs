//! Arrays without a header, whose position, type and shape the caller knows.

use super::elements::{Elements, Stored};
use super::items::{ElementItems, Items};
use super::selection::Selection;
use crate::bytes::input::Input;
use crate::error::{Error, Result};
use crate::types::item_type::ItemType;
use ndarray::SliceInfoElem;

/// The items of an array that are stored consecutively in an input, as in a container of several arrays.
///
/// ```
/// use ndbytes::everybyte::Endian;
/// use ndbytes::{Dtype, Input, ElementKind, Limits, Plain};
///
/// let input = Input::from_slice(&[0, 0, 1, 2, 3, 4, 5, 6], Limits::default());
/// let array = Plain::new(input, 2, Dtype::new(ElementKind::I8, Endian::Little).into(), vec![2, 3])?;
/// let mut column = array.select(ndarray::s![.., 1])?;
/// assert_eq!(column.read(0, 2)?, [2, 5]);
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct Plain<'a> {
    elements: Elements<'a>,
    item_type: ItemType,
    shape: Vec<usize>,
}

impl<'a> Plain<'a> {
    /// An array of this type and shape that starts at a byte of the input, with the last axis varying fastest.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the input ends before the array does.
    pub fn new(input: Input<'a>, start: u64, item_type: ItemType, shape: Vec<usize>) -> Result<Self> {
        let items = shape.iter().try_fold(1_u64, |items, &extent| items.checked_mul(extent as u64));
        let count = if shape.contains(&0) { Some(0) } else { items };
        let (needed, given) = (count.and_then(|count| count.checked_mul(item_type.stride())), input.length());
        let end = needed.and_then(|needed| start.checked_add(needed)).filter(|&end| end <= given);
        let (Some(count), Some(end)) = (count, end) else {
            return Err(Error::BufferLength { needed: needed.unwrap_or(u64::MAX), given: given.saturating_sub(start) });
        };
        let elements = Elements { input, dtype: item_type.dtype(), count, stored: Stored::Plain(start..end) };
        Ok(Plain { elements, item_type, shape })
    }

    /// The length of each axis.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The type of the items.
    pub fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    /// Selects items like [`Array::select`](crate::Array::select).
    ///
    /// # Errors
    /// [`Error::Selection`] if the number of axes differs; [`Error::OutOfRange`].
    pub fn select(&self, slices: impl AsRef<[SliceInfoElem]>) -> Result<Box<dyn Items + '_>> {
        let selection = Selection::new(&self.shape, slices.as_ref())?;
        let item_type = self.item_type.clone();
        Ok(Box::new(ElementItems::new(&self.elements, item_type, &self.shape, false, selection)))
    }
}
