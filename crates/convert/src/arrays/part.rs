//! One array to convert, or a part of it.
//!
//! This covers all kinds of arrays: arrays of the library, arrays in containers, Zarr arrays, and pictures. A
//! conversion needs only their type, their shape, and the items of a box in C order.

use crate::axis_selection::AxisSelection;
#[cfg(feature = "png")]
use crate::pictures::Pictures;
use crate::zarr::array::ZarrArray;
use ndbytes::ndarray::SliceInfoElem;
use ndbytes::{Array, Error, ItemType, Items, Plain, Result};
use std::ops::Range;

/// An array to convert, or a part of one.
///
/// ```
/// use ndbytes::ndarray::s;
/// use ndbytes_convert::ArraySource;
///
/// let digits = ndbytes::open("../../samples/digits-idx3-ubyte.gz")?.into_array()?;
/// let part = ArraySource::new("digits", &digits).select(s![..5, .., 14].as_ref())?;
/// assert_eq!(part.shape(), [5, 28]);
/// assert_eq!(part.length(), 5 * 28);
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ArraySource<'s> {
    name: String,
    stored: Stored<'s>,
    item_type: ItemType,
    picks: Vec<AxisSelection>,
    shape: Vec<usize>,
    is_whole: bool,
}

/// The source of the items.
#[derive(Debug, Clone, Copy)]
enum Stored<'s> {
    Array(&'s Array<'s>),
    Plain(&'s Plain<'s>),
    Zarr(&'s ZarrArray<'s>),
    #[cfg(feature = "png")]
    Pictures(&'s Pictures),
}

impl<'s> Stored<'s> {
    /// The shape of the stored array.
    fn shape(self) -> &'s [usize] {
        match self {
            Stored::Array(array) => array.shape(),
            Stored::Plain(array) => array.shape(),
            Stored::Zarr(array) => array.shape(),
            #[cfg(feature = "png")]
            Stored::Pictures(pictures) => pictures.shape(),
        }
    }

    /// Returns the index on the first axis, if the part does not have this axis.
    fn hidden(self) -> Option<isize> {
        match self {
            #[cfg(feature = "png")]
            Stored::Pictures(pictures) if pictures.is_single() => Some(0),
            _ => None,
        }
    }

    /// The selected items in C order.
    fn select(self, slices: &[SliceInfoElem]) -> Result<Box<dyn Items + 's>> {
        match self {
            Stored::Array(array) => array.select(slices),
            Stored::Plain(array) => array.select(slices),
            Stored::Zarr(array) => array.select(slices),
            #[cfg(feature = "png")]
            Stored::Pictures(pictures) => pictures.select(slices),
        }
    }
}

impl<'s> ArraySource<'s> {
    /// A whole array. Its name is used in messages and for archive entries.
    pub fn new(name: impl Into<String>, array: &'s Array<'s>) -> Self {
        ArraySource::of(name.into(), Stored::Array(array), array.item_type())
    }

    /// A whole array in a container.
    pub fn plain(name: impl Into<String>, array: &'s Plain<'s>) -> Self {
        ArraySource::of(name.into(), Stored::Plain(array), array.item_type().clone())
    }

    /// A whole array of a Zarr store.
    pub fn zarr_array(name: impl Into<String>, array: &'s ZarrArray<'s>) -> Self {
        ArraySource::of(name.into(), Stored::Zarr(array), array.item_type().clone())
    }

    /// The pictures in a directory, or the picture in a file.
    #[cfg(feature = "png")]
    pub fn pictures(name: impl Into<String>, pictures: &'s Pictures) -> Self {
        let mut part = ArraySource::of(name.into(), Stored::Pictures(pictures), pictures.item_type().clone());
        if pictures.is_single() {
            part.picks[0].is_dropped = true;
            part.shape.remove(0);
        }
        part
    }

    /// If the part is the complete array, checks for errors that reading items does not detect.
    pub(crate) fn ensure_rest(&self) -> Result<()> {
        match self.array() {
            Some(Array::B2nd(array)) if self.is_whole => array.ensure_rest(),
            _ => Ok(()),
        }
    }

