//! Memory: mapping files, large buffers, aligned bytes. The only module with `unsafe`.

use bytemuck::Pod;
use memmap2::{Mmap, MmapOptions};
use std::fmt;
use std::fs::File;
use std::io;

/// Buffers from this size on are worth huge pages.
const LARGE: usize = 4 << 20;

/// Maps a file into memory, for reading.
///
/// A mapped file that another process truncates kills the process that looks at the lost pages: that is a property of
/// mappings. Whoever shares files with hostile writers reads them into memory instead.
#[allow(unsafe_code)]
pub fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is private and read-only, and `Mmap` keeps it alive. That nobody changes the file meanwhile
    // cannot be proven by any program; the bytes are only ever read as plain data, without invariants that a change
    // could break.
    unsafe { Mmap::map(file) }
}

/// Maps a part of a file, for reading; as [`map`].
#[allow(unsafe_code)]
pub fn map_window(file: &File, offset: u64, length: usize) -> io::Result<Mmap> {
    // SAFETY: as for `map`.
    unsafe { MmapOptions::new().offset(offset).len(length).map(file) }
}

/// A new vector of zeros, or nothing if the machine has not that much memory.
pub fn zeros<T: Pod>(length: usize) -> Option<Vec<T>> {
    let mut vector = bytemuck::allocation::try_zeroed_vec(length).ok()?;
    advise_huge_pages(bytemuck::cast_slice_mut(&mut vector));
    Some(vector)
}

/// Makes a vector as long as asked for, whatever is in it; false if the machine has not that much memory.
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

/// An empty vector with room for so many elements, or for none if the machine has not that much memory.
pub fn with_room<T: Pod>(length: usize) -> Vec<T> {
    let mut vector = zeros(length).unwrap_or_default();
    vector.clear();
    vector
}

/// Asks for huge pages under a large buffer that was not touched yet: page faults, not copying, dominate large loads.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advise_huge_pages(buffer: &mut [u8]) {
    const PAGE: usize = 2 << 20;
    if buffer.len() < LARGE {
        return;
    }
    let skipped = buffer.as_ptr().align_offset(PAGE);
    let Some(aligned) = buffer.get_mut(skipped..) else { return };
    let whole = aligned.len() / PAGE * PAGE;
    // SAFETY: the range lies inside a live, exclusively borrowed buffer, and MADV_HUGEPAGE changes no content. That
    // it may fail (not supported) is of no consequence.
    unsafe { libc::madvise(aligned.as_mut_ptr().cast(), whole, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: &mut [u8]) {}

/// Copies bytes past the caches, for what is larger than these: the lines that are written are not read first. Whoever
/// hands the bytes on to another thread calls [`end_streaming`] before.
///
/// # Panics
/// If the lengths differ.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub fn stream_copy(from: &[u8], to: &mut [u8]) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    assert_eq!(from.len(), to.len(), "a copy is as long as what it is of");
    let skipped = to.as_ptr().align_offset(16).min(to.len());
    let (head, to) = to.split_at_mut(skipped);
    let (from_head, from) = from.split_at(skipped);
    head.copy_from_slice(from_head);
    let (from, from_tail) = from.as_chunks::<16>();
    let (to, tail) = to.as_chunks_mut::<16>();
    for (from, to) in from.iter().zip(to) {
        // SAFETY: both chunks are 16 bytes long, that of the target begins at a multiple of 16 and is borrowed
        // exclusively; SSE2 is part of every x86-64.
        unsafe { _mm_stream_si128(to.as_mut_ptr().cast::<__m128i>(), _mm_loadu_si128(from.as_ptr().cast())) };
    }
    tail.copy_from_slice(from_tail);
}

/// Makes what [`stream_copy`] wrote visible to other threads.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub fn end_streaming() {
    // SAFETY: SSE is part of every x86-64.
    unsafe { std::arch::x86_64::_mm_sfence() };
}

#[cfg(not(target_arch = "x86_64"))]
pub fn stream_copy(from: &[u8], to: &mut [u8]) {
    to.copy_from_slice(from);
}

#[cfg(not(target_arch = "x86_64"))]
pub fn end_streaming() {}

/// Bytes that begin at a multiple of 16, so that elements of every type can be viewed in place.
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

impl From<&[u8]> for AlignedBytes {
    fn from(bytes: &[u8]) -> Self {
        let mut copy = AlignedBytes::default();
        copy.resize(bytes.len());
        copy.as_mut_slice().copy_from_slice(bytes);
        copy
    }
}

impl AlignedBytes {
    const WORD: usize = size_of::<u128>();

    /// Zeros, or nothing if the machine has not that much memory.
    pub fn zeros(length: usize) -> Option<Self> {
        Some(AlignedBytes { words: zeros(length.div_ceil(Self::WORD))?, length })
    }

    /// Grows with zeros or shrinks; false, and unchanged, if the machine has not that much memory.
    #[allow(clippy::disallowed_methods, reason = "the memory was taken by `try_reserve`")]
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
