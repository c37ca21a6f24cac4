//! All chunks of a file: whether they decode, and how they share the room there is for them.

use super::chunk::LONGEST_HEADER;
use super::frame::{Frame, header_node};
use super::geometry::Geometry;
use super::index::Entry;
use super::layer::Layer;
use super::loader::{Loader, Loan};
use super::padding::used_padding;
use super::rules;
use super::store::{Located, file_name, locate};
use super::worker::expected;
use crate::finding::{Findings, bytes};
use crate::input::Input;
use crate::{Finding, Reference, Result};
use ndbytes_schemas::b2nd::ChunkHeader;
use ndbytes_schemas::{Endian, Layout, Source, read};
use rayon::prelude::*;
use std::ops::Range;

/// A chunk, and where the index says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    at: u64,
    chunk: u64,
}

/// Judges every chunk once. Of chunks that overlap, only the first one is decoded: what a file can make us do must not
/// be more than it has bytes for.
pub fn judge_places(input: &Input<'_>, frame: &Frame, layer: Option<&Layer>, findings: &mut Findings) -> Result<()> {
    let entries = frame.index.distinct();
    let each = size_of::<Claim>() + size_of::<Result<Verified>>();
    let most = (entries.end - entries.start).saturating_mul(each as u64);
    input.budget().take(most, "the places of the chunks")?;
    let mut claims = Vec::new();
    for chunk in entries {
        match frame.index.entry(chunk) {
            Entry::At(at) if frame.is_sparse() || frame.chunk_place(at).is_some() => claims.push(Claim { at, chunk }),
            // What is wrong with another entry shows when it is located.
            _ => {
                if let Err(finding) = locate(input, frame, chunk)? {
                    findings.push(*finding);
                }
            }
        }
    }
    claims.sort_unstable();
    let claims = lay_out(input, frame, claims, findings)?;
    let geometry = layer.map(|layer| &layer.geometry).filter(|_| findings.is_empty());
    let verified: Vec<Result<Verified>> = claims
        .par_iter()
        .map_init(|| Loan::new(input.budget()), |loader, claim| verify(input, frame, geometry, claim.chunk, loader))
        .collect();
    let mut total = Some(0);
    for chunk in verified {
        let Verified { findings: found, cbytes } = chunk?;
        findings.extend(found);
        total = total.zip(cbytes).map(|(total, cbytes)| total + cbytes);
    }
    if frame.is_sparse()
        && let Some(total) = total
    {
        stored_bytes(input, frame, &claims, total, findings);
    }
    input.budget().give_back(most);
    Ok(())
}

/// Finds overlaps and gaps, and gives the chunks that are to be decoded.
fn lay_out(input: &Input<'_>, frame: &Frame, claims: Vec<Claim>, findings: &mut Findings) -> Result<Vec<Claim>> {
    let place = frame.index_place.clone();
    let mut kept: Vec<Claim> = Vec::new();
    let mut reached = 0;
    for claim in claims {
        let Claim { at, chunk } = claim;
        let overlaps = if frame.is_sparse() { kept.last().is_some_and(|last| last.at == at) } else { at < reached };
        if overlaps {
            let other = kept.last().map_or(0, |last| last.chunk);
            let message = match frame.is_sparse() {
                true => format!("chunks {other} and {chunk} are both in file {}", file_name(at)),
                false => format!("chunk {chunk} begins at byte {at} of the chunks, inside chunk {other}"),
            };
            let field = format!("index.entries[{chunk}]");
            findings.push_with(&rules::OVERLAPPING_CHUNKS, || {
                // That is nothing to C-Blosc2, as long as there is a header.
                let has_header = matches!(header(input, frame, chunk), Ok(true));
                let reference = if has_header { Reference::Accepts } else { Reference::Refuses };
                let finding = Finding::new(&rules::OVERLAPPING_CHUNKS, &field, place.clone(), message);
                finding.with_reference(reference)
            });
            continue;
        }
        if !frame.is_sparse() {
            let length = stored_length(input, frame, at)?;
            dead(frame, reached..at, findings);
            reached = at.saturating_add(length);
        }
        kept.push(claim);
    }
    if frame.is_sparse() {
        unused_files(input, frame, &kept, findings)?;
    } else if frame.header.nbytes.0 > 0 {
        let chunks = frame.chunks_place();
        dead(frame, reached..chunks.end - chunks.start, findings);
    }
    Ok(kept)
}

/// Whether a chunk has a header that says how to decode it.
fn header(input: &Input<'_>, frame: &Frame, number: u64) -> Result<bool> {
    match locate(input, frame, number)? {
        Ok(Located::Stored(mut stored)) => {
            let chunk = stored.chunk(expected(frame), number, 0, &mut Findings::default())?;
            Ok(chunk.is_some())
        }
        located => Ok(located.is_ok()),
    }
}