    /// A source for the whole stored array.
    fn of(name: String, stored: Stored<'s>, item_type: ItemType) -> Self {
        let shape = stored.shape().to_vec();
        let whole = |&extent: &usize| AxisSelection { start: 0, step: 1, count: extent as u64, is_dropped: false };
        let picks = shape.iter().map(whole).collect();
        ArraySource { name, stored, item_type, picks, shape, is_whole: true }
    }

    /// The part of the array that ndarray's `s![]` selects; new axes are refused.
    ///
    /// # Errors
    /// As for [`Array::select`].
    pub fn select(self, slices: &[SliceInfoElem]) -> Result<Self> {
        let (given, axes) = (slices.len(), self.shape.len());
        if given != axes {
            return Err(Error::Selection { given, axes });
        }
        let first = self.stored.hidden().map(SliceInfoElem::Index);
        let slices: Vec<SliceInfoElem> = first.into_iter().chain(slices.iter().copied()).collect();
        // The library validates the slices.
        self.stored.select(&slices)?;
        let picks: Vec<AxisSelection> = slices
            .iter()
            .zip(self.stored.shape())
            .map(|(slice, &extent)| AxisSelection::of(slice, extent as u64))
            .collect();
        let kept = picks.iter().filter(|pick| !pick.is_dropped);
        let shape = kept.map(|pick| pick.count as usize).collect();
        Ok(ArraySource { picks, shape, is_whole: false, ..self })
    }

    /// The items that ndarray's `s![]` selects, with the last axis varying fastest.
    ///
    /// # Errors
    /// As for [`Array::select`].
    pub fn selected(&self, slices: &[SliceInfoElem]) -> Result<Box<dyn Items + 's>> {
        self.clone().select(slices)?.items()
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The length of each axis.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The type of the items.
    pub fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    /// The length of all items in bytes.
    pub fn length(&self) -> u64 {
        let items = self.shape.iter().fold(1_u64, |items, &extent| items.saturating_mul(extent as u64));
        let items = if self.shape.contains(&0) { 0 } else { items };
        items.saturating_mul(self.item_type.stride())
    }

    /// Returns the complete array, if it is the only one in its file.
    pub(crate) fn array(&self) -> Option<&'s Array<'s>> {
        match self.stored {
            Stored::Array(array) => Some(array),
            _ => None,
        }
    }

    /// Returns the complete array, if it is in a Zarr store.
    pub(crate) fn zarr(&self) -> Option<&'s ZarrArray<'s>> {
        match self.stored {
            Stored::Zarr(array) => Some(array),
            _ => None,
        }
    }

    /// Returns whether it is the complete array.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns whether it has all axes of the array.
    pub(crate) fn keeps_axes(&self) -> bool {
        self.picks.iter().all(|pick| !pick.is_dropped)
    }

    /// Returns the complete array, if its elements are stored with the first axis varying fastest.
    pub(crate) fn in_fortran_order(&self) -> Option<&'s Array<'s>> {
        self.array().filter(|array| self.is_whole && array.is_fortran_order())
    }

    /// Returns all items, with the last axis varying fastest.
    pub(crate) fn items(&self) -> Result<Box<dyn Items + 's>> {
        let whole: Vec<Range<usize>> = self.shape.iter().map(|&extent| 0..extent).collect();
        self.within(&whole)
    }

    /// Returns the items of a box: a range of each axis.
    pub(crate) fn within(&self, ranges: &[Range<usize>]) -> Result<Box<dyn Items + 's>> {
        let mut ranges = ranges.iter();
        let slices = self.picks.iter().map(|pick| match pick.is_dropped {
            true => SliceInfoElem::Index(pick.start as isize),
            false => pick.slice(ranges.next().cloned().unwrap_or(0..0)),
        });
        self.stored.select(&slices.collect::<Vec<_>>())
    }

    /// Returns how many items along an axis are decoded together.
    pub(crate) fn together(&self, axis: usize) -> usize {
        let kept = self.picks.iter().enumerate().filter(|(_, pick)| !pick.is_dropped);
        match (self.stored, kept.map(|(stored, _)| stored).nth(axis)) {
            (Stored::Array(Array::B2nd(array)), Some(stored)) => array.chunk_shape()[stored].max(1),
            (Stored::Zarr(array), Some(stored)) => usize::try_from(array.described().chunk[stored]).unwrap_or(1),
            _ => 1,
        }
    }
}
