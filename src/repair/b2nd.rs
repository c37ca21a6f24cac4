//! Repairs b2nd files that lost the parts after their chunks: the index and the trailer.
//!
//! An interrupted writer leaves a header and chunks, because the index and the trailer come last. The chunks can be found because
//! each states its length. Their order in the file may differ from their order in the array, which only the index records. If there
//! are several chunks, they are therefore used in file order only if the caller agrees (`--drop`), and each candidate is checked
//! completely before it is accepted. The chunks themselves are never changed.

use super::{Mended, Options, Tried, ensure_room, may_be_mended, transport};
use crate::any::check::Checker;
use crate::b2nd::layer::{Layer, array_metalayer};
use crate::b2nd::rules;
use crate::b2nd::structure::examine_structure;
use crate::blosc2::chunk::header::{Expected, LONGEST_HEADER};
use crate::blosc2::chunk::judge::judge_chunk;
use crate::blosc2::frame::{Frame, MOST_CHUNKS};
use crate::blosc2::write::contents::Contents;
use crate::blosc2::write::frame::{index, index_of_same, trailer};
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::report::{Report, Verdict};
use crate::findings::rule::{Depth, Rule, Severity};
use crate::findings::words::{bytes as count_of_bytes, counted};
use everybyte::{Endian, Layout, Source, read, trace::length_of, write};
use ndbytes_schemas::blosc2::{Bool, Header, IndexEntry, Int64, Special, TrailerTail, Uint32, Uint64};
use std::borrow::Cow;
use std::ops::Range;

const REBUILT: &str = "Index and trailer are kept if they can be read, and rebuilt otherwise. Without an index, the chunks are \
                       found one after the other, because each states its length. Several chunks get the order of the file, \
                       only with `--drop`. A file that is truncated among its chunks keeps whole rows of chunks along the first \
                       axis, if the lengths prove that it had all chunks: only the index says which ones were not stored.";

const OF_INDEX: &str = "A broken index is rebuilt: the chunks are found one after the other. Several chunks get the order of the file, \
                        only with `--drop`. A broken chunk is not repaired.";

/// The rules whose violations are repaired here, with descriptions of the repairs.
pub(super) const DOCS: &[(&Rule, &str)] = &[
    (&rules::TRUNCATED_FRAME, REBUILT),
    (&rules::TRAILER_LENGTH, REBUILT),
    (&rules::INDEX_PLACE, REBUILT),
    (&rules::INDEX_ENTRY, REBUILT),
    (&rules::OVERLAPPING_CHUNKS, REBUILT),
    (&rules::TRUNCATED_CHUNK, OF_INDEX),
    (&rules::CHUNK_LENGTH, OF_INDEX),
    (&rules::BROKEN_STREAM, OF_INDEX),
];

/// Returns whether a violation of one of these rules is in the rebuilt parts.
pub(super) fn is_around_the_chunks(finding: &Finding) -> bool {
    finding.field.starts_with("index") || !DOCS.iter().any(|(rule, doc)| *rule == finding.rule && *doc == OF_INDEX)
}

/// The number of chunks between two checks of the clock.
const CHUNKS_AT_ONCE: u64 = 1 << 12;

/// Returns the next step for a frame.
pub(super) fn next_step(report: &Report, bytes: &[u8], options: &Options) -> Result<Tried> {
    let mut errors = report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    let Some(rule) = errors.find(|finding| may_be_mended(finding)).map(|finding| finding.rule) else { return Ok(None) };
    let Some(broken) = Broken::read(bytes, options)? else { return Ok(None) };
    let checker = Checker::new().limits(options.limits);
    let structure = checker.depth(Depth::Structure);
    for index in broken.indexes(options)? {
        // If a byte was lost inside a chunk, the bytes after it have moved up.
        let missing = index.extent.map_or(0, |_| broken.frame_length().abs_diff(bytes.len() as u64));
        if let Some(refused) = transport::altered(bytes, bytes, missing) {
            return Ok(Some((rule, refused)));
        }
        for trailer in broken.trailers(&index)? {
            ensure_room(bytes.len() + index.bytes.len() + trailer.bytes.len(), options.limits)?;
            let Some(mended) = broken.mended(&index, &trailer) else { continue };
            // The chunks are decoded only if the parts around them are valid.
            if structure.check_slice(&mended.bytes)?.verdict() == Verdict::Error {
                continue;
            }
            let report = checker.check_slice(&mended.bytes)?;
            // If chunks at the edges have items in place of padding, the original order was different.
            let is_other_order =
                index.is_new && report.findings().iter().any(|finding| finding.rule == &rules::PADDING);
            if report.verdict() < Verdict::Error && !is_other_order {
                return Ok(Some((rule, mended.into())));
            }
        }
    }
    Ok(None)
}

