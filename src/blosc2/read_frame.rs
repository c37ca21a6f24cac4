//! Reading and judging a frame: header, metalayers, index, trailer.

use super::chunk::header::{Chunk, Content, Expected, LONGEST_HEADER, header_node as chunk_node};
use super::chunk::judge::judge_chunk;
use super::chunk::loader::Loan;
use super::chunk::stored::StoredChunk;
use super::frame::{Frame, MOST_CHUNKS, header_node, trailer_node};
use super::index::Index;
use super::metalayers::{Around, content_places, judge_metalayers};
use super::repair::{NO_FRAME, Repair, read_repaired};
use crate::blosc2::rules;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reference, Rule};
use crate::findings::words::bytes;
use crate::format::is_frame;
use everybyte::{Layout, ParseError, Problem};
use ndbytes_schemas::b2nd::{METALAYER, OLD_METALAYER};
use ndbytes_schemas::blosc2::{
    Codec, FILTER_SLOTS, FrameKind, FrameVersion, Header, IndexEntry, Magic, OffsetWidth, Trailer, TrailerTail,
};
use std::cell::LazyCell;
use std::ops::Range;

/// The shortest header: one without metalayers.
const SHORTEST_HEADER: i64 = Header::MIN_SIZE as i64;

/// The shortest trailer: one without metalayers.
const SHORTEST_TRAILER: u64 = Trailer::MIN_SIZE;

/// Bytes of a trailer's tail.
const TAIL_LENGTH: u64 = TrailerTail::SIZE.expect("the tail has a fixed length");

/// Reads and judges a frame, or returns `None` if it is too broken to go on.
pub fn read_frame(input: &Input<'_>, findings: &mut Findings) -> Result<Option<Frame>> {
    Reader { input, findings }.frame()
}

struct Reader<'r> {
    input: &'r Input<'r>,
    findings: &'r mut Findings,
}

