//! Several arrays, joined along their first axis.

use super::items::swap;
use super::part::ArraySource;
use crate::error::{Error, Result};
use crate::options::{Options, Progress};
use ndbytes::everybyte::Endian;
use ndbytes::{Dtype, ItemType, Items, Limits};
use std::ops::Range;

/// The axis order in which items are requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The last axis varies fastest.
    C,
    /// The first axis varies fastest.
    Fortran,
}

/// One array, or several that are joined along their first axis.
pub struct View<'v> {
    pub(super) parts: &'v [&'v ArraySource<'v>],
    pub(super) item_type: ItemType,
    pub(super) shape: Vec<usize>,
    pub(super) limits: Limits,
    pub(super) progress: &'v Progress<'v>,
    /// The index of the first part among all sources.
    pub(super) first: usize,
}

impl<'v> View<'v> {
    /// Joins arrays along the first axis. All other axes and the item types must be equal.
    pub fn new(parts: &'v [&'v ArraySource<'v>], first_place: usize, options: &Options<'v>) -> Result<Self> {
        let first = parts.first().ok_or(ndbytes::Error::OutOfRange { index: 0, length: 0 })?;
        let mut shape = first.shape().to_vec();
        for part in &parts[1..] {
            let unlike = |what| Error::Unlike { name: part.name().to_owned(), first: first.name().to_owned(), what };
            if !is_alike(first.item_type(), part.item_type()) {
                return Err(unlike(format!("items of {}, not {}", part.item_type(), first.item_type())));
            }
            let (Some((rows, inner)), Some((more, other))) = (shape.split_first_mut(), part.shape().split_first())
            else {
                return Err(unlike("no axes, or follows an array without axes".into()));
            };
            if inner != other {
                return Err(unlike(format!(
                    "the shape {:?}, not {:?} apart from the first axis",
                    part.shape(),
                    first.shape()
                )));
            }
            let all = rows.checked_add(*more).ok_or_else(|| unlike("too many rows".into()))?;
            *rows = all;
        }
        let item_type = first.item_type().clone();
        Ok(View { parts, item_type, shape, limits: options.limits, progress: options.progress, first: first_place })
    }

    /// Returns the only part, if there is just one.
    pub fn only(&self) -> Option<&'v ArraySource<'v>> {
        match self.parts {
            [part] => Some(part),
            _ => None,
        }
    }

    /// The length of each axis.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The type of the items.
    pub fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    /// The name of the first part.
    pub fn name(&self) -> &str {
        self.parts[0].name()
    }

    /// The length of all items in bytes.
    pub fn length(&self) -> u64 {
        self.parts.iter().map(|part| part.length()).fold(0, u64::saturating_add)
    }

    /// Returns the order that is cheapest to read.
    pub fn stored_order(&self) -> Order {
        let is_fortran = self.only().is_some_and(|part| part.in_fortran_order().is_some());
        if is_fortran { Order::Fortran } else { Order::C }
    }

    /// Copies the items of a box, a range of each axis, with the last axis varying fastest.
    pub fn read_box(&self, ranges: &[Range<usize>], buffer: &mut [u8]) -> ndbytes::Result<()> {
        let size = self.item_type.stride() as usize;
        let Some((rows, inner)) = ranges.split_first() else {
            return copy(&mut *self.parts[0].within(&[])?, buffer, &|bytes| (self.progress)(self.first, bytes));
        };
        let row = inner.iter().fold(size, |row, range| row * range.len());
        let (mut rest, mut before) = (buffer, 0);
        for (place, part) in self.parts.iter().enumerate() {
            let extent = part.shape()[0];
            let here =
                rows.start.clamp(before, before + extent) - before..rows.end.clamp(before, before + extent) - before;
            before += extent;
            if here.is_empty() {
                continue;
            }
            let (filled, left) = rest.split_at_mut(here.len() * row);
            rest = left;
            let ranges: Vec<Range<usize>> = [here].into_iter().chain(inner.iter().cloned()).collect();
            copy(&mut *part.within(&ranges)?, filled, &|bytes| (self.progress)(self.first + place, bytes))?;
            swap(filled, part.item_type(), &self.item_type);
        }
        Ok(())
    }

    /// Returns how many items along an axis are decoded together.
    pub fn together(&self, axis: usize) -> usize {
        self.parts.iter().map(|part| part.together(axis)).max().unwrap_or(1)
    }
}

/// Returns whether item types differ at most in byte order.
pub fn is_alike(one: &ItemType, other: &ItemType) -> bool {
    let plain = |item_type: &ItemType| match item_type {
        ItemType::Plain(dtype) => ItemType::Plain(Dtype::new(dtype.kind, Endian::Little)),
        other => other.clone(),
    };
    plain(one) == plain(other)
}

/// Copies all items into a buffer of their total size.
fn copy(items: &mut dyn Items, buffer: &mut [u8], progress: &dyn Fn(u64)) -> ndbytes::Result<()> {
    let size = items.item_type().stride().max(1) as usize;
    progress(0);
    let (piece, mut start) = (usize::try_from(items.piece()).unwrap_or(usize::MAX), 0);
    for part in buffer.chunks_mut(piece.saturating_mul(size)) {
        let count = (part.len() / size) as u64;
        part.copy_from_slice(items.read(start, count)?);
        progress(part.len() as u64);
        start += count;
    }
    Ok(())
}