/// A frame whose header describes an array, regardless of the bytes after the header.
struct Broken<'b> {
    bytes: &'b [u8],
    frame: Frame,
    layer: Layer,
    /// The range of the chunks according to the header, which may extend beyond the end of the file.
    place: Range<usize>,
}

/// An index that the file may have had.
struct Index<'b> {
    bytes: Cow<'b, [u8]>,
    /// The end of the chunks that the index lists.
    end: usize,
    /// The length of the first axis, if some rows of chunks are lost.
    extent: Option<u64>,
    is_new: bool,
}

struct Tail<'b> {
    bytes: Cow<'b, [u8]>,
    is_new: bool,
}

/// Descriptions of the changes to a frame.
#[derive(Default)]
struct Changes {
    done: Vec<String>,
    given_up: Vec<String>,
    /// True if data that was in the file, or may have been, is dropped.
    drops: bool,
}

impl<'b> Broken<'b> {
    fn read(bytes: &'b [u8], options: &Options) -> Result<Option<Self>> {
        let Ok(header) = read::<Header>(Source::new(bytes), Endian::Big, ()) else { return Ok(None) };
        let numbers = (u64::try_from(header.nbytes.0), u64::try_from(header.chunksize.0));
        let (Ok(nbytes), Ok(chunk_size)) = numbers else { return Ok(None) };
        let count = match chunk_size {
            0 if nbytes > 0 => return Ok(None),
            0 => 0,
            size => nbytes.div_ceil(size),
        };
        let (Ok(start), Ok(length)) = (usize::try_from(header.header_length.0), usize::try_from(header.cbytes.0))
        else {
            return Ok(None);
        };
        let Some(end) = start.checked_add(length).filter(|_| count <= MOST_CHUNKS) else { return Ok(None) };
        // This frame describes the same array, but with no stored chunks.
        let index = index_of_same(IndexEntry::Special(Special::ZEROS), count as usize)?;
        let Some(described) =
            framed(bytes, Header { cbytes: Int64(0), ..header }, &[&index, &trailer(&Contents::default())?])
        else {
            return Ok(None);
        };
        let examined = examine_structure(Input::from_slice(&described, options.limits))?;
        if let Some(limit) = examined.limit {
            return Err(limit);
        }
        Ok(match (examined.frame, examined.layer) {
            (Some(frame), Some(layer)) if !frame.is_sparse() => Some(Broken { bytes, frame, layer, place: start..end }),
            _ => None,
        })
    }

