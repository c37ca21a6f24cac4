//! The elements of an array: viewed in place, or copied in native byte order.
//!
//! A view requires elements that are unencoded, in native byte order, and aligned. Otherwise, [`NoView`] states which condition is
//! not met, and the elements must be copied. Copies load a file in windows instead of mapping all of it, so the resident memory
//! stays close to the length of the result. The clock is checked between windows.

use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::bytes::memory::{self, AlignedBytes};
use crate::bytes::swap::{swap_copy, swap_in_place};
use crate::bytes::threads;
use crate::error::{Error, NoView, Result};
use crate::types::dtype::{Dtype, Element, ElementKind};
use bytemuck::PodCastError;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

/// If numbers must be swapped, the minimum number of bytes for which mapping a part of a file is worthwhile.
const PIECE: usize = 256 << 10;

/// The number of bytes of a file that are loaded between two checks of the time limit. Mapped bytes add to the resident memory that
/// the result needs.
const WINDOW: usize = 16 << 20;

/// Loads of at least this size are shared among the threads of the current rayon pool.
const PARALLEL: usize = 8 << 20;

/// Consecutive elements, in an input or already decoded.
#[derive(Debug)]
pub(crate) struct Elements<'a> {
    pub input: Input<'a>,
    pub dtype: Dtype,
    /// The number of elements.
    pub count: u64,
    pub stored: Stored,
}

/// Where the elements are.
#[derive(Debug)]
pub(crate) enum Stored {
    /// In the input, unencoded.
    Plain(Range<u64>),
    /// Decoded: the bytes that a file without encoding would contain. A bit becomes a byte.
    Decoded(AlignedBytes),
}

