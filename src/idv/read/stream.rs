//! The compressed bytes of blocks.
//!
//! A block is first passed to this project's inflater, which is fast but accepts only flawless streams. If it refuses a stream,
//! zlib determines what is wrong, because ML.NET decompresses with zlib. If possible, two blocks are decompressed together, so that
//! the processor can work on one while it waits for data from the other.
//!
//! The length of a block is stated in the file, so its buffer has exactly that length. The length of an annotation is not stated,
//! so its buffer grows by a factor of four until the stream ends or the budget is exhausted.

use super::target::Content;
use crate::bytes::input::Input;
use crate::bytes::limits::{Budget, Debit};
use crate::bytes::memory::AlignedBytes;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::rule::Rule;
use crate::findings::words::bytes;
use crate::idv::rules;
use ndbytes_codecs::deflate::{Inflated, Inflating, Outcome, is_zlib};
use ndbytes_codecs::inflate::{self, InflateError, Inflater, inflate_pair};
use ndbytes_schemas::idv::Compression;
use std::ops::Range;

/// The initial size of the buffer for a block of unknown length.
const STEP: usize = 4 << 10;

/// The stored bytes of a block.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    /// The range of these bytes in the file.
    pub place: Range<u64>,
    pub compression: Compression,
    /// The decompressed length of the block; `None` for annotations, whose length is not stated.
    pub length: Option<u64>,
    /// The space of the decompressed bytes; 0 if they are not compressed.
    pub space: u32,
}

/// Memory that is reused for all blocks.
pub(crate) struct Scratch<'b> {
    inflaters: [Inflater; 2],
    /// Buffers for the stored bytes of two blocks.
    stored: [AlignedBytes; 2],
    inflated: [AlignedBytes; 2],
    debit: Debit<'b>,
}

/// Resizes a buffer and debits its growth.
fn resize(bytes: &mut AlignedBytes, debit: &Debit<'_>, length: u64) -> Result<()> {
    let what = "a block";
    debit.take(length.saturating_sub(bytes.capacity()), what)?;
    match usize::try_from(length) {
        Ok(length) if bytes.resize(length) => Ok(()),
        _ => Err(Error::Limit { what, needed: length, left: 0 }),
    }
}

impl<'b> Scratch<'b> {
    pub fn new(budget: &'b Budget) -> Self {
        Scratch {
            inflaters: [Inflater::new(), Inflater::new()],
            stored: Default::default(),
            inflated: Default::default(),
            debit: Debit::new(budget),
        }
    }

    /// Decompresses the bytes of a block.
    ///
    /// # Errors
    /// Inner error: the finding that prevents decompression. Outer error: [`Error::Io`]; [`Error::Limit`].
    pub fn load<'s>(
        &'s mut self,
        input: &'s Input<'_>,
        stored: &Stored,
        findings: &mut Vec<Finding>,
    ) -> Result<Result<Content<'s>, Box<Finding>>> {
        let Stored { place, compression, length, space } = stored;
        let (stored_bytes, inflated_bytes) = (&mut self.stored[0], &mut self.inflated[0]);
        let source = fetch(input, place, stored_bytes, &self.debit)?;
        if *compression == Compression::NONE {
            // A block with too few stored bytes has already been refused.
            let length = length.map_or(source.len(), |length| (length as usize).min(source.len()));
            return Ok(Ok(Content { bytes: &source[..length], base: place.start, space: 0 }));
        }
        let zlib = *compression == Compression::ZLIB;
        let inflated = match length {
            Some(length) => {
                resize(inflated_bytes, &self.debit, *length)?;
                inflate(&mut self.inflaters[0], zlib, source, inflated_bytes.as_mut_slice())
            }
            None => {
                let mut room = STEP.max(source.len().saturating_mul(2)) as u64;
                loop {
                    resize(inflated_bytes, &self.debit, room)?;
                    let inflated = inflate(&mut self.inflaters[0], zlib, source, inflated_bytes.as_mut_slice());
                    if !matches!(inflated.outcome, Outcome::Full | Outcome::FullThenCorrupt) {
                        break inflated;
                    }
                    room = room.saturating_mul(4);
                }
            }
        };
        if let Err(finding) = judge(&inflated, source, stored, findings) {
            return Ok(Err(finding));
        }
        let bytes = &inflated_bytes.as_slice()[..inflated.written];
        Ok(Ok(Content { bytes, base: 0, space: *space }))
    }

    /// Decompresses two deflated blocks together, which takes less time than decompressing them separately. Returns `None` if there
    /// is a finding about either of them.
    pub fn load_pair<'s>(&'s mut self, input: &'s Input<'_>, blocks: [&Stored; 2]) -> Result<Option<[Content<'s>; 2]>> {
        let Scratch { inflaters, stored: [stored_a, stored_b], inflated, debit } = self;
        let [a, b] = blocks;
        let (Some(length_a), Some(length_b)) = (a.length, b.length) else { return Ok(None) };
        let sources = [fetch(input, &a.place, stored_a, debit)?, fetch(input, &b.place, stored_b, debit)?];
        let [inflated_a, inflated_b] = inflated;
        resize(inflated_a, debit, length_a)?;
        resize(inflated_b, debit, length_b)?;
        let targets = [inflated_a.as_mut_slice(), inflated_b.as_mut_slice()];
        let outcomes = inflate_pair(inflaters, sources, targets);
        let is_whole = |outcome: Result<inflate::Inflated, InflateError>, source: &[u8], length: u64| {
            outcome.is_ok_and(|whole| whole.written as u64 == length && whole.consumed == source.len())
        };
        let [outcome_a, outcome_b] = outcomes;
        if !is_whole(outcome_a, sources[0], length_a) || !is_whole(outcome_b, sources[1], length_b) {
            return Ok(None);
        }
        let content = |bytes: &'s AlignedBytes, space| Content { bytes: bytes.as_slice(), base: 0, space };
        Ok(Some([content(inflated_a, a.space), content(inflated_b, b.space)]))
    }
}