    /// Possible original indexes, starting with the most certain one.
    fn indexes(&self, options: &Options) -> Result<Vec<Index<'b>>> {
        let mut indexes = Vec::new();
        let count = self.layer.geometry.chunk_count;
        let end = self.place.end;
        let each = IndexEntry::LENGTH as u64;
        let expected = Expected { nbytes: Some(each * count), item_size: Some(each), ..Expected::default() };
        if count == 0 {
            indexes.push(Index { bytes: Cow::Borrowed(&[]), end, extent: None, is_new: false });
            return Ok(indexes);
        }
        if let Some(rest) = self.bytes.get(end..)
            && let Some(chunk) = judge_chunk(rest, rest.len() as u64, expected, &mut Findings::default())
        {
            let bytes = Cow::Borrowed(&rest[..chunk.cbytes as usize]);
            indexes.push(Index { bytes, end, extent: None, is_new: false });
        }
        let (chunks, found_end) = self.chunks(options)?;
        if chunks.len() as u64 == count {
            // If there are bytes after the last chunk, some chunks replaced others, so their order is unknown.
            if found_end == end {
                indexes.push(Index { bytes: index(&chunks)?.into(), end, extent: None, is_new: true });
            }
        } else if let Some((kept, extent)) = self.whole_rows(chunks.len() as u64, found_end) {
            let end = match chunks.get(kept) {
                Some(IndexEntry::At(offset)) => self.place.start + *offset as usize,
                _ => found_end,
            };
            let bytes = index(&chunks[..kept])?.into();
            indexes.push(Index { bytes, end, extent: Some(extent), is_new: true });
        }
        Ok(indexes)
    }

    /// Finds the complete consecutive chunks and the end of the last one.
    fn chunks(&self, options: &Options) -> Result<(Vec<IndexEntry>, usize)> {
        let geometry = &self.layer.geometry;
        let Some(stored) = self.bytes.get(self.place.start..self.place.end.min(self.bytes.len())) else {
            return Ok((Vec::new(), self.place.start));
        };
        let (mut chunks, mut at) = (Vec::new(), 0);
        for number in 0..geometry.chunk_count {
            if number % CHUNKS_AT_ONCE == 0 {
                options.limits.ensure_time()?;
                ensure_room(self.bytes.len() + chunks.len() * size_of::<IndexEntry>(), options.limits)?;
            }
            let rest = &stored[at..];
            let expected = self.frame.expected(number, geometry.demanded_blocks());
            let mut findings = Findings::default();
            let Some(chunk) = judge_chunk(rest, rest.len() as u64, expected, &mut findings) else { break };
            chunks.push(IndexEntry::At(at as u64));
            at += chunk.cbytes as usize;
        }
        Ok((chunks, self.place.start + at))
    }

    /// The number of chunks that form complete rows along the first axis, and the length of these rows along that axis. `None` if
    /// some of the chunks may be missing from the file, so that the positions of the others are unknown.
    fn whole_rows(&self, found: u64, end: usize) -> Option<(usize, u64)> {
        let geometry = &self.layer.geometry;
        let first = geometry.axes.first()?;
        let lacking = (self.place.end - end) as u64;
        let longest = self.frame.chunk_bytes(0).checked_add(LONGEST_HEADER)?;
        if found + lacking.div_ceil(longest) < geometry.chunk_count {
            return None;
        }
        let of_row = geometry.chunk_count.checked_div(first.chunks())?;
        let rows = found.checked_div(of_row).filter(|&rows| rows > 0)?;
        Some(((rows * of_row) as usize, rows * first.chunk))
    }

    /// Possible original trailers, starting with the most certain one. The last one is newly created.
    fn trailers(&self, index: &Index<'_>) -> Result<Vec<Tail<'b>>> {
        let whole = usize::try_from(self.frame_length()).ok().and_then(|length| self.bytes.get(..length));
        let tail = whole.and_then(|whole| {
            let at = (whole.len() as u64).checked_sub(TrailerTail::MIN_SIZE)?;
            let tail = read::<TrailerTail>(Source::new(whole).at(at), Endian::Big, ()).ok()?;
            Some((whole, tail))
        });
        let mut trailers = Vec::new();
        if let Some((whole, tail)) = tail {
            let start = whole.len().checked_sub(tail.trailer_length.0 as usize);
            if let Some(start) = start.filter(|&start| start >= self.place.start) {
                trailers.push(Tail { bytes: Cow::Borrowed(&whole[start..]), is_new: false });
            }
            // If the stated length is wrong, the trailer may begin where the index ends.
            let own = whole.get(index.end + index.bytes.len()..).filter(|_| !index.is_new);
            if let Some(own) = own.filter(|own| own.len() as u64 >= TrailerTail::MIN_SIZE) {
                let tail = TrailerTail { trailer_length: Uint32(own.len() as u32), ..tail };
                let mut bytes = own[..own.len() - TrailerTail::MIN_SIZE as usize].to_vec();
                bytes.extend(write(&tail, Endian::Big).expect("a tail can be written"));
                trailers.push(Tail { bytes: bytes.into(), is_new: false });
            }
        }
        trailers.push(Tail { bytes: trailer(&Contents::default())?.into(), is_new: true });
        Ok(trailers)
    }

    /// The length of the frame according to its header.
    fn frame_length(&self) -> u64 {
        read::<Header>(Source::new(self.bytes), Endian::Big, ()).map_or(0, |header| header.frame_length.0)
    }

    /// Assembles the frame with this index and trailer.
    fn mended(&self, index: &Index<'_>, trailer: &Tail<'_>) -> Option<Mended> {
        let mut header = read::<Header>(Source::new(self.bytes), Endian::Big, ()).ok()?;
        let (old_length, had_attributes) = (header.frame_length.0, header.has_attributes.is_true());
        let chunks = self.bytes.get(self.place.start..index.end)?;
        header.cbytes = Int64(chunks.len() as i64);
        header.has_attributes = Bool::from(had_attributes && !trailer.is_new);
        let mut changes = Changes::default();
        if index.is_new {
            let kept = self.kept_chunks(index);
            header.nbytes = Int64((kept * self.frame.chunk_bytes(0)) as i64);
            changes.new_index(kept, self.layer.geometry.chunk_count);
        }
        if trailer.is_new {
            changes.new_trailer(had_attributes);
        }
        let mut bytes = framed(self.bytes, header, &[chunks, &index.bytes, &trailer.bytes])?;
        if let Some(extent) = index.extent {
            let old = self.shorten(&mut bytes, extent)?;
            changes.done.push(format!("the first dimension is {extent} instead of {old}"));
            let lost = counted(old as u64 - extent, "item");
            changes.given_up.push(format!("{lost} of {old} along the first axis"));
        }
        if let Cow::Owned(_) = trailer.bytes
            && !trailer.is_new
        {
            changes.done.push("the trailer states its length".to_owned());
        }
        let kept = chunks.len() + index.bytes.len() + trailer.bytes.len() + self.place.start;
        if let Some(dropped @ 1..) = self.bytes.len().checked_sub(kept).filter(|_| !index.is_new && !trailer.is_new) {
            changes.given_up.push(count_of_bytes(dropped as u64));
            changes.drops = true;
        }
        if bytes.len() as u64 != old_length {
            changes.done.push(format!("the header says {} bytes instead of {old_length}", bytes.len()));
        }
        Some(changes.mended(bytes))
    }

    /// The number of chunks that a new index lists.
    fn kept_chunks(&self, index: &Index<'_>) -> u64 {
        let geometry = &self.layer.geometry;
        let first = geometry.axes.first().map_or(1, |axis| axis.chunks());
        let rows = index.extent.zip(geometry.axes.first()).map_or(first, |(extent, axis)| extent / axis.chunk);
        geometry.chunk_count / first.max(1) * rows
    }

    /// Changes the length of the first axis in a frame and returns the previous length.
    fn shorten(&self, frame: &mut [u8], extent: u64) -> Option<i64> {
        let mut layer = self.layer.layer.clone();
        let old = std::mem::replace(&mut layer.shape.extents.first_mut()?.0, extent as i64);
        let (place, layer) = (array_metalayer(&self.frame)?, write(&layer, Endian::Big).ok()?);
        let place = frame.get_mut(place.start as usize..place.end as usize)?;
        if place.len() != layer.len() {
            return None;
        }
        place.copy_from_slice(&layer);
        Some(old)
    }
}

