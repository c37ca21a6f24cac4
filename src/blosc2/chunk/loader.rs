//! Loads and decodes the blocks of one chunk after another.
//!
//! A reader calls [`Loader::enter`] once per chunk, and then [`Loader::block`] for each block that it needs, in any order. Entering
//! reads the table of blocks, the dictionary and, if the delta filter was used, the first block, because every other block is
//! stored as the difference from it. All buffers stay with the loader, so a loop over chunks allocates memory only when a chunk is
//! larger than all previous ones.
//!
//! Results are nested. The inner error is a [`Finding`] about this chunk, which a check reports before it continues with the next
//! chunk. The outer error, such as a limit or a system error, ends the work. Buffers are charged to the budget while they grow and
//! stay charged: [`Loader::held`] returns the amount to be credited, and a [`ChargedLoader`] credits it on drop.

use super::blocks::{Decoded, Outcome, Scratch, StoredBlock, Streams, fill, make_room};
use super::header::{Blocks, Chunk, Content, read_blocks};
use super::stored::StoredChunk;
use crate::blosc2::rules;
use crate::bytes::limits::Budget;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::words::bytes;
use std::ops::{Deref, DerefMut, Range};

/// Chunks up to this size are loaded completely if half of their blocks are needed.
const LARGEST_WHOLE: u64 = 2 << 20;

/// Memory for processing chunks one after another.
#[derive(Default)]
pub struct Loader {
    scratch: Scratch,
    blocks: Blocks,
    /// The stored bytes of the table of blocks and of the blocks.
    table: Vec<u8>,
    source: Source,
    dictionary: Vec<u8>,
    /// The decoded first block, if the others need it.
    reference: Vec<u8>,
}

/// The stored bytes of a block or, if it was loaded completely, of the chunk.
#[derive(Default)]
struct Source {
    bytes: Vec<u8>,
    is_whole: bool,
}

impl Source {
    /// The bytes of a block, possibly followed by others.
    fn block<'s>(
        &'s mut self,
        stored: &'s StoredChunk<'_>,
        place: &Range<u32>,
        reads_once: bool,
        budget: &Budget,
    ) -> Result<&'s [u8]> {
        let range = place.start.into()..place.end.into();
        match (self.is_whole, reads_once) {
            (true, _) => Ok(&self.bytes[place.start as usize..]),
            (false, true) => stored.lend(range, &mut self.bytes, budget),
            (false, false) => stored.fetch(range, &mut self.bytes, budget),
        }
    }
}

impl Loader {
    /// The memory that the loader occupies, in bytes.
    pub fn held(&self) -> u64 {
        let buffers = [&self.table, &self.source.bytes, &self.dictionary, &self.reference];
        self.scratch.held() + buffers.iter().map(|buffer| buffer.capacity() as u64).sum::<u64>()
    }

    /// Moves on to a chunk. `needed` is the number of its blocks that will be requested.
    ///
    /// # Errors
    /// Inner error: the finding about the chunk, with offsets relative to its first byte. Outer error:
    /// [`Error::Io`](crate::error::Error::Io); [`Error::Limit`](crate::error::Error::Limit).
    pub fn enter(
        &mut self,
        chunk: &Chunk,
        stored: &StoredChunk<'_>,
        needed: u64,
        budget: &Budget,
    ) -> Result<Result<(), Box<Finding>>> {
        match self.enter_table(chunk, stored, needed, budget)? {
            Ok(()) => self.enter_reference(chunk, stored, budget),
            finding => Ok(finding),
        }
    }

