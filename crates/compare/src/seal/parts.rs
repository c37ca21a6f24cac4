//! The parts of a file, each of which has a digest.
//!
//! Parts have one purpose: to show where a file changed. They follow the structure of the file, so a report can name
//! `chunks[17]` instead of a byte. If there are many small fields, neighbours are joined, because a digest for each
//! field of a large file would make the seal as long as the file.
//!
//! A file whose fields cannot be found, because it is broken or exceeds a limit, still gets parts: pieces of 1 MiB
//! called `bytes`. Broken files can be sealed too.

use everybyte::role::Role;
use ndbytes::archive::{Archive, is_of_tensors};
use ndbytes::internals::{Debit, grown};
use ndbytes::{Checker, Depth, Error, Format, Input, Limits, Result, blosc2, detect, idv};
use ndbytes_schemas::blosc2::IndexEntry;
use std::fmt;
use std::ops::Range;

/// The length of a piece of content that has no parts, in bytes.
const PIECE: u64 = 1 << 20;

/// If a file has more parts than this, neighbours of fewer than [`SMALLEST`] bytes are joined.
const MANY: u64 = 1 << 10;
/// Parts of this length are never joined, in bytes. Smaller fields are, because a digest of 16 bytes for each would make
/// the seal as long as the file.
const SMALLEST: u64 = 4 << 10;

/// The approximate maximum number of parts in a file.
const MOST: u64 = 1 << 16;

/// The position at which a part begins. It ends where the next one begins.
struct Cut {
    start: u64,
    name: Name,
}

/// The name of a part: the path of its field.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    /// A chunk, which is always a single part, whatever its length.
    Chunk(u64),
    /// Another part that is not divided.
    Whole(String),
    /// A field, which is divided into pieces if it is long.
    Field(String),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Chunk(number) => write!(f, "chunks[{number}]"),
            Name::Whole(name) | Name::Field(name) => f.write_str(name),
        }
    }
}

/// Calls `take` for each part of a file, in order.
///
/// # Errors
/// [`Error::Io`], [`Error::Limit`] or [`Error::Time`]; any error of `take`.
pub fn each(input: &Input<'_>, limits: &Limits, take: &mut dyn FnMut(Range<u64>, &str) -> Result<()>) -> Result<()> {
    let debit = Debit::new(input.budget());
    let cuts = cuts(input, limits, &debit)?;
    let length = input.length();
    let end_of = |number: usize| cuts.get(number + 1).map_or(length, |next| next.start);
    let pieces = |(number, cut): (usize, &Cut)| match cut.name {
        Name::Field(_) => (end_of(number) - cut.start).div_ceil(PIECE),
        Name::Chunk(_) | Name::Whole(_) => 1,
    };
    let least = match cuts.iter().enumerate().map(pieces).sum::<u64>() {
        count if count <= MANY => 1,
        count if count <= MOST => SMALLEST,
        _ => SMALLEST.max(length / MOST),
    };
    let mut joined: Option<(Range<u64>, String, String)> = None;
    for (number, cut) in cuts.iter().enumerate() {
        let end = end_of(number);
        let step = if matches!(cut.name, Name::Field(_)) { PIECE.max(least) } else { u64::MAX };
        let mut start = cut.start;
        while start < end {
            let place = start..start.saturating_add(step).min(end);
            start = place.end;
            if let Some((place, first, last)) = joined.take_if(|_| place.end - place.start >= least) {
                take(place, &title(first, &last))?;
            }
            joined = Some(match joined.take() {
                Some((before, first, _)) => (before.start..place.end, first, cut.name.to_string()),
                None => (place, cut.name.to_string(), cut.name.to_string()),
            });
            if let Some((place, first, last)) = joined.take_if(|(place, ..)| place.end - place.start >= least) {
                take(place, &title(first, &last))?;
            }
        }
    }
    joined.map_or(Ok(()), |(place, first, last)| take(place, &title(first, &last)))
}

/// Returns the name of a part that begins with one field and ends with another.
fn title(first: String, last: &str) -> String {
    if first == last { first } else { format!("{first} to {last}") }
}

/// Returns the positions at which parts begin, in order. The first one is the first byte.
fn cuts(input: &Input<'_>, limits: &Limits, debit: &Debit<'_>) -> Result<Vec<Cut>> {
    let own = match detect(input.head(), input.length()) {
        Some(_) if is_of_tensors(input) => of_tensors(input, limits, debit),
        Some(Format::B2nd) => of_frame(input, limits, debit),
        Some(Format::Idv) => of_table(input, limits, debit),
        _ => Ok(None),
    };
    let mut cuts = match own {
        Ok(Some(cuts)) => cuts,
        // The map of a broken file contains the fields that can be found.
        Ok(None) | Err(Error::Invalid(_)) => of_map(input, limits, debit)?,
        Err(error) => return Err(error),
    };
    cuts.sort_unstable_by(|one, other| (one.start, &one.name).cmp(&(other.start, &other.name)));
    cuts.retain(|cut| cut.start < input.length());
    cuts.dedup_by_key(|cut| cut.start);
    if cuts.first().is_none_or(|cut| cut.start > 0) {
        cuts.insert(0, Cut { start: 0, name: Name::Field("header".to_owned()) });
    }
    Ok(cuts)
}

