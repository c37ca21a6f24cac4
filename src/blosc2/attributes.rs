//! Attributes: the metalayers in the trailer, each of which is a chunk.

use super::chunk::header::{Chunk, Expected, header_nodes};
use super::chunk::loader::ChargedLoader;
use super::chunk::stored::StoredChunk;
use super::frame::Frame;
use crate::blosc2::rules;
use crate::bytes::input::Input;
use crate::bytes::limits::{Budget, Debit, grown};
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::findings::words::bytes;
use std::ops::Range;

/// The maximum depth of nested msgpack values: each level needs a stack frame, but only one byte of the file. A deeper value is
/// refused with [`Error::NoMsgpack`].
const DEEPEST: usize = 64;

/// The position of an attribute's chunk.
pub fn place(frame: &Frame, number: usize) -> Option<Range<u64>> {
    frame.attribute_places.get(number).cloned()
}

/// Reads the chunk of an attribute and adds the findings about it.
pub fn chunk(input: &Input<'_>, frame: &Frame, number: usize, findings: &mut Findings) -> Result<Option<Chunk>> {
    let Some(place) = place(frame, number) else { return Ok(None) };
    let mut head = vec![0; (place.end - place.start).min(super::chunk::header::LONGEST_HEADER) as usize];
    input.read_at(&mut head, place.start)?;
    let mut found = Findings::default();
    let room = place.end - place.start;
    let chunk = super::chunk::judge::judge_chunk(&head, room, Expected::default(), &mut found);
    if let Some(chunk) = &chunk
        && chunk.cbytes != room
    {
        let message = format!("a metalayer of {} contains a chunk of {}", bytes(room), chunk.cbytes);
        let finding = Finding::new(&rules::ATTRIBUTE_LENGTH, "cbytes", 0..0, message);
        found.push(finding.placed_by(&header_nodes(&head)));
    }
    findings.extend(found.into_vec().into_iter().map(|finding| placed(finding, number, place.start)));
    Ok(chunk)
}

/// Returns a finding about the chunk of an attribute, with its path and offset in the file.
fn placed(finding: Finding, number: usize, start: u64) -> Finding {
    // python-blosc2 can read the array without reading its attributes.
    let finding = finding.with_reference(Reference::Accepts);
    finding.within(&format!("trailer.attributes.contents[{number}].chunk")).shifted(start)
}

/// Checks all attributes, including their decompression.
pub fn judge_attributes(input: &Input<'_>, frame: &Frame, findings: &mut Findings) -> Result<()> {
    let budget = input.budget();
    let mut loader = ChargedLoader::new(budget);
    for number in 0..frame.attribute_count() {
        let (Some(chunk), Some(place)) = (chunk(input, frame, number, findings)?, place(frame, number)) else {
            continue;
        };
        let start = place.start;
        let decoded = loader.whole(&chunk, &StoredChunk::within(input, place), budget)?;
        match decoded {
            Ok(bytes) => budget.give_back(bytes.capacity() as u64),
            Err(finding) => findings.push(placed(*finding, number, start)),
        }
    }
    Ok(())
}

/// The decompressed bytes of an attribute; `None` if it does not exist.
pub fn decoded(input: &Input<'_>, frame: &Frame, number: usize) -> Result<Option<Vec<u8>>> {
    let mut findings = Findings::default();
    let chunk = chunk(input, frame, number, &mut findings)?;
    if let Some(finding) = findings.into_vec().into_iter().find(Finding::is_error) {
        return Err(finding.into());
    }
    let (Some(chunk), Some(place)) = (chunk, place(frame, number)) else { return Ok(None) };
    let start = place.start;
    let budget = input.budget();
    match ChargedLoader::new(budget).whole(&chunk, &StoredChunk::within(input, place), budget)? {
        Ok(bytes) => {
            budget.give_back(bytes.capacity() as u64);
            Ok(Some(bytes))
        }
        Err(finding) => Err(placed(*finding, number, start).into()),
    }
}

/// Parses bytes as a msgpack value.
pub fn value(bytes: &[u8], name: &str, budget: &Budget) -> Result<rmpv::Value> {
    let mut rest = bytes;
    // Every byte may become a separate value.
    Debit::new(budget).take(grown::<rmpv::Value>(bytes.len()), "the values of a metalayer")?;
    match rmpv::decode::read_value_with_max_depth(&mut rest, DEEPEST) {
        Ok(value) if rest.is_empty() => Ok(value),
        _ => Err(Error::NoMsgpack { name: name.to_owned() }),
    }
}