    /// Reads the positions of a chunk's blocks.
    fn enter_table(
        &mut self,
        chunk: &Chunk,
        stored: &StoredChunk<'_>,
        needed: u64,
        budget: &Budget,
    ) -> Result<Result<(), Box<Finding>>> {
        let is_worth_it = chunk.cbytes <= LARGEST_WHOLE && needed * 2 >= chunk.block_count();
        self.source.is_whole = is_worth_it && !stored.is_at_hand(chunk);
        if self.source.is_whole {
            stored.load(0..chunk.cbytes, &mut self.source.bytes, budget)?;
        }
        self.reference.clear();
        if chunk.content == Content::Stored {
            return Ok(Ok(()));
        }
        let table = match self.source.is_whole {
            true => &self.source.bytes[..],
            false => stored.fetch(0..chunk.table_length(), &mut self.table, budget)?,
        };
        if let Err(finding) = read_blocks(chunk, table, &mut self.blocks) {
            return Ok(Err(finding));
        }
        self.dictionary.clear();
        if let Some(place) = self.blocks.dictionary.clone() {
            let length = (place.end - place.start) as usize;
            let bytes = match self.source.is_whole {
                true => &self.source.bytes[place.start as usize..],
                false => stored.fetch(place, &mut self.table, budget)?,
            };
            make_room(&mut self.dictionary, length, budget)?;
            self.dictionary.copy_from_slice(&bytes[..length]);
        }
        Ok(Ok(()))
    }

    /// Decodes the first block of the chunk, if the others need it.
    fn enter_reference(
        &mut self,
        chunk: &Chunk,
        stored: &StoredChunk<'_>,
        budget: &Budget,
    ) -> Result<Result<(), Box<Finding>>> {
        if chunk.content == Content::Stored || !chunk.has_delta() {
            return Ok(Ok(()));
        }
        let length = chunk.block_length(0) as usize;
        let mut first = std::mem::take(&mut self.reference);
        let decoded = match make_room(&mut first, length, budget) {
            Ok(()) => self.block(chunk, stored, 0, length, length, budget),
            Err(error) => Err(error),
        };
        let decoded = decoded.map(|decoded| decoded.map(|outcome| outcome.decoded.copy_to(0, &mut first)));
        self.reference = first;
        decoded
    }