impl Elements<'_> {
    /// The decoded bytes of all elements, in the file's byte order.
    pub fn bytes(&self) -> Result<&[u8]> {
        match &self.stored {
            Stored::Plain(range) => self.input.range(range.clone()),
            Stored::Decoded(bytes) => self.input.budget().ensure_time().map(|()| bytes.as_slice()),
        }
    }

    /// Some of the decoded bytes, for a single pass. Bytes from a source are copied and not cached.
    pub fn seen(&self, bytes: Range<u64>) -> Result<Cow<'_, [u8]>> {
        match &self.stored {
            Stored::Plain(range) => {
                let place = range.start + bytes.start..range.start + bytes.end;
                self.input.seen(place, &Debit::new(self.input.budget()))
            }
            Stored::Decoded(_) => Ok(Cow::Borrowed(&self.bytes()?[bytes.start as usize..bytes.end as usize])),
        }
    }

    /// Returns whether the elements are requested from a source on demand.
    pub fn is_in_source(&self) -> bool {
        matches!(self.stored, Stored::Plain(_)) && self.input.is_source()
    }

    /// Announces elements that will be read soon. Returns how many of the ranges the source can prepare for, which is at least one.
    pub fn prepare(&self, ranges: impl Iterator<Item = Range<u64>>) -> Result<usize> {
        match &self.stored {
            Stored::Plain(place) => {
                self.input.prepare(ranges.map(|range| place.start + range.start..place.start + range.end))
            }
            Stored::Decoded(_) => Ok(usize::MAX),
        }
    }

    /// Copies ascending, widely separated byte ranges to a buffer of their total length.
    pub fn read_scattered(&self, ranges: &[Range<u64>], buffer: &mut [u8]) -> Result<()> {
        match &self.stored {
            Stored::Plain(place) => {
                let in_file = |range: &Range<u64>| place.start + range.start..place.start + range.end;
                self.input.read_scattered(&ranges.iter().map(in_file).collect::<Vec<_>>(), buffer)
            }
            Stored::Decoded(bytes) => {
                let mut rest = buffer;
                for range in ranges {
                    let (here, after) = rest.split_at_mut((range.end - range.start) as usize);
                    here.copy_from_slice(&bytes.as_slice()[range.start as usize..range.end as usize]);
                    rest = after;
                }
                Ok(())
            }
        }
    }

    /// Borrows the elements in place. Fails if they would have to be copied.
    pub fn view<T: Element>(&self) -> Result<&[T]> {
        self.demand(T::KIND)?;
        if self.dtype.is_swapped() {
            return Err(Error::NoView(NoView::ByteOrder));
        }
        self.records()
    }

    /// The elements as any plain type of their size, in the file's byte order.
    pub fn records<T: bytemuck::AnyBitPattern>(&self) -> Result<&[T]> {
        if size_of::<T>() as u64 != self.dtype.kind.size() {
            let requested = Dtype::new(ElementKind::Record(size_of::<T>() as u64), self.dtype.endian);
            return Err(Error::WrongType { requested, stored: self.dtype });
        }
        let bytes = self.bytes()?;
        if bytes.is_empty() {
            return Ok(&[]);
        }
        bytemuck::try_cast_slice(bytes).map_err(|error| match error {
            PodCastError::TargetAlignmentGreaterAndInputNotAligned => Error::NoView(NoView::Alignment),
            _ => Error::NoView(NoView::Encoded),
        })
    }

    /// Copies the elements to a vector, in native byte order.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.demand(T::KIND)?;
        let mut vector = self.vector(self.count)?;
        self.read_range(0..self.count, &mut vector)?;
        Ok(vector)
    }

    /// Copies all elements to a buffer, in native byte order.
    pub fn read_into<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        self.read_range(0..self.count, buffer)
    }

    /// Copies some of the elements to a vector, in native byte order.
    pub fn range_to_vec<T: Element>(&self, range: Range<u64>) -> Result<Vec<T>> {
        self.demand(T::KIND)?;
        let mut vector = self.vector(range.end - range.start)?;
        self.read_range(range, &mut vector)?;
        Ok(vector)
    }

    /// Copies some of the elements, in native byte order.
    fn read_range<T: Element>(&self, range: Range<u64>, buffer: &mut [T]) -> Result<()> {
        self.demand(T::KIND)?;
        let needed = range.end - range.start;
        if buffer.len() as u64 != needed {
            return Err(Error::BufferLength { needed, given: buffer.len() as u64 });
        }
        let size = self.dtype.kind.size();
        let width = if self.dtype.is_swapped() { self.dtype.kind.swapped() } else { 1 };
        self.copy_bytes(range.start * size, bytemuck::cast_slice_mut(buffer), width)
    }

    /// Boolean elements, from bytes or bits.
    pub fn to_bools(&self) -> Result<Vec<bool>> {
        if !matches!(self.dtype.kind, ElementKind::Bool | ElementKind::Bit) {
            return Err(self.wrong(ElementKind::Bool));
        }
        let (what, needed) = ("the array", self.count);
        // The result belongs to the caller: it must fit the budget, but does not stay charged.
        Debit::new(self.input.budget()).take(needed, what)?;
        let bytes = self.seen(0..self.byte_length())?;
        let mut bools = Vec::new();
        bools.try_reserve_exact(bytes.len()).map_err(|_| Error::Limit { what, needed, left: 0 })?;
        bools.extend(bytes.iter().map(|&byte| byte != 0));
        Ok(bools)
    }

    /// Fails unless the elements have this kind.
    fn demand(&self, kind: ElementKind) -> Result<()> {
        if kind == self.dtype.kind { Ok(()) } else { Err(self.wrong(kind)) }
    }

    /// The error if another type is requested.
    fn wrong(&self, kind: ElementKind) -> Error {
        Error::WrongType { requested: Dtype::new(kind, self.dtype.endian), stored: self.dtype }
    }

    /// A vector of zeros. The number of plain elements is limited by the length of the input. Decoded elements may be longer, but
    /// were charged to the budget when they were decoded. For a source, the budget is checked, because its length is only a claim.
    fn vector<T: Element>(&self, length: u64) -> Result<Vec<T>> {
        let needed = length.saturating_mul(size_of::<T>() as u64);
        if self.input.is_source() {
            // The result belongs to the caller: it must fit the budget, but does not stay charged.
            Debit::new(self.input.budget()).take(needed, "the array")?;
        }
        let vector = usize::try_from(length).ok().and_then(memory::zeros);
        vector.ok_or(Error::Limit { what: "the array", needed, left: 0 })
    }

    /// The decoded length of all elements in bytes.
    pub fn byte_length(&self) -> u64 {
        match &self.stored {
            Stored::Plain(range) => range.end - range.start,
            Stored::Decoded(bytes) => bytes.as_slice().len() as u64,
        }
    }

    /// Copies bytes of the elements, swapping them in units of `width` bytes.
    pub fn copy_bytes(&self, start: u64, buffer: &mut [u8], width: u64) -> Result<()> {
        let threads = if buffer.len() < PARALLEL { 1 } else { threads::number() };
        if threads == 1 {
            return self.copy_pieces(start, buffer, width);
        }
        let share = buffer.len().div_ceil(threads).next_multiple_of(PIECE);
        buffer
            .par_chunks_mut(share)
            .enumerate()
            .try_for_each(|(place, chunk)| self.copy_pieces(start + (place * share) as u64, chunk, width))
    }

    /// Copies bytes in windows. The clock is checked before each window, because a slow source may take seconds per window.
    fn copy_pieces(&self, start: u64, buffer: &mut [u8], width: u64) -> Result<()> {
        let mut at = start;
        for part in buffer.chunks_mut(WINDOW) {
            self.input.budget().ensure_time()?;
            let end = at + part.len() as u64;
            match &self.stored {
                Stored::Decoded(bytes) => swap_copy(&bytes.as_slice()[at as usize..end as usize], part, width),
                Stored::Plain(range) => self.copy_part(range.start + at..range.start + end, part, width)?,
            }
            at = end;
        }
        Ok(())
    }

    /// Copies bytes of the input. The system reads those of a file directly into the target, as other readers do. If many bytes
    /// must be swapped, they are mapped instead, so each byte is touched only once.
    fn copy_part(&self, range: Range<u64>, part: &mut [u8], width: u64) -> Result<()> {
        if self.input.is_at_hand() {
            swap_copy(self.input.range(range)?, part, width);
        } else if width > 1
            && part.len() >= PIECE
            && let Some(window) = self.input.window(range.clone())
        {
            swap_copy(&window, part, width);
        } else {
            self.input.read_at(part, range.start)?;
            swap_in_place(part, width);
        }
        Ok(())
    }
}
