//! The stored bytes of chunks, which are in the frame's file or in a separate file per chunk.

use super::blocks::make_room;
use super::header::{Chunk, Expected, LARGEST_DICTIONARY, LONGEST_HEADER, header_nodes};
use super::judge::judge_chunk;
use crate::blosc2::rules;
use crate::bytes::input::Input;
use crate::bytes::limits::Budget;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::findings::words::bytes;
use everybyte::map::Nodes;
use ndbytes_codecs::lz::SLACK;
use std::ops::Range;

/// The number of bytes that are read at once to check a chunk.
const FIRST: u64 = 4 << 10;

/// A stored chunk.
pub struct StoredChunk<'a> {
    bytes: Bytes<'a>,
    /// The first byte of the chunk.
    pub base: u64,
    /// The maximum number of bytes of the chunk.
    pub room: u64,
    /// The first bytes, read to check the header; empty if the chunk is in memory.
    first: Vec<u8>,
}

/// The bytes of a chunk.
enum Bytes<'a> {
    /// A part of the frame's file.
    Frame(&'a Input<'a>),
    /// A separate file.
    File(Box<Input<'static>>),
}

impl<'a> StoredChunk<'a> {
    /// A chunk inside a file.
    pub fn within(input: &'a Input<'a>, place: Range<u64>) -> Self {
        StoredChunk { bytes: Bytes::Frame(input), base: place.start, room: place.end - place.start, first: Vec::new() }
    }

    /// A chunk in a separate file.
    pub fn alone(input: Input<'static>) -> Self {
        let room = input.length();
        StoredChunk { bytes: Bytes::File(Box::new(input)), base: 0, room, first: Vec::new() }
    }

    /// The input that contains the chunk.
    pub fn input(&self) -> &Input<'_> {
        match &self.bytes {
            Bytes::Frame(input) => input,
            Bytes::File(input) => input,
        }
    }

    /// Reads and checks the chunk's header. Findings have offsets in the file.
    pub fn chunk(
        &mut self,
        expected: Expected,
        number: u64,
        space: u32,
        findings: &mut Findings,
    ) -> Result<Option<Chunk>> {
        // Bytes that are available without a system call need not be copied in advance.
        let length = self.room.min(if self.input().is_at_hand() { LONGEST_HEADER } else { FIRST });
        let mut found = Findings::default();
        let chunk = if self.input().is_in_memory() {
            let head = self.input().range(self.base..self.base + length)?;
            judge_chunk(head, self.room, expected, &mut found)
        } else {
            let mut first = vec![0; length as usize];
            self.input().read_at(&mut first, self.base)?;
            self.first = first;
            judge_chunk(&self.first, self.room, expected, &mut found)
        };
        for finding in found.into_vec() {
            // C-Blosc2 reads the missing bytes of a chunk's file from uninitialised memory.
            let is_cut = matches!(self.bytes, Bytes::File(_)) && finding.rule == &rules::CHUNK_STORED_LENGTH;
            let is_read = is_cut || finding.rule == &rules::STORED_WITH_DICTIONARY && self.passes(chunk.as_ref())?;
            let reference = if is_read { Reference::Accepts } else { finding.reference };
            findings.push(self.placed(finding, number, space).with_reference(reference));
        }
        if let (Some(chunk), Bytes::File(_)) = (&chunk, &self.bytes)
            && chunk.cbytes != self.room
        {
            let message = format!("the file has {} after the chunk", bytes(self.room - chunk.cbytes));
            let finding = Finding::new(&rules::CHUNK_FILE, "cbytes", 0..0, message);
            let finding = finding.placed_by(&self.header()?).with_reference(Reference::Accepts);
            findings.push(self.placed(finding, number, space));
        }
        Ok(chunk)
    }

    /// The fields of the header, with offsets relative to the chunk's first byte.
    pub fn header(&self) -> Result<Nodes> {
        let mut head = [0; LONGEST_HEADER as usize];
        let head = &mut head[..self.room.min(LONGEST_HEADER) as usize];
        self.input().read_at(head, self.base)?;
        Ok(header_nodes(head))
    }

    /// Returns whether the bytes that C-Blosc2 reads as the dictionary of a chunk without streams could be a dictionary. C-Blosc2
    /// expects its length directly after the header.
    fn passes(&self, chunk: Option<&Chunk>) -> Result<bool> {
        let Some(chunk) = chunk else { return Ok(false) };
        let mut length = [0; size_of::<i32>()];
        let end = chunk.header_length + length.len() as u64;
        if end > chunk.cbytes {
            return Ok(false);
        }
        self.input().read_at(&mut length, self.base + chunk.header_length)?;
        let length = u64::try_from(i32::from_le_bytes(length)).unwrap_or(0);
        Ok((1..=LARGEST_DICTIONARY).contains(&length) && length <= chunk.cbytes - end)
    }

    /// Converts the offsets in a finding from the chunk to the file.
    pub fn placed(&self, finding: Finding, number: u64, space: u32) -> Finding {
        finding.within(&format!("chunks[{number}]")).shifted(self.base).in_space(space)
    }

    /// Bytes of the chunk, with some of the bytes after them if there are any. They are copied to the buffer unless they are in
    /// memory. Bytes of a mapped file are also copied, because another process could change them after they are checked.
    pub fn fetch<'s>(&'s self, range: Range<u64>, buffer: &'s mut Vec<u8>, budget: &Budget) -> Result<&'s [u8]> {
        if self.input().is_in_memory() {
            return self.input().range(self.with_slack(&range));
        }
        if range.end <= self.first.len() as u64 {
            return Ok(&self.first[range.start as usize..]);
        }
        self.load(range, buffer, budget)?;
        Ok(buffer)
    }

    /// Like `fetch`, but does not copy from a mapped file: see `Chunk::reads_once`.
    pub fn lend<'s>(&'s self, range: Range<u64>, buffer: &'s mut Vec<u8>, budget: &Budget) -> Result<&'s [u8]> {
        match self.input().is_at_hand() {
            true => self.input().range(self.with_slack(&range)),
            false => self.fetch(range, buffer, budget),
        }
    }

    /// Converts a range of the chunk to a range of the file, including some of the bytes after it if there are any.
    fn with_slack(&self, range: &Range<u64>) -> Range<u64> {
        self.base + range.start..self.base + (range.end + SLACK as u64).min(self.room)
    }

    /// Copies bytes of the chunk to a buffer, with some of the bytes after them if there are any.
    pub fn load(&self, range: Range<u64>, buffer: &mut Vec<u8>, budget: &Budget) -> Result<()> {
        let place = self.with_slack(&range);
        make_room(buffer, (place.end - place.start) as usize, budget)?;
        self.input().read_at(buffer, place.start)
    }

    /// Returns whether fetching bytes needs no system call.
    pub fn is_at_hand(&self, chunk: &Chunk) -> bool {
        self.input().is_at_hand() || chunk.cbytes <= self.first.len() as u64
    }
}