impl Reader<'_> {
    fn frame(mut self) -> Result<Option<Frame>> {
        let header = match self.input.parse(read_repaired::<Header>)? {
            Ok(header) => header,
            Err(error) => {
                let magic = Magic::TEXT_OFFSET..Magic::TEXT_OFFSET + Magic::TEXT.len() as u64;
                if !is_frame(self.input.head()) && magic.end <= self.input.length() {
                    self.findings.push(Finding::new(&rules::MAGIC, "magic", magic, NO_FRAME));
                }
                self.unreadable(&error, "header");
                return Ok(None);
            }
        };
        // In a file of another kind, the wrong magic is the first finding.
        let (magic, others): (Vec<_>, Vec<_>) = header.repairs.iter().partition(|repair| repair.field == "magic");
        self.findings.extend(magic.into_iter().chain(others).map(Repair::finding));
        let (parsed_length, header) = (header.end, header.value);
        let Some((header_length, frame_length)) = self.lengths(&header, parsed_length) else { return Ok(None) };
        self.flags(&header);
        self.settings(&header);
        if !self.sizes(&header) {
            return Ok(None);
        }
        let root = LazyCell::new(|| header_node(self.input));
        judge_metalayers(&header.metalayers, Around::Header, self.findings, |finding| finding.placed_by(&root));
        let Some(trailer_place) = self.trailer_place(header_length, frame_length)? else { return Ok(None) };
        let trailer = self.trailer(&trailer_place)?;
        if let Some(trailer) = &trailer {
            self.judge_trailer(&header, trailer, &trailer_place);
        }
        let nbytes = header.nbytes.0 as u64;
        let cbytes =
            if header.frame_type.kind() == FrameKind::SPARSE || nbytes == 0 { 0 } else { header.cbytes.0 as u64 };
        let index_start = header_length.saturating_add(cbytes).min(trailer_place.start);
        let metalayer_places = content_places(&header.metalayers, Around::Header);
        let of_trailer = |trailer: &Trailer| content_places(&trailer.attributes, Around::Trailer(trailer_place.start));
        let attribute_places = trailer.as_ref().map(of_trailer).unwrap_or_default();
        let mut frame = Frame {
            header,
            header_length,
            metalayer_places,
            attribute_places,
            trailer,
            index_place: index_start..trailer_place.start,
            trailer_place,
            index_chunk: None,
            index: Index::default(),
        };
        if nbytes == 0 {
            let place = frame.index_place.clone();
            if !place.is_empty() {
                let message = format!(
                    "the frame has no chunks, but {} between the header and the trailer",
                    bytes(place.end - place.start)
                );
                let finding = Finding::new(&rules::UNCLAIMED_BYTES, "", place, message);
                self.findings.push(finding.with_reference(Reference::Refuses));
            }
            return Ok(Some(frame));
        }
        let Header { flags, chunksize, .. } = &frame.header;
        let is_variable = flags.variable_chunks() || flags.variable_blocks() || chunksize.0 == 0;
        if is_variable && !is_array(&frame.header) {
            return Ok(Some(frame));
        }
        match self.index(&frame)? {
            Some((chunk, index)) => {
                frame.index_chunk = Some(chunk);
                frame.index = index;
                Ok(Some(frame))
            }
            None => Ok(None),
        }
    }

    fn unreadable(&mut self, error: &ParseError, what: &str) {
        let (rule, message): (&'static Rule, _) = match &error.problem {
            Problem::End { left, .. } => {
                (&rules::TRUNCATED_FRAME, format!("the {what} is cut off: {} left", bytes(*left)))
            }
            Problem::TooMany { count: u64::MAX, .. } if error.path.ends_with("bytes") => {
                (&rules::METALAYER_LENGTH, format!("a metalayer of the {what} has a negative length"))
            }
            Problem::TooMany { count, .. } if error.path.ends_with("bytes") => {
                (&rules::METALAYER_LENGTH, format!("a metalayer of {} does not fit the {what}", bytes(*count)))
            }
            Problem::TooMany { count, .. } => {
                (&rules::METALAYER_COUNT, format!("{count} metalayers do not fit the {what}"))
            }
            Problem::WrongMagic { .. } => (&rules::WRONG_MARKER, format!("the {what} has too many wrong markers")),
            Problem::Unavailable => (&rules::HEADER_LENGTH, format!("the {what} is longer than any writer makes it")),
            problem => (&rules::TRUNCATED_FRAME, format!("the {what} cannot be read: {problem}")),
        };
        // C-Blosc2 reads the trailer late, and of the header's metalayers the first one early.
        let is_late = what == "trailer" || rule == &rules::METALAYER_LENGTH && !error.path.contains("contents[0]");
        let reference = match () {
            () if is_late => Reference::Unforeseen,
            () if rule == &rules::WRONG_MARKER => Reference::Refuses,
            () => rule.reference,
        };
        self.findings.push(Finding::unreadable(rule, error, message).with_reference(reference));
    }

    /// Adds a finding about a field of the header.
    fn say(&mut self, rule: &'static Rule, field: &str, message: impl Into<String>) {
        self.say_of(rule, rule.reference, field, message);
    }

    /// The same, about a field to which C-Blosc2 reacts differently.
    fn say_of(&mut self, rule: &'static Rule, reference: Reference, field: &str, message: impl Into<String>) {
        let input = self.input;
        self.findings.push_with(rule, || {
            Finding::new(rule, field, 0..0, message).placed_by(&header_node(input)).with_reference(reference)
        });
    }

    /// The lengths of the header and of the frame, if they are possible.
    fn lengths(&mut self, header: &Header, parsed: u64) -> Option<(u64, u64)> {
        let frame_length = header.frame_length.0;
        let header_length = i64::from(header.header_length.0);
        if header_length < SHORTEST_HEADER || header_length as u64 > frame_length {
            let message = format!("the header claims {header_length} bytes in a frame of {frame_length}");
            self.say(&rules::HEADER_LENGTH, "header_length", message);
            return None;
        }
        let header_length = header_length as u64;
        if header_length != parsed {
            let message = format!("the header claims {}, but its parts take {parsed}", bytes(header_length));
            let reference = if header_length > parsed { Reference::Accepts } else { Reference::Refuses };
            self.say_of(&rules::HEADER_LENGTH, reference, "header_length", message);
        }
        let length = self.input.length();
        if frame_length > length {
            let message = format!("the frame claims {}, but the file has {length}", bytes(frame_length));
            self.say(&rules::TRUNCATED_FRAME, "frame_length", message);
            return None;
        }
        if frame_length < length {
            let message = format!("the file has {} after the frame", bytes(length - frame_length));
            let finding = Finding::new(&rules::TRAILING_BYTES, "", frame_length..length, message);
            self.findings.push(finding.help("cut the file off after the frame, if nothing else is kept there"));
        }
        Some((header_length, frame_length))
    }

    /// Judges the version, the flags, and the bits that have to be zero.
    fn flags(&mut self, header: &Header) {
        let flags = header.flags;
        let version = flags.version();
        if version.name().is_none() {
            let message = format!("version {} of the frame format is not known", version.0);
            let reference = if version < FrameVersion::BETA { Reference::Accepts } else { Reference::Refuses };
            self.say_of(&rules::FRAME_VERSION, reference, "flags", message);
        }
        let width = flags.offset_width();
        if width != OffsetWidth::BITS_64 {
            let known = OffsetWidth::BITS_64;
            let message =
                format!("offsets of code {} are not defined; only {}, {}, is", width.0, known.0, known.words());
            self.say_of(&rules::FRAME_VERSION, Reference::Accepts, "flags", message);
        }
        // Empty arrays whose chunks have no extent are marked so.
        let is_empty = header.nbytes.0 == 0;
        let is_variable = flags.variable_blocks() || flags.variable_chunks() && !is_empty;
        if is_variable && is_array(header) {
            self.say(&rules::VARIABLE_CHUNKS, "flags", "the frame says that its chunks or blocks differ in length");
        }
        let is_sparse = match header.frame_type.kind() {
            FrameKind::CONTIGUOUS => false,
            FrameKind::SPARSE => true,
            FrameKind(kind) => {
                let message = format!("frames of type {kind} are not defined");
                self.say(&rules::FRAME_TYPE, "frame_type", message);
                self.input.folder().is_some()
            }
        };
        if is_sparse != self.input.folder().is_some() {
            let message = match is_sparse {
                true => "the chunks of this frame are files beside it, but it does not stand in a folder of its own",
                false => "the frame holds its chunks itself, but it stands in a folder as one of a sparse frame does",
            };
            let input = self.input;
            self.findings.push_with(&rules::FRAME_TYPE, || {
                let finding =
                    Finding::new(&rules::FRAME_TYPE, "frame_type", 0..0, message).placed_by(&header_node(input));
                if is_sparse { finding.help("open the folder, not the file in it") } else { finding }
            });
        }
        let reserved = [
            // C-Blosc2 compares the whole byte.
            (header.frame_type.reserved() != 0, "frame_type", Reference::Refuses),
            (header.splitting.reserved() != 0, "splitting", Reference::Accepts),
            (header.writer_flags.reserved() != 0, "writer_flags", Reference::Accepts),
            (!header.reserved.are_zero(), "reserved", Reference::Accepts),
        ];
        for (is_set, field, reference) in reserved {
            if is_set {
                self.say_of(&rules::FRAME_RESERVED, reference, field, "unused bits are set");
            }
        }
        let slots = usize::from(header.filter_slots.0);
        if slots > FILTER_SLOTS {
            let message = format!("the frame allows {slots} filters in a row, but there is room for {FILTER_SLOTS}");
            self.say(&rules::FILTER_SLOTS, "filter_slots", message);
        }
    }

    /// Judges the writer's settings, which no reader needs.
    fn settings(&mut self, header: &Header) {
        let undefined = header.filters.used().find(|id| id.name().is_none() && !id.is_of_user());
        if let Some(id) = undefined {
            self.say(&rules::DEFAULT_FILTER, "filters", format!("filter {} is not defined", id.0));
        }
        if let Some(large) = header.filter_meta.iter().find(|&&parameter| parameter >= 128) {
            let message =
                format!("a filter has the parameter {large}, which python-blosc2 takes for a negative number");
            self.say(&rules::FILTER_PARAMETER, "filter_meta", message);
        }
        let flags = header.flags;
        if flags.version() == FrameVersion::VARIABLE && !flags.variable_chunks() && !flags.variable_blocks() {
            let message = "version 3 is for chunks or blocks that differ in length, but these do not";
            self.say(&rules::WRITER_SETTINGS, "flags", message);
        }
        let (codec, twice) = (header.compression.codec(), header.user_codec);
        let contradicts = |once: &str| format!("the codec is {once} in one place, but {} in the other", twice.words());
        match codec.format() {
            None if codec == Codec::REGISTERED => {
                if !twice.is_plugin() {
                    self.say(&rules::WRITER_SETTINGS, "user_codec", contradicts("a plugin"));
                }
            }
            None => {
                let message = format!("codec {} is not defined", codec.0);
                self.say(&rules::WRITER_SETTINGS, "compression", message);
            }
            // The first writers left it zero.
            Some(_) if twice.0 != 0 && twice != codec => {
                self.say(&rules::WRITER_SETTINGS, "user_codec", contradicts(codec.words()));
            }
            Some(_) => {}
        }
        let level = header.compression.level();
        if level > 9 {
            self.say(
                &rules::WRITER_SETTINGS,
                "compression",
                format!("the level of compression is {level}, but 9 is the highest"),
            );
        }
        let threads =
            [("compress_threads", header.compress_threads.0), ("decompress_threads", header.decompress_threads.0)];
        for (field, threads) in threads {
            if threads < 0 {
                self.say(&rules::WRITER_SETTINGS, field, format!("the writer cannot have had {threads} threads"));
            }
        }
        let slots = usize::from(header.filter_slots.0);
        if slots < FILTER_SLOTS {
            let message = format!("the writer applies {slots} filters in a row, but there is room for {FILTER_SLOTS}");
            self.say(&rules::WRITER_SETTINGS, "filter_slots", message);
        }
    }

    /// Judges the lengths of items, blocks and chunks. Returns false if they are too broken to go on.
    fn sizes(&mut self, header: &Header) -> bool {
        let is_empty = header.nbytes.0 == 0;
        let least = [
            ("nbytes", header.nbytes.0, 0),
            ("cbytes", header.cbytes.0, 0),
            ("typesize", header.typesize.0.into(), 1),
            ("blocksize", header.blocksize.0.into(), 0),
            ("chunksize", header.chunksize.0.into(), if is_empty { -1 } else { 0 }),
        ];
        let mut possible = true;
        for (field, value, least) in least {
            if value < least {
                let reference = if field == "typesize" { Reference::Refuses } else { Reference::Unforeseen };
                let message = format!("{field} is {value}, but has to be at least {least}");
                self.say_of(&rules::FRAME_SIZES, reference, field, message);
                possible = false;
            }
        }
        if possible && !is_empty && header.chunksize.0 == 0 && is_array(header) {
            let message = "the frame says that its chunks differ in length";
            self.say_of(&rules::VARIABLE_CHUNKS, Reference::Unforeseen, "chunksize", message);
            return false;
        }
        possible
    }

    /// Finds the trailer, whose last bytes state its length.
    fn trailer_place(&mut self, header_length: u64, frame_length: u64) -> Result<Option<Range<u64>>> {
        let room = frame_length - header_length;
        if room < SHORTEST_TRAILER {
            let message = format!(
                "a trailer takes at least {SHORTEST_TRAILER} bytes, but only {} are left after the header",
                bytes(room)
            );
            self.say(&rules::TRAILER_LENGTH, "frame_length", message);
            return Ok(None);
        }
        let start = frame_length - TAIL_LENGTH;
        let tail =
            match self.input.parse_at(start, |source| read_repaired::<TrailerTail>(source.until(frame_length)))? {
                Ok(tail) => tail,
                Err(error) => {
                    self.unreadable(&error, "trailer");
                    return Ok(None);
                }
            };
        let length = u64::from(tail.value.trailer_length.0);
        if !(SHORTEST_TRAILER..=room).contains(&length) {
            let message = format!("the trailer claims {}, but can have {SHORTEST_TRAILER} to {room}", bytes(length));
            for repair in &tail.repairs {
                self.findings.push(repair.finding().within("trailer.tail"));
            }
            self.findings.push(wrong_length(self.input, frame_length, message, tail.repairs.is_empty()));
            return Ok(None);
        }
        Ok(Some(frame_length - length..frame_length))
    }

    fn trailer(&mut self, place: &Range<u64>) -> Result<Option<Trailer>> {
        let parsed = self.input.parse_at(place.start, |source| read_repaired::<Trailer>(source.until(place.end)))?;
        match parsed {
            Ok(trailer) => {
                for repair in &trailer.repairs {
                    self.findings.push(repair.finding().within("trailer"));
                }
                if trailer.end != place.end {
                    let message = format!(
                        "the trailer claims {}, but its parts take {}",
                        bytes(place.end - place.start),
                        trailer.end - place.start
                    );
                    self.findings.push(wrong_length(self.input, place.end, message, trailer.repairs.is_empty()));
                }
                Ok(Some(trailer.value))
            }
            Err(mut error) => {
                error.path = format!("trailer.{}", error.path);
                self.unreadable(&error, "trailer");
                Ok(None)
            }
        }
    }

    fn judge_trailer(&mut self, header: &Header, trailer: &Trailer, place: &Range<u64>) {
        let input = self.input;
        let root = LazyCell::new(|| trailer_node::<Trailer>(input, place));
        let placed = |finding: Finding| finding.placed_by(&root).within("trailer");
        if trailer.version != 1 {
            let message = format!("version {} of the trailer is not known", trailer.version);
            self.findings.push(placed(Finding::new(&rules::TRAILER_VERSION, "version", 0..0, message)));
        }
        let tail = &trailer.tail;
        if tail.fingerprint_type.0 != 0 || !tail.fingerprint.are_zero() {
            let field = if tail.fingerprint_type.0 != 0 { "tail.fingerprint_type" } else { "tail.fingerprint" };
            let message = "the frame has a fingerprint of an undefined kind";
            self.findings.push(placed(Finding::new(&rules::FINGERPRINT, field, 0..0, message)));
        }
        judge_metalayers(&trailer.attributes, Around::Trailer(place.start), self.findings, placed);
        let has_attributes = !trailer.attributes.contents.is_empty();
        if has_attributes != header.has_attributes.0 {
            let message = match has_attributes {
                true => "the header says that the trailer has no metalayers, but it has some",
                false => "the header says that the trailer has metalayers, but it has none",
            };
            self.say(&rules::ATTRIBUTES_FLAG, "has_attributes", message);
        }
    }

    /// Reads and judges the index, the chunk of the chunks' places.
    fn index(&mut self, frame: &Frame) -> Result<Option<(Chunk, Index)>> {
        let place = frame.index_place.clone();
        let room = place.end - place.start;
        let header = &frame.header;
        if !frame.is_sparse() && header.cbytes.0 as u64 > frame.trailer_place.start - frame.header_length {
            let message = format!("{} of chunks do not fit between header and trailer", bytes(header.cbytes.0 as u64));
            self.say(&rules::INDEX_PLACE, "cbytes", message);
            return Ok(None);
        }
        let count = (header.nbytes.0 as u64).div_ceil(header.chunksize.0 as u64);
        if count > MOST_CHUNKS {
            let message = format!("the frame has {count} chunks, but at most {MOST_CHUNKS} are possible");
            self.say(&rules::CHUNK_COUNT, "nbytes", message);
            return Ok(None);
        }
        let mut found = Findings::default();
        let mut head = vec![0; room.min(LONGEST_HEADER) as usize];
        self.input.read_at(&mut head, place.start)?;
        let each = IndexEntry::LENGTH as u64;
        let expected = Expected { nbytes: Some(each * count), item_size: Some(each), ..Expected::default() };
        let chunk = judge_chunk(&head, room, expected, &mut found);
        if let Some(chunk) = &chunk
            && chunk.cbytes != room
        {
            let message = format!("the index takes {}, but there are {room} up to the trailer", bytes(chunk.cbytes));
            let finding = Finding::new(&rules::INDEX_PLACE, "cbytes", 0..0, message);
            found.push(finding.placed_by(&chunk_node(&head)).with_reference(Reference::Accepts));
        }
        let of_index = |finding: Finding| {
            // These findings are harmless in a chunk of items. Whether they keep C-Blosc2 from reading the index depends on what it
            // holds.
            let reference = match finding.rule {
                rule if rule == &rules::CHUNK_LENGTH => Reference::Refuses,
                rule if rule == &rules::CHUNK_ITEM_SIZE => Reference::Unforeseen,
                rule if rule == &rules::CHUNK_STORED_LENGTH && finding.reference == Reference::Accepts => {
                    Reference::Unforeseen
                }
                _ => finding.reference,
            };
            finding.with_reference(reference).within("index").shifted(place.start)
        };
        self.findings.extend(found.into_vec().into_iter().map(of_index));
        let Some(chunk) = chunk else { return Ok(None) };
        let index = match chunk.content {
            Content::Zeros | Content::Uninitialised => Ok(Index::same(IndexEntry::At(0), count)),
            Content::Value(length) if length == each => {
                let mut entry = [0; IndexEntry::LENGTH];
                self.input.read_at(&mut entry, place.start + chunk.header_length)?;
                Ok(Index::same(IndexEntry::from_bytes(entry), count))
            }
            _ => {
                let stored = StoredChunk::within(self.input, place.clone());
                let budget = self.input.budget();
                Loan::new(budget).whole(&chunk, &stored, budget)?.map(Index::listed)
            }
        };
        Ok(match index {
            Ok(index) => Some((chunk, index)),
            Err(finding) => {
                self.findings.push(of_index(*finding));
                None
            }
        })
    }
}

/// Returns whether a metalayer makes an array of the frame.
fn is_array(header: &Header) -> bool {
    let mut entries = header.metalayers.directory.entries.iter();
    entries.any(|entry| [METALAYER, OLD_METALAYER].contains(&entry.name.bytes()))
}

/// The finding about the length that a trailer claims in its last bytes, which end at `end`.
fn wrong_length(input: &Input<'_>, end: u64, message: String, is_marked: bool) -> Finding {
    let tail = trailer_node::<TrailerTail>(input, &(end - TAIL_LENGTH..end));
    let reference = if is_marked { rules::TRAILER_LENGTH.reference } else { Reference::Unforeseen };
    let finding = Finding::new(&rules::TRAILER_LENGTH, "trailer_length", 0..0, message).with_reference(reference);
    finding.placed_by(&tail).within("trailer.tail")
}