    /// Decodes the first bytes of a block of the current chunk.
    ///
    /// # Errors
    /// As for [`Loader::enter`].
    pub fn block<'s>(
        &'s mut self,
        chunk: &'s Chunk,
        stored: &'s StoredChunk<'_>,
        number: u64,
        item_size: usize,
        needed: usize,
        budget: &Budget,
    ) -> Result<Result<Outcome<'s>, Box<Finding>>> {
        let is_stored = chunk.content == Content::Stored;
        let length = chunk.block_length(number);
        let place = match is_stored {
            true => {
                let start = chunk.header_length + number * chunk.block_size;
                start as u32..(start + length) as u32
            }
            false => self.blocks.places[number as usize].clone(),
        };
        let source = self.source.block(stored, &place, chunk.reads_once(), budget)?;
        if is_stored {
            let decoded = Decoded::Bytes(&source[..length as usize]);
            return Ok(Ok(Outcome { decoded, flaw: None }));
        }
        let reference = Some(&self.reference[..]).filter(|reference| number > 0 && !reference.is_empty());
        let dictionary = &self.dictionary;
        let block = StoredBlock { chunk, number, place, source, dictionary, reference, item_size, needed };
        self.scratch.decode(&block, budget)
    }

    /// Verifies that blocks of a chunk decode (all, or the given ones), and reports bytes that belong to no block.
    ///
    /// # Errors
    /// As for [`Loader::enter`].
    pub fn verify(
        &mut self,
        chunk: &Chunk,
        stored: &StoredChunk<'_>,
        budget: &Budget,
        is_meant: impl Fn(u64) -> bool,
        mut report: impl FnMut(Finding),
    ) -> Result<()> {
        if !matches!(chunk.content, Content::Blocks { .. }) {
            return Ok(());
        }
        if let Err(finding) = self.enter_table(chunk, stored, chunk.block_count(), budget)? {
            report(*finding);
            return Ok(());
        }
        let first = self.blocks.places.iter().map(|place| place.start).min().unwrap_or(0);
        report_unclaimed(self.blocks.first..first.into(), &mut report);
        for (number, place) in self.blocks.places.iter().enumerate().filter(|(number, _)| is_meant(*number as u64)) {
            let source = self.source.block(stored, place, chunk.reads_once(), budget)?;
            let (number, dictionary, place) = (number as u64, &self.dictionary[..], place.clone());
            let end = u64::from(place.end);
            let start = u64::from(place.start);
            let block =
                StoredBlock { chunk, number, place, source, dictionary, reference: None, item_size: 1, needed: 0 };
            match self.scratch.verify(&block, budget)? {
                Ok(Streams { consumed, flaw }) => {
                    flaw.into_iter().for_each(|flaw| report(*flaw));
                    report_unclaimed(start + consumed as u64..end, &mut report);
                }
                Err(finding) => report(*finding),
            }
        }
        Ok(())
    }

    /// Decodes a whole chunk. The decoded bytes stay charged.
    ///
    /// # Errors
    /// As for [`Loader::enter`].
    pub fn whole(
        &mut self,
        chunk: &Chunk,
        stored: &StoredChunk<'_>,
        budget: &Budget,
    ) -> Result<Result<Vec<u8>, Box<Finding>>> {
        let mut out = Vec::new();
        make_room(&mut out, chunk.nbytes as usize, budget)?;
        let decoded = self.whole_into(chunk, stored, &mut out, budget);
        if !matches!(decoded, Ok(Ok(()))) {
            budget.give_back(out.capacity() as u64);
        }
        Ok(decoded?.map(|()| out))
    }

    /// Decodes a whole chunk into a buffer of its decoded length.
    ///
    /// # Errors
    /// As for [`Loader::enter`].
    pub fn whole_into(
        &mut self,
        chunk: &Chunk,
        stored: &StoredChunk<'_>,
        out: &mut [u8],
        budget: &Budget,
    ) -> Result<Result<(), Box<Finding>>> {
        if !matches!(chunk.content, Content::Blocks { .. } | Content::Stored) {
            let table = chunk.header_length..chunk.table_length();
            let length = (table.end - table.start) as usize;
            let value = stored.fetch(table, &mut self.table, budget)?;
            fill(chunk, &value[..length], 0, out);
            return Ok(Ok(()));
        }
        let count = chunk.block_count();
        if let Err(finding) = self.enter(chunk, stored, count, budget)? {
            return Ok(Err(finding));
        }
        let item_size = usize::from(chunk.header.typesize);
        for number in 0..count {
            let length = chunk.block_length(number) as usize;
            let at = (number * chunk.block_size) as usize;
            match self.block(chunk, stored, number, item_size, length, budget)? {
                Ok(Outcome { flaw: Some(flaw), .. }) => return Ok(Err(flaw)),
                Ok(outcome) => outcome.decoded.copy_to(0, &mut out[at..at + length]),
                Err(finding) => return Ok(Err(finding)),
            }
        }
        Ok(Ok(()))
    }
}

/// A loader whose memory is credited on drop.
pub struct ChargedLoader<'b> {
    loader: Loader,
    budget: &'b Budget,
}

impl<'b> ChargedLoader<'b> {
    /// Creates a loader without buffers, which charges the memory that it needs to the budget.
    pub fn new(budget: &'b Budget) -> Self {
        ChargedLoader { loader: Loader::default(), budget }
    }
}

impl Deref for ChargedLoader<'_> {
    type Target = Loader;

    fn deref(&self) -> &Loader {
        &self.loader
    }
}

impl DerefMut for ChargedLoader<'_> {
    fn deref_mut(&mut self) -> &mut Loader {
        &mut self.loader
    }
}

impl Drop for ChargedLoader<'_> {
    fn drop(&mut self) {
        self.budget.give_back(self.loader.held());
    }
}

/// Reports bytes of a chunk that do not belong to any of its blocks.
fn report_unclaimed(place: Range<u64>, report: &mut impl FnMut(Finding)) {
    if !place.is_empty() {
        let message = format!("no block claims {} of the chunk", bytes(place.end - place.start));
        report(Finding::new(&rules::UNCLAIMED_BYTES, "", place, message));
    }
}
