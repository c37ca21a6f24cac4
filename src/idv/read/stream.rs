//! The compressed bytes of blocks.

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

/// The first size of the buffer for a block of unknown length.
const STEP: usize = 4 << 10;

/// The stored bytes of a block.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    /// Their place in the file.
    pub place: Range<u64>,
    pub compression: Compression,
    /// Bytes of the block after decompression, or `None` for annotations, whose length is not stated.
    pub length: Option<u64>,
    /// The space of the decompressed bytes; 0 if they are not compressed.
    pub space: u32,
}

/// Memory for one block after the other.
pub(crate) struct Scratch<'b> {
    inflaters: [Inflater; 2],
    /// Stored bytes and decompressed bytes, for two blocks at a time.
    stored: [AlignedBytes; 2],
    inflated: [AlignedBytes; 2],
    debit: Debit<'b>,
}

/// Makes room; its growth is debited.
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

    /// The bytes of a block, decompressed.
    ///
    /// # Errors
    /// Inner: the finding that prevents decompressing them. Outer: [`Error::Io`], [`Error::Limit`].
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
            // A block that is stored too short was refused before.
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

    /// Decompresses two deflated blocks together, which takes less time than separately. Returns `None` if there is a
    /// finding about either of them.
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

/// The stored bytes of a block: those of the input, or read into memory of their own.
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

/// Decompresses a stream into a target, until one of them ends.
fn inflate(inflater: &mut Inflater, zlib: bool, source: &[u8], target: &mut [u8]) -> Inflated {
    if !zlib && let Ok(whole) = inflater.inflate(source, target) {
        return Inflated {
            outcome: Outcome::Ended,
            consumed: whole.consumed,
            filled_at: whole.consumed,
            written: whole.written,
        };
    }
    // zlib judges the stream; ML.NET uses it too.
    Inflating::new(zlib).whole(source, target)
}

/// Judges a stream.
fn judge(inflated: &Inflated, source: &[u8], stored: &Stored, findings: &mut Vec<Finding>) -> Result<(), Box<Finding>> {
    let &Inflated { ref outcome, consumed, written, .. } = inflated;
    let at = stored.place.start + consumed as u64;
    let find = |rule: &'static Rule, place: Range<u64>, message: String| Finding::new(rule, "", place, message);
    let here = at..(at + 1).min(stored.place.end).max(at);
    let made = format!("{} could be decompressed", bytes(written as u64));
    // The length of an annotation is known only when it is decoded.
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
            let message = "the stream expands to more bytes than the block is declared to have";
            findings.push(find(&rules::LONG_STREAM, here, message.into()));
        }
        Outcome::FullThenCorrupt | Outcome::Unended => {}
    }
    if let Some(length) = stored.length.filter(|_| !complete) {
        let message = "the stream expands to fewer bytes than the block is declared to have";
        let finding = find(&rules::SHORT_STREAM, stored.place.clone(), message.into());
        return Err(finding.expected(bytes(length)).found(bytes(written as u64)).into());
    }
    if *outcome == Outcome::Ended && consumed < source.len() {
        let message =
            format!("the block goes on for {} after the end of its stream", bytes((source.len() - consumed) as u64));
        findings.push(find(&rules::STREAM_TRAILING_BYTES, at..stored.place.end, message));
    }
    Ok(())
}
