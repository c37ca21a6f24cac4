//! Checks all chunks of a file: their content and their positions.
//!
//! First, the chunks are sorted by position. One pass over them finds chunks that share bytes, and bytes that no chunk claims.
//! Every chunk that does not start inside another one is then decoded once, in parallel. The work is therefore bounded by the
//! length of the file, even if a thousand index entries point to the same chunk.

use super::alike::{Chunks, Made};
use super::geometry::Geometry;
use super::layer::Layer;
use super::lazy::{dictionary_used, lazy_chunk};
use super::padding::used_padding;
use super::rules;
use crate::blosc2::ahead::{Wanted, prepare};
use crate::blosc2::chunk::header::LONGEST_HEADER;
use crate::blosc2::chunk::loader::{ChargedLoader, Loader};
use crate::blosc2::frame::{Frame, header_nodes};
use crate::blosc2::locate::{Located, locate};
use crate::blosc2::overlap::{Claim, overlap};
use crate::bytes::input::Input;
use crate::bytes::threads;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::findings::words::bytes;
use everybyte::{Endian, Layout, Source, read};
use ndbytes_schemas::blosc2::folder::chunk_number;
use ndbytes_schemas::blosc2::{ChunkHeader, IndexEntry};
use rayon::prelude::*;
use std::ops::Range;

/// Checks every chunk once. If chunks overlap, only the first is decoded, so the work is bounded by the length of the file.
pub fn judge_places(input: &Input<'_>, frame: &Frame, layer: Option<&Layer>, findings: &mut Findings) -> Result<()> {
    let entries = frame.index.distinct();
    // The settings of the chunks are listed once, and copied for two comparisons.
    let each = size_of::<Claim>() + size_of::<Result<Verified>>() + 3 * size_of::<Made>();
    let most = (entries.end - entries.start).saturating_mul(each as u64);
    input.budget().take(most, "the places of the chunks")?;
    let mut claims = Vec::new();
    for chunk in entries {
        match frame.index.entry(chunk) {
            IndexEntry::At(at) if frame.is_sparse() || frame.chunk_place(at).is_some() => {
                claims.push(Claim { at, chunk })
            }
            // Problems with other entries are reported when their chunks are located.
            _ => {
                if let Err(finding) = locate(input, frame, chunk)? {
                    findings.push(*finding);
                }
            }
        }
    }
    claims.sort_unstable();
    let claims = lay_out(input, frame, &claims, findings)?;
    let geometry = layer.map(|layer| &layer.geometry);
    let is_clean = findings.is_empty();
    let (mut verified, mut rest): (Vec<Result<Verified>>, _) = (Vec::new(), &claims[..]);
    while !rest.is_empty() {
        let wanted = rest.iter().map(|claim| Wanted { chunk: claim.chunk, bytes: u64::MAX });
        let (now, later) = rest.split_at(prepare(input, frame, wanted)?.chunks.min(rest.len()));
        threads::ready();
        verified.par_extend(now.par_iter().map_init(
            || ChargedLoader::new(input.budget()),
            |loader, claim| verify(input, frame, geometry, is_clean, claim.chunk, loader),
        ));
        rest = later;
    }
    let (mut total, mut all) = (Some(0), Vec::new());
    for chunk in verified {
        let Verified { findings: found, cbytes, made } = chunk?;
        findings.extend(found);
        all.extend(made);
        total = total.zip(cbytes).map(|(total, cbytes)| total + cbytes);
    }
    if let Some(geometry) = geometry {
        Chunks { input, frame, geometry, made: all }.judge(findings);
    }
    if frame.is_sparse()
        && let Some(total) = total
    {
        stored_bytes(input, frame, &claims, total, findings);
    }
    input.budget().give_back(most);
    Ok(())
}

