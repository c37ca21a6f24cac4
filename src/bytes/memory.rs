//! Maps files and allocates large buffers and aligned bytes. This is the only module with `unsafe`.
//!
//! Buffers whose length depends on a file are allocated here. A failure is reported as [`Error::Limit`], whereas `Vec` would abort
//! the process. Usually, the budget refuses an allocation long before that, unless its limit exceeds the memory of the machine.

use crate::error::{Error, Result};
use bytemuck::Pod;
#[cfg(not(target_family = "wasm"))]
use memmap2::MmapOptions;
use std::fs::File;
use std::marker::PhantomData;
use std::{fmt, io};

#[cfg(test)]
mod tests;

/// The minimum size of a buffer for which huge pages pay off.
#[cfg(all(target_os = "linux", not(miri)))]
const LARGE: usize = 4 << 20;

/// A mapped file, or a mapped part of one.
#[cfg(not(target_family = "wasm"))]
pub use memmap2::Mmap as Mapped;

/// A file, or a part of one, that is read because this system does not map it.
#[cfg(target_family = "wasm")]
pub struct Mapped(AlignedBytes);

#[cfg(target_family = "wasm")]
impl std::ops::Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.as_slice()
    }
}

/// Maps a file into memory, for reading.
///
/// Another process may write to the file in the meantime, so two reads may see different bytes. A mapping is therefore only copied,
/// converted number by number, or lent as numbers for which every bit pattern is valid. Text, decoders and decisions never depend
/// on a mapping.
///
/// Accessing pages that another process has truncated kills this process: see "Mapped files" in `SECURITY.md`.
#[cfg(not(target_family = "wasm"))]
#[allow(unsafe_code)]
pub fn map(file: &File) -> io::Result<Mapped> {
    // SAFETY: the mapping is read-only, and `Mmap` keeps it alive. Its bytes must stay the same while they are borrowed, which no
    // program can guarantee for a file that others may write to. The remaining risk is described above and in the documentation of
    // the crate: a change yields different numbers, but breaks no invariant.
    unsafe { Mapped::map(file) }
}

/// Maps a part of a file for reading, like [`map`].
#[cfg(not(target_family = "wasm"))]
#[allow(unsafe_code)]
pub fn map_window(file: &File, offset: u64, length: usize) -> io::Result<Mapped> {
    // SAFETY: as for `map`.
    unsafe { MmapOptions::new().offset(offset).len(length).map(file) }
}

/// Reads a file.
#[cfg(target_family = "wasm")]
pub fn map(file: &File) -> io::Result<Mapped> {
    let length = usize::try_from(file.metadata()?.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
    map_window(file, 0, length)
}

/// Reads a part of a file.
#[cfg(target_family = "wasm")]
pub fn map_window(mut file: &File, offset: u64, length: usize) -> io::Result<Mapped> {
    use std::io::{Read, Seek, SeekFrom};
    let mut bytes = AlignedBytes::zeros(length).ok_or(io::ErrorKind::OutOfMemory)?;
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes.as_mut_slice())?;
    Ok(Mapped(bytes))
}

/// Allocates a vector of zeros; `None` if the machine does not have enough memory.
pub fn zeros<T: Pod>(length: usize) -> Option<Vec<T>> {
    let mut vector = bytemuck::allocation::try_zeroed_vec(length).ok()?;
    advise_huge_pages(bytemuck::cast_slice_mut(&mut vector));
    Some(vector)
}

/// Sets the length of a vector, with arbitrary content. Returns false if the machine does not have enough memory.
#[allow(clippy::disallowed_methods, reason = "the vector has the capacity")]
pub fn set_length<T: Pod>(vector: &mut Vec<T>, length: usize) -> bool {
    if length > vector.capacity() {
        match zeros(length) {
            Some(longer) => *vector = longer,
            None => return false,
        }
    }
    vector.resize(length, T::zeroed());
    true
}

/// An empty vector with room for `length` elements, or without room if the machine does not have enough memory.
pub fn with_room<T: Pod>(length: usize) -> Vec<T> {
    let mut vector = zeros(length).unwrap_or_default();
    vector.clear();
    vector
}