/// The bytes that a chunk of a contiguous frame claims, as far as there is room.
fn stored_length(input: &Input<'_>, frame: &Frame, at: u64) -> Result<u64> {
    let Some(place) = frame.chunk_place(at) else { return Ok(0) };
    let mut head = [0; LONGEST_HEADER as usize];
    input.read_at(&mut head, place.start)?;
    // What else the header says is judged when the chunk is; here only how far it reaches counts.
    let header = read::<ChunkHeader>(Source::new(&head), Endian::Little, ());
    let cbytes = header.map_or(0, |header| u64::try_from(header.cbytes).unwrap_or(0));
    Ok(cbytes.max(ChunkHeader::MIN_SIZE).min(place.end - place.start))
}

fn dead(frame: &Frame, place: Range<u64>, findings: &mut Findings) {
    if place.is_empty() {
        return;
    }
    let message = format!("{} among the chunks that the index does not lead to", bytes(place.end - place.start));
    let place = frame.header_length + place.start..frame.header_length + place.end;
    findings.push_with(&rules::DEAD_CHUNK, || Finding::new(&rules::DEAD_CHUNK, "", place, message));
}

/// Files of chunks that the index does not lead to.
fn unused_files(input: &Input<'_>, frame: &Frame, claims: &[Claim], findings: &mut Findings) -> Result<()> {
    let Some(folder) = input.folder() else { return Ok(()) };
    let entries = folder.read_dir().map_err(|error| crate::Error::io(folder, error))?;
    let mut names: Vec<String> = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| crate::Error::io(folder, error))?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let number = name.strip_suffix(".chunk").filter(|number| number.len() == 8);
        let Some(number) = number.and_then(|number| u64::from_str_radix(number, 16).ok()) else { continue };
        if name == file_name(number) && claims.binary_search_by_key(&number, |claim| claim.at).is_err() {
            names.push(name);
        }
    }
    names.sort_unstable();
    let place = &frame.index_place;
    for name in names {
        let message = format!("the index does not lead to the file {name}");
        findings.push_with(&rules::DEAD_CHUNK, || Finding::new(&rules::DEAD_CHUNK, "index", place.clone(), message));
    }
    Ok(())
}

/// Compares the bytes of all chunks of a sparse frame with what its header says.
fn stored_bytes(input: &Input<'_>, frame: &Frame, claims: &[Claim], total: u64, findings: &mut Findings) {
    let said = frame.header.cbytes.0 as u64;
    // A frame that lost all chunks may keep the number.
    if total == said || frame.header.nbytes.0 == 0 {
        return;
    }
    let message = format!("the header says that the chunks have {}, they have {total}", bytes(said));
    // C-Blosc2 takes the number of a file for a place among so many bytes.
    let has_room = claims.last().is_none_or(|last| last.at.saturating_add(LONGEST_HEADER) <= said);
    let reference = if has_room { Reference::Accepts } else { Reference::Refuses };
    findings.push_with(&rules::STORED_BYTES, || {
        let finding = Finding::new(&rules::STORED_BYTES, "cbytes", 0..0, message);
        finding.placed_by(&header_node(input)).with_reference(reference)
    });
}

/// What a chunk came to.
#[derive(Default)]
struct Verified {
    /// Everything that is wrong with it.
    findings: Vec<Finding>,
    /// Its bytes as it is stored, if it says so.
    cbytes: Option<u64>,
}

/// Decodes a chunk.
fn verify(
    input: &Input<'_>,
    frame: &Frame,
    geometry: Option<&Geometry>,
    number: u64,
    loader: &mut Loader,
) -> Result<Verified> {
    let mut findings = Findings::default();
    let mut stored = match locate(input, frame, number)? {
        Ok(Located::Stored(stored)) => stored,
        Ok(Located::Special(_)) => return Ok(Verified { cbytes: Some(0), ..Verified::default() }),
        Err(finding) => return Ok(Verified { findings: vec![*finding], cbytes: None }),
    };
    let mut cbytes = None;
    let space = frame.stored_space(number);
    if let Some(chunk) = stored.chunk(expected(frame), number, space, &mut findings)? {
        cbytes = Some(chunk.cbytes);
        let report = |finding| findings.push(stored.placed(finding, number, space));
        loader.verify(&chunk, &stored, input.budget(), report)?;
        if let Some(geometry) = geometry.filter(|_| findings.is_empty())
            && let Some(block) = used_padding(geometry, number, &chunk, &stored, loader, input.budget())?
        {
            let message = format!("block {block} has various items beyond the array, which no reader shows");
            let place = 0..chunk.cbytes;
            findings.push(stored.placed(Finding::new(&rules::PADDING, "", place, message), number, space));
        }
    }
    Ok(Verified { findings: findings.into_vec(), cbytes })
}