/// Finds overlaps and gaps, and returns the chunks to be decoded.
fn lay_out(input: &Input<'_>, frame: &Frame, claims: &[Claim], findings: &mut Findings) -> Result<Vec<Claim>> {
    let mut kept: Vec<Claim> = Vec::new();
    let (mut reached, mut prepared) = (0, 0);
    for (number, &claim) in claims.iter().enumerate() {
        let at = claim.at;
        if prepared <= number && !frame.is_sparse() {
            let heads = claims[number..].iter().filter_map(|claim| frame.chunk_place(claim.at));
            let heads = heads.map(|place| place.start..place.start + LONGEST_HEADER);
            prepared = number.saturating_add(input.prepare(heads)?);
        }
        let overlaps = if frame.is_sparse() { kept.last().is_some_and(|last| last.at == at) } else { at < reached };
        if overlaps {
            let first = kept.last().map_or(0, |last| last.chunk);
            findings.push_with(&rules::OVERLAPPING_CHUNKS, || overlap(frame, first, claim));
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

/// Returns the number of bytes that a chunk of a contiguous frame claims, but at most the number of available bytes.
fn stored_length(input: &Input<'_>, frame: &Frame, at: u64) -> Result<u64> {
    let Some(place) = frame.chunk_place(at) else { return Ok(0) };
    let mut head = [0; LONGEST_HEADER as usize];
    input.read_at(&mut head, place.start)?;
    // Only the length in the header matters here. The rest is judged with the chunk.
    let header = read::<ChunkHeader>(Source::new(&head), Endian::Little, ());
    let cbytes = header.map_or(0, |header| u64::try_from(header.cbytes).unwrap_or(0));
    Ok(cbytes.max(ChunkHeader::MIN_SIZE).min(place.end - place.start))
}

/// Reports bytes among the chunks that no index entry refers to.
fn dead(frame: &Frame, place: Range<u64>, findings: &mut Findings) {
    if place.is_empty() {
        return;
    }
    let message = format!("the index leads to none of {} among the chunks", bytes(place.end - place.start));
    let place = frame.header_length + place.start..frame.header_length + place.end;
    findings.push_with(&rules::DEAD_CHUNK, || Finding::new(&rules::DEAD_CHUNK, "", place, message));
}

/// Reports chunk files that the index does not refer to.
fn unused_files(input: &Input<'_>, frame: &Frame, claims: &[Claim], findings: &mut Findings) -> Result<()> {
    let Some(folder) = input.folder() else { return Ok(()) };
    let at_folder = |error| crate::error::Error::io(folder.path(), error);
    let mut names: Vec<String> = Vec::new();
    for name in folder.names().map_err(at_folder)? {
        let name = name.map_err(at_folder)?;
        let Some(number) = chunk_number(&name) else { continue };
        if claims.binary_search_by_key(&number, |claim| claim.at).is_err() {
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

/// Compares the total length of all chunks of a sparse frame with the number in its header.
fn stored_bytes(input: &Input<'_>, frame: &Frame, claims: &[Claim], total: u64, findings: &mut Findings) {
    let said = frame.header.cbytes.0 as u64;
    // A frame whose chunks have all been deleted may keep the old number.
    if total == said || frame.header.nbytes.0 == 0 {
        return;
    }
    let message = format!("the header says that the chunks have {}, but they have {total}", bytes(said));
    // C-Blosc2 compares the file number with the byte count, as if the number were an offset.
    let has_room = claims.last().is_none_or(|last| last.at.saturating_add(LONGEST_HEADER) <= said);
    let reference = if has_room { Reference::Accepts } else { Reference::Refuses };
    findings.push_with(&rules::STORED_BYTES, || {
        let finding = Finding::new(&rules::STORED_BYTES, "cbytes", 0..0, message);
        finding.placed_by(&header_nodes(input)).with_reference(reference)
    });
}

/// The outcome of decoding a chunk.
#[derive(Default)]
struct Verified {
    /// All findings about the chunk.
    findings: Vec<Finding>,
    /// The stored length in bytes, if the chunk states it.
    cbytes: Option<u64>,
    /// The settings of its blocks, if there are any.
    made: Option<Made>,
}

/// Decodes a chunk. The padding is checked if nothing else is wrong.
fn verify(
    input: &Input<'_>,
    frame: &Frame,
    geometry: Option<&Geometry>,
    is_clean: bool,
    number: u64,
    loader: &mut Loader,
) -> Result<Verified> {
    input.budget().ensure_time()?;
    let mut findings = Findings::default();
    let mut stored = match locate(input, frame, number)? {
        Ok(Located::Stored(stored)) => stored,
        Ok(Located::Special(_)) => return Ok(Verified { cbytes: Some(0), ..Verified::default() }),
        Err(finding) => return Ok(Verified { findings: vec![*finding], ..Verified::default() }),
    };
    let (mut cbytes, mut made) = (None, None);
    let space = frame.stored_space(number);
    if let Some(chunk) = stored.chunk(
        frame.expected(number, geometry.and_then(Geometry::demanded_blocks)),
        number,
        space,
        &mut findings,
    )? {
        (cbytes, made) = (Some(chunk.cbytes), Made::new(number, &chunk));
        let report = |finding| findings.push(stored.placed(finding, number, space));
        loader.verify(&chunk, &stored, input.budget(), |_| true, report)?;
        if let Some(geometry) = geometry.filter(|_| is_clean && findings.is_empty())
            && let Some(block) = used_padding(geometry, number, &chunk, &stored, loader, input.budget())?
        {
            let message = format!("the padding of block {block} is not uniform; readers do not show these items");
            let place = 0..chunk.cbytes;
            findings.push(stored.placed(Finding::new(&rules::PADDING, "", place, message), number, space));
        }
        let allowed = [lazy_chunk(frame, geometry, number, &chunk), dictionary_used(number, &chunk)];
        for finding in allowed.into_iter().flatten() {
            findings.push(stored.placed(finding.placed_by(&stored.header()?), number, space));
        }
    }
    Ok(Verified { findings: findings.into_vec(), cbytes, made })
}