/// Requests huge pages for a large buffer that has not been touched yet, because page faults, not copying, dominate large loads.
#[cfg(all(target_os = "linux", not(miri)))]
#[allow(unsafe_code)]
fn advise_huge_pages(buffer: &mut [u8]) {
    const PAGE: usize = 2 << 20;
    if buffer.len() < LARGE {
        return;
    }
    let skipped = buffer.as_ptr().align_offset(PAGE);
    let Some(aligned) = buffer.get_mut(skipped..) else { return };
    let whole = aligned.len() / PAGE * PAGE;
    // SAFETY: the range lies inside a live, exclusively borrowed buffer, and MADV_HUGEPAGE changes no content. A failure, such as
    // lack of support, is harmless.
    unsafe { libc::madvise(aligned.as_mut_ptr().cast(), whole, libc::MADV_HUGEPAGE) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise_huge_pages(_: &mut [u8]) {}

/// The minimum number of bytes of a result that does not stay in the caches.
pub const PAST_CACHES: usize = 16 << 20;

/// Copies bytes with non-temporal stores. It is only valid on the thread of [`streaming`].
pub struct Streaming(PhantomData<*const ()>);

/// Runs a function that copies bytes past the caches. Even if it panics, all threads see the copied bytes afterwards. The fence
/// comes before the bytes can be passed on, because the function borrows them exclusively.
pub fn streaming<R>(work: impl FnOnce(&Streaming) -> R) -> R {
    struct Fence;
    impl Drop for Fence {
        fn drop(&mut self) {
            fence();
        }
    }
    let _fence = Fence;
    work(&Streaming(PhantomData))
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[allow(unsafe_code)]
fn fence() {
    // SAFETY: SSE is part of every x86-64.
    unsafe { std::arch::x86_64::_mm_sfence() };
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn fence() {}

impl Streaming {
    /// Copies more bytes than fit in the caches, without reading the target lines first.
    ///
    /// # Panics
    /// Panics if the lengths differ.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[allow(unsafe_code)]
    pub fn copy(&self, from: &[u8], to: &mut [u8]) {
        use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
        assert_eq!(from.len(), to.len(), "a copy is as long as its original");
        let skipped = to.as_ptr().align_offset(16).min(to.len());
        let (head, to) = to.split_at_mut(skipped);
        let (from_head, from) = from.split_at(skipped);
        head.copy_from_slice(from_head);
        let (from, from_tail) = from.as_chunks::<16>();
        let (to, tail) = to.as_chunks_mut::<16>();
        for (from, to) in from.iter().zip(to) {
            // SAFETY: both chunks are 16 bytes long; the target's begins at a multiple of 16 and is borrowed
            // exclusively; SSE2 is part of every x86-64. `streaming` ends with the fence that such stores need.
            unsafe { _mm_stream_si128(to.as_mut_ptr().cast::<__m128i>(), _mm_loadu_si128(from.as_ptr().cast())) };
        }
        tail.copy_from_slice(from_tail);
    }

    /// Copies bytes normally, because other processors do not have such instructions.
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    pub fn copy(&self, from: &[u8], to: &mut [u8]) {
        to.copy_from_slice(from);
    }
}

/// Bytes with the alignment of `u128`, so that elements of every type can be viewed in place: 16 on most machines, and 8 on s390x.
#[derive(Default)]
pub struct AlignedBytes {
    words: Vec<u128>,
    length: usize,
}

impl fmt::Debug for AlignedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.length)
    }
}

impl AlignedBytes {
    const WORD: usize = size_of::<u128>();

    /// Zeros; `None` if the machine does not have enough memory.
    pub fn zeros(length: usize) -> Option<Self> {
        Some(AlignedBytes { words: zeros(length.div_ceil(Self::WORD))?, length })
    }

    /// A copy of a few bytes.
    ///
    /// # Errors
    /// [`Error::Limit`] if the machine does not have enough memory.
    pub fn copy_of(bytes: &[u8]) -> Result<Self> {
        let needed = bytes.len() as u64;
        let mut copy = Self::zeros(bytes.len()).ok_or(Error::Limit { what: "a copy", needed, left: 0 })?;
        copy.as_mut_slice().copy_from_slice(bytes);
        Ok(copy)
    }

    /// Shrinks to `length` bytes, if there are more.
    pub fn shorten(&mut self, length: usize) {
        self.length = self.length.min(length);
        self.words.truncate(self.length.div_ceil(Self::WORD));
    }

    /// Shrinks, or grows with zeros. Returns false and changes nothing if the machine does not have enough memory.
    #[allow(clippy::disallowed_methods, reason = "the memory was taken by `try_reserve`")]
    #[must_use]
    pub fn resize(&mut self, length: usize) -> bool {
        let words = length.div_ceil(Self::WORD);
        if self.words.try_reserve(words.saturating_sub(self.words.len())).is_err() {
            return false;
        }
        self.words.resize(words, 0);
        self.length = length;
        true
    }

    /// The number of bytes that fit without allocating.
    pub fn capacity(&self) -> u64 {
        (self.words.capacity() * Self::WORD) as u64
    }

    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.length]
    }

    /// The bytes, for writing.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[..self.length]
    }
}
