//! One array that is converted, or a part of it.

use crate::pick::Pick;
#[cfg(feature = "png")]
use crate::pictures::Pictures;
use crate::zarr::array::ZarrArray;
use ndbytes::ndarray::SliceInfoElem;
use ndbytes::{Array, Error, ItemType, Items, Plain, Result};
use std::ops::Range;

/// An array, or a part of one.
#[derive(Debug)]
pub struct ArraySource<'s> {
    name: String,
    stored: Stored<'s>,
    item_type: ItemType,
    picks: Vec<Pick>,
    shape: Vec<usize>,
    is_whole: bool,
}

/// The place of the items.
#[derive(Debug, Clone, Copy)]
enum Stored<'s> {
    Array(&'s Array<'s>),
    Plain(&'s Plain<'s>),
    Zarr(&'s ZarrArray<'s>),
    #[cfg(feature = "png")]
    Pictures(&'s Pictures),
}

impl<'s> Stored<'s> {
    fn shape(self) -> &'s [usize] {
        match self {
            Stored::Array(array) => array.shape(),
            Stored::Plain(array) => array.shape(),
            Stored::Zarr(array) => array.shape(),
            #[cfg(feature = "png")]
            Stored::Pictures(pictures) => pictures.shape(),
        }
    }

    /// The place on a first axis that the part never has.
    fn hidden(self) -> Option<isize> {
        match self {
            #[cfg(feature = "png")]
            Stored::Pictures(pictures) if pictures.is_single() => Some(0),
            _ => None,
        }
    }

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
    /// A whole array. Its name is for messages, and for entries of archives.
    pub fn new(name: impl Into<String>, array: &'s Array<'s>) -> Self {
        ArraySource::of(name.into(), Stored::Array(array), array.item_type())
    }

    /// A whole array that a container has.
    pub fn plain(name: impl Into<String>, array: &'s Plain<'s>) -> Self {
        ArraySource::of(name.into(), Stored::Plain(array), array.item_type().clone())
    }

    /// A whole array of a Zarr store.
    pub fn zarr_array(name: impl Into<String>, array: &'s ZarrArray<'s>) -> Self {
        ArraySource::of(name.into(), Stored::Zarr(array), array.item_type().clone())
    }

    /// The pictures of a folder, or the picture of a file.
    #[cfg(feature = "png")]
    pub fn pictures(name: impl Into<String>, pictures: &'s Pictures) -> Self {
        let mut part = ArraySource::of(name.into(), Stored::Pictures(pictures), pictures.item_type().clone());
        if pictures.is_single() {
            part.picks[0].is_dropped = true;
            part.shape.remove(0);
        }
        part
    }

    /// Refuses a file for what no read of items looks at, if the part is all of it.
    pub(crate) fn ensure_rest(&self) -> Result<()> {
        match self.array() {
            Some(Array::B2nd(array)) if self.is_whole => array.ensure_rest(),
            _ => Ok(()),
        }
    }

    fn of(name: String, stored: Stored<'s>, item_type: ItemType) -> Self {
        let shape = stored.shape().to_vec();
        let whole = |&extent: &usize| Pick { start: 0, step: 1, count: extent as u64, is_dropped: false };
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
        // The library judges the slices.
        self.stored.select(&slices)?;
        let picks: Vec<Pick> =
            slices.iter().zip(self.stored.shape()).map(|(slice, &extent)| Pick::of(slice, extent as u64)).collect();
        let kept = picks.iter().filter(|pick| !pick.is_dropped);
        let shape = kept.map(|pick| pick.count as usize).collect();
        Ok(ArraySource { picks, shape, is_whole: false, ..self })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Length of each axis.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The type of the items.
    pub fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    /// Bytes of all items.
    pub fn length(&self) -> u64 {
        let items = self.shape.iter().fold(1_u64, |items, &extent| items.saturating_mul(extent as u64));
        let items = if self.shape.contains(&0) { 0 } else { items };
        items.saturating_mul(self.item_type.stride())
    }

    /// The array that it is a part of, if it is one of a file of its own.
    pub(crate) fn array(&self) -> Option<&'s Array<'s>> {
        match self.stored {
            Stored::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The array of a Zarr store that it is a part of, if it is one.
    pub(crate) fn zarr(&self) -> Option<&'s ZarrArray<'s>> {
        match self.stored {
            Stored::Zarr(array) => Some(array),
            _ => None,
        }
    }

    /// Returns whether it is all of the array.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns whether it has all axes of the array.
    pub(crate) fn keeps_axes(&self) -> bool {
        self.picks.iter().all(|pick| !pick.is_dropped)
    }

    /// The whole array, if its elements are stored with the first axis varying fastest.
    pub(crate) fn in_fortran_order(&self) -> Option<&'s Array<'s>> {
        self.array().filter(|array| self.is_whole && array.is_fortran_order())
    }

    /// All items, the last axis varying fastest.
    pub(crate) fn items(&self) -> Result<Box<dyn Items + '_>> {
        let whole: Vec<Range<usize>> = self.shape.iter().map(|&extent| 0..extent).collect();
        self.within(&whole)
    }

    /// The items of a box: a range of each axis.
    pub(crate) fn within(&self, ranges: &[Range<usize>]) -> Result<Box<dyn Items + '_>> {
        let mut ranges = ranges.iter();
        let slices = self.picks.iter().map(|pick| match pick.is_dropped {
            true => SliceInfoElem::Index(pick.start as isize),
            false => pick.slice(ranges.next().cloned().unwrap_or(0..0)),
        });
        self.stored.select(&slices.collect::<Vec<_>>())
    }

    /// The number of items along an axis that are stored together.
    pub(crate) fn together(&self, axis: usize) -> usize {
        let kept = self.picks.iter().enumerate().filter(|(_, pick)| !pick.is_dropped);
        match (self.stored, kept.map(|(stored, _)| stored).nth(axis)) {
            (Stored::Array(Array::B2nd(array)), Some(stored)) => array.chunk_shape()[stored].max(1),
            (Stored::Zarr(array), Some(stored)) => usize::try_from(array.described().chunk[stored]).unwrap_or(1),
            _ => 1,
        }
    }
}