/// Adds the beginning of a part.
fn push(cuts: &mut Vec<Cut>, start: u64, name: Name, debit: &Debit<'_>) -> Result<()> {
    let text = match &name {
        Name::Chunk(_) => 0,
        Name::Whole(text) | Name::Field(text) => text.capacity() as u64,
    };
    debit.take(grown::<Cut>(1) + text, "the parts of a file")?;
    cuts.push(Cut { start, name });
    Ok(())
}

/// Returns the parts of a frame: header, chunks, index and trailer.
fn of_frame(input: &Input<'_>, limits: &Limits, debit: &Debit<'_>) -> Result<Option<Vec<Cut>>> {
    let container = blosc2::Options::new().limits(*limits).read(input.again(*limits)?)?;
    let frame = &container.frame;
    let mut cuts = Vec::new();
    let field = |name: &str| Name::Field(name.to_owned());
    push(&mut cuts, 0, field("header"), debit)?;
    push(&mut cuts, frame.header_length, field("unused"), debit)?;
    if !frame.is_sparse() {
        for chunk in frame.index.distinct() {
            if let IndexEntry::At(offset) = frame.index.entry(chunk)
                && let Some(place) = frame.chunk_place(offset)
            {
                push(&mut cuts, place.start, Name::Chunk(chunk), debit)?;
            }
        }
    }
    if !frame.index_place.is_empty() {
        push(&mut cuts, frame.index_place.start, field("index"), debit)?;
    }
    push(&mut cuts, frame.trailer_place.start, field("trailer"), debit)?;
    push(&mut cuts, frame.trailer_place.end, field("trailing"), debit)?;
    Ok(Some(cuts))
}

/// Returns the parts of a table, each with its name in findings.
fn of_table(input: &Input<'_>, limits: &Limits, debit: &Debit<'_>) -> Result<Option<Vec<Cut>>> {
    let table = idv::Options::new().limits(*limits).read(input.again(*limits)?)?;
    let (mut cuts, mut reached) = (Vec::new(), 0);
    for (place, name) in table.parts() {
        if place.start > reached {
            push(&mut cuts, reached, Name::Field("gap".to_owned()), debit)?;
        }
        push(&mut cuts, place.start, Name::Whole(name.to_string()), debit)?;
        reached = reached.max(place.end);
    }
    push(&mut cuts, reached, Name::Field("trailing".to_owned()), debit)?;
    Ok(Some(cuts))
}

/// Returns the tensors of a file, each under its name.
fn of_tensors(input: &Input<'_>, limits: &Limits, debit: &Debit<'_>) -> Result<Option<Vec<Cut>>> {
    let archive = Archive::read(input.again(*limits)?, *limits)?;
    let (mut cuts, mut reached) = (Vec::new(), 0);
    for member in archive.members() {
        let Some(place) = member.place_of_tensor().filter(|place| place.start < place.end) else { continue };
        if place.start > reached && reached > 0 {
            push(&mut cuts, reached, Name::Field("gap".to_owned()), debit)?;
        }
        push(&mut cuts, place.start, Name::Whole(member.name().to_owned()), debit)?;
        reached = reached.max(place.end);
    }
    if reached > 0 {
        push(&mut cuts, reached, Name::Field("trailing".to_owned()), debit)?;
    }
    Ok(Some(cuts))
}

/// Returns the payloads of any file, and everything between them.
fn of_map(input: &Input<'_>, limits: &Limits, debit: &Debit<'_>) -> Result<Vec<Cut>> {
    let mut cuts = Vec::new();
    let checker = Checker::new().depth(Depth::Structure).limits(*limits);
    let map = match checker.byte_map(input.again(*limits)?) {
        Ok(map) => map,
        Err(Error::Limit { .. } | Error::Invalid(_)) => {
            push(&mut cuts, 0, Name::Field("bytes".to_owned()), debit)?;
            return Ok(cuts);
        }
        Err(error) => return Err(error),
    };
    let mut is_payload = true;
    for span in map.spans().iter().filter(|span| span.space == 0 && span.node.start() < span.node.end()) {
        let was_payload = std::mem::replace(&mut is_payload, span.node.role() == Some(&Role::Payload));
        let name = match (is_payload, was_payload) {
            (true, _) => &span.path,
            (false, false) => continue,
            (false, true) if span.node.start() == 0 => "header",
            (false, true) => span.path.rsplit_once('.').map_or(&*span.path, |(around, _)| around),
        };
        push(&mut cuts, span.node.start(), Name::Field(name.to_owned()), debit)?;
    }
    Ok(cuts)
}