/// Returns the stored bytes of a block: a part of the input, or a copy in memory.
fn fetch<'s>(
    input: &'s Input<'_>,
    place: &Range<u64>,
    memory: &'s mut AlignedBytes,
    debit: &Debit<'_>,
) -> Result<&'s [u8]> {
    if input.is_in_memory() {
        return input.range(place.clone());
    }
    resize(memory, debit, place.end - place.start)?;
    input.read_at(memory.as_mut_slice(), place.start)?;
    Ok(memory.as_slice())
}

/// Decompresses a stream into a target until one of them ends.
fn inflate(inflater: &mut Inflater, zlib: bool, source: &[u8], target: &mut [u8]) -> Inflated {
    if !zlib && let Ok(whole) = inflater.inflate(source, target) {
        return Inflated {
            outcome: Outcome::Ended,
            consumed: whole.consumed,
            filled_at: whole.consumed,
            written: whole.written,
        };
    }
    // zlib judges the stream, because ML.NET uses it.
    Inflating::new(zlib).whole(source, target)
}

/// Checks a stream.
fn judge(inflated: &Inflated, source: &[u8], stored: &Stored, findings: &mut Vec<Finding>) -> Result<(), Box<Finding>> {
    let &Inflated { ref outcome, consumed, written, .. } = inflated;
    let at = stored.place.start + consumed as u64;
    let find = |rule: &'static Rule, place: Range<u64>, message: String| Finding::new(rule, "", place, message);
    let here = at..(at + 1).min(stored.place.end).max(at);
    let made = format!("{} could be decompressed", bytes(written as u64));
    // The length of an annotation is not known until it is decoded.
    let complete = stored.length.is_none_or(|length| written as u64 == length);
    match outcome {
        Outcome::Ended => {}
        Outcome::Corrupt(_) => {
            let help =
                if is_zlib(source) { "it looks like a zlib stream, which is compression 2".into() } else { made };
            let finding = find(&rules::CORRUPT_STREAM, here, "the stream does not decode".into()).help(help);
            match stored.length {
                Some(_) => return Err(finding.into()),
                None => findings.push(finding),
            }
        }
        Outcome::FullThenCorrupt | Outcome::Unended if complete => {
            let message = "the end of the stream is missing or broken";
            findings.push(find(&rules::UNENDED_STREAM, here, message.into()));
        }
        Outcome::Full => {
            let message = "the stream expands to more bytes than declared";
            findings.push(find(&rules::LONG_STREAM, here, message.into()));
        }
        Outcome::FullThenCorrupt | Outcome::Unended => {}
    }
    if let Some(length) = stored.length.filter(|_| !complete) {
        let message = "the stream expands to fewer bytes than declared";
        let finding = find(&rules::SHORT_STREAM, stored.place.clone(), message.into());
        return Err(finding.expected(bytes(length)).found(bytes(written as u64)).into());
    }
    if *outcome == Outcome::Ended && consumed < source.len() {
        let message = format!("the block has {} after the end of its stream", bytes((source.len() - consumed) as u64));
        findings.push(find(&rules::STREAM_TRAILING_BYTES, at..stored.place.end, message));
    }
    Ok(())
}