impl Changes {
    /// Describes a new index that lists `kept` of the chunks.
    fn new_index(&mut self, kept: u64, chunks: u64) {
        self.done.push(format!("the index is rebuilt from {} in the order of the file", counted(kept, "chunk")));
        if chunks > 1 {
            let order = "the order of the chunks, if it was not that in the file: only the index had it";
            self.given_up.push(order.to_owned());
            self.drops = true;
        }
    }

    fn new_trailer(&mut self, had_attributes: bool) {
        self.done.push("the trailer is rebuilt".to_owned());
        if had_attributes {
            self.given_up.push("the attributes (vlmeta) in the trailer".to_owned());
        }
    }

    fn mended(self, bytes: Vec<u8>) -> Mended {
        let mended = Mended::new(bytes, self.done.join("; "));
        match self.given_up.join("; ") {
            nothing if nothing.is_empty() => mended,
            given_up => Mended { drops: self.drops, ..mended.giving_up(given_up) },
        }
    }
}

/// Builds a frame from a header, the metalayers in the file, and the parts after the header.
fn framed(file: &[u8], mut header: Header, parts: &[&[u8]]) -> Option<Vec<u8>> {
    let whole = usize::try_from(header.header_length.0).ok()?;
    let before = (length_of(&header, Endian::Big) - length_of(&header.metalayers, Endian::Big)) as usize;
    let metalayers = file.get(before..whole)?;
    header.frame_length = Uint64((whole + parts.iter().map(|part| part.len()).sum::<usize>()) as u64);
    let mut bytes = write(&header, Endian::Big).ok()?;
    bytes.truncate(before);
    bytes.extend_from_slice(metalayers);
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
    Some(bytes)
}
