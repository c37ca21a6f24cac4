//! Reads and checks a frame: its header, metalayers, index and trailer.
//!
//! The header states its own length and that of the frame. The trailer is located from the end of the frame, because its last bytes
//! state its length. The chunks follow the header and occupy `cbytes` bytes. The index is between them and the trailer. Each of
//! these numbers depends on the previous ones, so reading stops (`None`) at the first impossible one. All other violations are
//! reported, and reading continues.

use super::frame::{Frame, header_nodes, trailer_nodes};
use super::index::Index;
use super::metalayers::{Around, content_places, is_array, judge_metalayers};
use super::repair::{NO_FRAME, Repair, read_repaired};
use crate::blosc2::rules;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reference, Rule};
use crate::findings::words::bytes;
use crate::format::is_frame;
use everybyte::{Layout, ParseError, error::Problem};
use ndbytes_schemas::blosc2::{FrameKind, Header, Magic, Trailer, TrailerTail};
use std::cell::LazyCell;
use std::ops::Range;

/// The shortest trailer: one without metalayers.
const SHORTEST_TRAILER: u64 = Trailer::MIN_SIZE;

/// The length of a trailer's tail in bytes.
const TAIL_LENGTH: u64 = TrailerTail::SIZE.expect("the tail has a fixed length");

/// Reads and checks a frame; `None` if it is too damaged for reading to continue.
pub fn read_frame(input: &Input<'_>, findings: &mut Findings) -> Result<Option<Frame>> {
    Reader { input, findings }.frame()
}

/// A frame that is being read, and the findings so far.
pub(super) struct Reader<'r> {
    pub input: &'r Input<'r>,
    pub findings: &'r mut Findings,
}

impl Reader<'_> {
    /// Reads the parts in order; `None` if the header is too damaged to locate the others.
    fn frame(mut self) -> Result<Option<Frame>> {
        let Some((header, parsed_length)) = self.header()? else { return Ok(None) };
        let Some(lengths) = self.lengths(&header, parsed_length) else { return Ok(None) };
        self.flags(&header);
        self.settings(&header);
        if !self.sizes(&header) {
            return Ok(None);
        }
        let root = LazyCell::new(|| header_nodes(self.input));
        judge_metalayers(&header.metalayers, Around::Header, self.findings, |finding| finding.placed_by(&root));
        let Some(mut frame) = self.without_index(header, lengths)? else { return Ok(None) };
        if frame.header.nbytes.0 == 0 {
            self.judge_no_chunks(&frame);
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

    /// Reads the header. Also returns the total length of its parts in bytes.
    fn header(&mut self) -> Result<Option<(Header, u64)>> {
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
        // If the file is of another kind, the invalid magic should be the first finding.
        let (magic, others): (Vec<_>, Vec<_>) = header.repairs.iter().partition(|repair| repair.field == "magic");
        self.findings.extend(magic.into_iter().chain(others).map(Repair::finding));
        Ok(Some((header.value, header.end)))
    }

    /// Reads the trailer and locates all parts.
    fn without_index(&mut self, header: Header, (header_length, frame_length): (u64, u64)) -> Result<Option<Frame>> {
        let Some(trailer_place) = self.trailer_place(header_length, frame_length)? else { return Ok(None) };
        let trailer = self.trailer(&trailer_place)?;
        if let Some(trailer) = &trailer {
            self.judge_trailer(&header, trailer, &trailer_place);
        }
        let is_apart = header.frame_type.kind() == FrameKind::SPARSE || header.nbytes.0 == 0;
        let cbytes = if is_apart { 0 } else { header.cbytes.0 as u64 };
        let index_start = header_length.saturating_add(cbytes).min(trailer_place.start);
        let metalayer_places = content_places(&header.metalayers, Around::Header);
        let of_trailer = |trailer: &Trailer| content_places(&trailer.attributes, Around::Trailer(trailer_place.start));
        let attribute_places = trailer.as_ref().map(of_trailer).unwrap_or_default();
        Ok(Some(Frame {
            header,
            header_length,
            metalayer_places,
            attribute_places,
            trailer,
            index_place: index_start..trailer_place.start,
            trailer_place,
            index_chunk: None,
            index: Index::default(),
        }))
    }

    /// Checks that the index of a frame without chunks is empty.
    fn judge_no_chunks(&mut self, frame: &Frame) {
        let place = frame.index_place.clone();
        if !place.is_empty() {
            let left = bytes(place.end - place.start);
            let message = format!("the frame has no chunks, but {left} between the header and the trailer");
            let finding = Finding::new(&rules::UNCLAIMED_BYTES, "", place, message);
            self.findings.push(finding.with_reference(Reference::Refuses));
        }
    }

    /// Reports why a part cannot be parsed.
    fn unreadable(&mut self, error: &ParseError, what: &str) {
        let (rule, message): (&'static Rule, _) = match &error.problem {
            Problem::End { left, .. } => {
                (&rules::TRUNCATED_FRAME, format!("the {what} is truncated: {} left", bytes(*left)))
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
            Problem::Unavailable => (&rules::HEADER_LENGTH, format!("the {what} is longer than any writer makes one")),
            problem => (&rules::TRUNCATED_FRAME, format!("the {what} cannot be read: {problem}")),
        };
        // C-Blosc2 reads the trailer late, but the first metalayer of the header early.
        let is_late = what == "trailer" || rule == &rules::METALAYER_LENGTH && !error.path.contains("contents[0]");
        let reference = match () {
            () if is_late => Reference::Unforeseen,
            () if rule == &rules::WRONG_MARKER => Reference::Refuses,
            () => rule.reference,
        };
        self.findings.push(Finding::unreadable(rule, error, message).with_reference(reference));
    }

    /// Adds a finding about a field of the header.
    pub fn say(&mut self, rule: &'static Rule, field: &str, message: impl Into<String>) {
        self.say_of(rule, rule.reference, field, message);
    }

    /// Like `say`, but for a field to which C-Blosc2 reacts differently.
    pub fn say_of(&mut self, rule: &'static Rule, reference: Reference, field: &str, message: impl Into<String>) {
        let input = self.input;
        self.findings.push_with(rule, || {
            Finding::new(rule, field, 0..0, message).placed_by(&header_nodes(input)).with_reference(reference)
        });
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

    /// Reads the trailer. Invalid markers in it are corrected, because C-Blosc2 ignores them.
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

    /// Checks the version, the fingerprint and the attributes flag.
    fn judge_trailer(&mut self, header: &Header, trailer: &Trailer, place: &Range<u64>) {
        let input = self.input;
        let root = LazyCell::new(|| trailer_nodes::<Trailer>(input, place));
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
        if has_attributes != header.has_attributes.is_true() {
            let message = match has_attributes {
                true => "the header says that the trailer has no metalayers, but it has some",
                false => "the header says that the trailer has metalayers, but it has none",
            };
            self.say(&rules::ATTRIBUTES_FLAG, "has_attributes", message);
        }
    }
}

/// Returns the finding about the length that a trailer claims in its last bytes, which end at `end`.
fn wrong_length(input: &Input<'_>, end: u64, message: String, is_marked: bool) -> Finding {
    let tail = trailer_nodes::<TrailerTail>(input, &(end - TAIL_LENGTH..end));
    let reference = if is_marked { rules::TRAILER_LENGTH.reference } else { Reference::Unforeseen };
    let finding = Finding::new(&rules::TRAILER_LENGTH, "trailer_length", 0..0, message).with_reference(reference);
    finding.placed_by(&tail).within("trailer.tail")
}
