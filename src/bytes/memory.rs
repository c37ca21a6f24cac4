//! Memory: mapping files, large buffers, aligned bytes. The only module with `unsafe`.

use crate::error::{Error, Result};
use bytemuck::Pod;
#[cfg(not(target_family = "wasm"))]
use memmap2::MmapOptions;
use std::fs::File;
use std::marker::PhantomData;
use std::{fmt, io};

#[cfg(test)]
mod tests;

/// Buffers from this size on are worth huge pages.
#[cfg(all(target_os = "linux", not(miri)))]
const LARGE: usize = 4 << 20;

/// A file, or a part of one, that was mapped.
#[cfg(not(target_family = "wasm"))]
pub use memmap2::Mmap as Mapped;

/// A file, or a part of one: nothing is mapped here, it is read.
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
/// Another process may write into the file meanwhile: a second read may see other bytes than the first. So a mapping is
/// only ever copied, converted number by number, or lent as numbers for which every bit pattern is valid. No text, no
/// decoder and no judgement rests on it.
///
/// An access to pages that another process truncated kills this process: see "Mapped files" in `SECURITY.md`.
#[cfg(not(target_family = "wasm"))]
#[allow(unsafe_code)]
pub fn map(file: &File) -> io::Result<Mapped> {
    // SAFETY: the mapping is read-only, and `Mmap` keeps it alive. Its bytes have to stay the same while they are
    // borrowed, which no program can prove for a file that others may write to. The risk that remains is stated above
    // and in the documentation of the crate: a change gives other numbers, it breaks no invariant.
    unsafe { Mapped::map(file) }
}

/// Maps a part of a file, for reading; as [`map`].
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

/// A new vector of zeros, or `None` if the machine does not have that much memory.
pub fn zeros<T: Pod>(length: usize) -> Option<Vec<T>> {
    let mut vector = bytemuck::allocation::try_zeroed_vec(length).ok()?;
    advise_huge_pages(bytemuck::cast_slice_mut(&mut vector));
    Some(vector)
}

/// Gives a vector this length, with any content. Returns false if the machine does not have that much memory.
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

/// An empty vector with room for `length` elements, or without room if the machine does not have that much memory.
pub fn with_room<T: Pod>(length: usize) -> Vec<T> {
    let mut vector = zeros(length).unwrap_or_default();
    vector.clear();
    vector
}

/// Asks for huge pages under a large buffer that was not touched yet: page faults, not copying, dominate large loads.
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
    // SAFETY: the range lies inside a live, exclusively borrowed buffer, and MADV_HUGEPAGE changes no content. A
    // failure (not supported) is harmless.
    unsafe { libc::madvise(aligned.as_mut_ptr().cast(), whole, libc::MADV_HUGEPAGE) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise_huge_pages(_: &mut [u8]) {}

/// The number of bytes from which on the result of a read does not stay in the caches.
pub const PAST_CACHES: usize = 16 << 20;

/// Copies bytes past the caches, on the thread of [`streaming`] alone.
pub struct Streaming(PhantomData<*const ()>);

/// Runs work that copies bytes past the caches. However the work ends, all threads see the copied bytes. The fence
/// comes before the bytes can be handed on, as the work has borrowed them exclusively.
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
    /// Copies bytes, more than the caches hold: the lines that are written are not read first.
    ///
    /// # Panics
    /// If the lengths differ.
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
            // SAFETY: both chunks are 16 bytes long, that of the target begins at a multiple of 16 and is borrowed
            // exclusively; SSE2 is part of every x86-64. `streaming` ends with the fence that such stores need.
            unsafe { _mm_stream_si128(to.as_mut_ptr().cast::<__m128i>(), _mm_loadu_si128(from.as_ptr().cast())) };
        }
        tail.copy_from_slice(from_tail);
    }

    /// Copies bytes; other processors have no such instructions.
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    pub fn copy(&self, from: &[u8], to: &mut [u8]) {
        to.copy_from_slice(from);
    }
}

/// Bytes with the alignment of `u128`, so that elements of every type can be viewed in place: 16 on most machines, 8 on s390x.
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

    /// Zeros, or `None` if the machine does not have that much memory.
    pub fn zeros(length: usize) -> Option<Self> {
        Some(AlignedBytes { words: zeros(length.div_ceil(Self::WORD))?, length })
    }

    /// A copy of a few bytes.
    ///
    /// # Errors
    /// [`Error::Limit`] if the machine does not have that much memory.
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

    /// Grows with zeros, or shrinks. Returns false, unchanged, if the machine does not have that much memory.
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

    /// The bytes that it has room for without more memory.
    pub fn capacity(&self) -> u64 {
        (self.words.capacity() * Self::WORD) as u64
    }

    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.length]
    }

    /// The bytes, to be written.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[..self.length]
    }
}
