//! gzip: the wrapping in which IDX files travel.

use crate::Finding;
use crate::finding::bytes;
use crate::rule::{Reference, Rule};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use ndbytes_schemas::gzip::{Header, Trailer};
use ndbytes_schemas::{Endian, Source, read_next, write};

const SOURCE: &str = "RFC 1952";

static BAD_HEADER: Rule = Rule::error(
    "gzip/bad-header",
    Reference::Refuses,
    "A gzip member begins with a whole header: the method is deflate, and the three reserved flag bits are clear, since \
     a reader cannot know what else they would bring.",
    "RFC 1952, section 2.3.1",
);
static HEADER_CRC: Rule = Rule::error(
    "gzip/header-crc",
    Reference::Refuses,
    "Where a gzip header carries a check sum of itself, it has to be right.",
    "RFC 1952, section 2.3.1",
);
/// The file ends inside a member.
pub(crate) static TRUNCATED: Rule = Rule::error(
    "gzip/truncated",
    Reference::Refuses,
    "The file ends inside a gzip member: part of it is missing.",
    SOURCE,
);
static CORRUPT_STREAM: Rule =
    Rule::error("gzip/corrupt-stream", Reference::Refuses, "The deflate stream of a member has to decode.", "RFC 1951");
static WRONG_CRC: Rule = Rule::error(
    "gzip/crc",
    Reference::Refuses,
    "The CRC-32 in a member's trailer has to be that of the inflated bytes.",
    "RFC 1952, section 2.3.1",
);
static WRONG_LENGTH: Rule = Rule::error(
    "gzip/length",
    Reference::Refuses,
    "The length in a member's trailer has to be that of the inflated bytes, modulo 2^32.",
    "RFC 1952, section 2.3.1",
);
static TRAILING_BYTES: Rule = Rule::error(
    "gzip/trailing-bytes",
    Reference::Refuses,
    "Behind the last member of a gzip file there is nothing, or another member.",
    "RFC 1952, section 2.2",
);
static ZERO_PADDING: Rule = Rule::warning(
    "gzip/zero-padding",
    Reference::Refuses,
    "Zeros behind the last member come from tape blocks and careless copies. They carry nothing.",
    "the manual of GNU gzip",
);

pub(crate) static RULES: &[&Rule] =
    &[&BAD_HEADER, &HEADER_CRC, &TRUNCATED, &CORRUPT_STREAM, &WRONG_CRC, &WRONG_LENGTH, &TRAILING_BYTES, &ZERO_PADDING];

/// Whether a file begins like a gzip member.
pub(crate) fn is_gzip(head: &[u8]) -> bool {
    head.starts_with(b"\x1f\x8b")
}

/// One member that was inflated to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Inflated {
    /// Its first byte in the file.
    pub start: u64,
    /// Bytes of its deflate stream.
    pub deflate_length: u64,
}

/// Inflates the members of a gzip file one after the other, and checks each.
pub(crate) struct Inflater<'a> {
    bytes: &'a [u8],
    position: usize,
    member: Option<Member>,
    done: bool,
    /// What ended the content before its time.
    pub failure: Option<Finding>,
    /// The members that were inflated to their end.
    pub members: Vec<Inflated>,
    /// What was found that does not stand in the way.
    pub warnings: Vec<Finding>,
}

/// The member that is being inflated.
struct Member {
    start: usize,
    deflate_start: usize,
    decompress: Decompress,
    crc: Crc,
}

impl<'a> Inflater<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Inflater {
            bytes,
            position: 0,
            member: None,
            done: false,
            failure: None,
            members: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Fills the buffer with inflated bytes; fewer only where the content ends, or where a `failure` ends it.
    pub fn fill(&mut self, buffer: &mut [u8]) -> usize {
        let mut filled = 0;
        while filled < buffer.len() && !self.done {
            if let Err(finding) = self.advance(buffer, &mut filled) {
                self.failure = Some(*finding);
                self.done = true;
            }
        }
        filled
    }

    /// One step: into a member, through it, or out of it.
    fn advance(&mut self, buffer: &mut [u8], filled: &mut usize) -> Result<(), Box<Finding>> {
        match &mut self.member {
            None => self.begin_member(),
            Some(member) => {
                let (input, output) = (&self.bytes[self.position..], &mut buffer[*filled..]);
                let (consumed, written) = (member.decompress.total_in(), member.decompress.total_out());
                let status = member.decompress.decompress(input, output, FlushDecompress::None);
                let consumed = (member.decompress.total_in() - consumed) as usize;
                let written = (member.decompress.total_out() - written) as usize;
                self.position += consumed;
                member.crc.update(&output[..written]);
                *filled += written;
                match status {
                    Ok(Status::StreamEnd) => self.end_member(),
                    Ok(_) if consumed > 0 || written > 0 => Ok(()),
                    Ok(_) => Err(self.broken(&TRUNCATED, "the file ends inside the deflate stream").into()),
                    Err(_) => Err(self.broken(&CORRUPT_STREAM, "the deflate stream does not decode").into()),
                }
            }
        }
    }

    /// Inflates the rest without keeping it, so that every member is checked; its length.
    pub fn drain(&mut self) -> u64 {
        let mut scratch = [0; 16 << 10];
        let mut length = 0;
        loop {
            match self.fill(&mut scratch) {
                0 => return length,
                filled => length += filled as u64,
            }
        }
    }

    /// Compressed bytes that were not looked at yet.
    pub fn left(&self) -> u64 {
        (self.bytes.len() - self.position) as u64
    }

    fn begin_member(&mut self) -> Result<(), Box<Finding>> {
        let rest = &self.bytes[self.position..];
        let tail = self.position as u64..self.bytes.len() as u64;
        if self.position > 0 && !is_gzip(rest) {
            self.done = true;
            let zero = rest.iter().all(|&byte| byte == 0);
            return match (rest.len(), zero) {
                (0, _) => Ok(()),
                (length, true) => {
                    let message = format!("{} behind the last gzip member, all zero", bytes(length as u64));
                    self.warnings.push(Finding::new(&ZERO_PADDING, "padding", tail, message));
                    Ok(())
                }
                (length, false) => {
                    let message = format!("{} behind the last gzip member, and no other member", bytes(length as u64));
                    Err(Finding::new(&TRAILING_BYTES, "", tail, message)
                        .help("the content before them is intact")
                        .into())
                }
            };
        }
        let start = self.position;
        let mut source = Source::new(self.bytes).at(start as u64);
        let header: Header = read_next(&mut source, Endian::Little, ()).map_err(|error| {
            Finding::unreadable(&BAD_HEADER, &error, format!("the gzip header cannot be read: {}", error.problem))
        })?;
        let place = |offset: usize| (start + offset) as u64..(start + offset + 1) as u64;
        if header.method != 8 {
            let finding = Finding::new(&BAD_HEADER, "header.method", place(2), "the compression method is not deflate");
            return Err(finding.expected(8).found(header.method).into());
        }
        if header.flags.reserved() != 0 {
            let finding = Finding::new(&BAD_HEADER, "header.flags.reserved", place(3), "reserved flags are set");
            return Err(finding.expected(0).found(format!("{:#05b}", header.flags.reserved())).into());
        }
        let end = source.position() as usize;
        if let Some(stored) = header.header_crc {
            let mut crc = Crc::new();
            crc.update(&self.bytes[start..end - 2]);
            let computed = crc.sum() as u16;
            if stored != computed {
                let place = (end - 2) as u64..end as u64;
                let finding = Finding::new(&HEADER_CRC, "header.header_crc", place, "the gzip header is damaged");
                return Err(finding.expected(format!("{computed:#06x}")).found(format!("{stored:#06x}")).into());
            }
        }
        self.position = end;
        let decompress = Decompress::new(false);
        self.member = Some(Member { start, deflate_start: end, decompress, crc: Crc::new() });
        Ok(())
    }

    fn end_member(&mut self) -> Result<(), Box<Finding>> {
        let member = self.member.take().expect("a member is being inflated");
        let start = self.position as u64;
        let mut source = Source::new(self.bytes).at(start);
        let trailer: Trailer = read_next(&mut source, Endian::Little, ())
            .map_err(|error| Finding::unreadable(&TRUNCATED, &error, "the file ends before the member's check sum"))?;
        let computed = Trailer { crc32: member.crc.sum(), inflated_length: member.decompress.total_out() as u32 };
        if trailer.crc32 != computed.crc32 {
            let message = "the inflated bytes are not those that were compressed";
            let finding = Finding::new(&WRONG_CRC, "trailer.crc32", start..start + 4, message);
            let (expected, found) = (format!("{:#010x}", computed.crc32), format!("{:#010x}", trailer.crc32));
            return Err(finding.expected(expected).found(found).into());
        }
        if trailer.inflated_length != computed.inflated_length {
            let message = "the member gives another length than it inflates to";
            let finding = Finding::new(&WRONG_LENGTH, "trailer.inflated_length", start + 4..start + 8, message);
            return Err(finding.expected(computed.inflated_length).found(trailer.inflated_length).into());
        }
        let deflate_length = (self.position - member.deflate_start) as u64;
        self.members.push(Inflated { start: member.start as u64, deflate_length });
        self.position = source.position() as usize;
        Ok(())
    }

    fn broken(&self, rule: &'static Rule, message: &str) -> Finding {
        let inflated = self.member.as_ref().map_or(0, |member| member.decompress.total_out());
        let at = self.position as u64;
        Finding::new(rule, "deflate", at..(at + 1).min(self.bytes.len() as u64), message)
            .help(format!("{} of this member could be inflated", bytes(inflated)))
    }
}

/// A gzip header as this library writes it: no name, no time, so that the same array gives the same file.
pub(crate) fn plain_header() -> Vec<u8> {
    let header = Header {
        method: 8,
        flags: ndbytes_schemas::gzip::Flags::from_raw(0),
        mtime: 0,
        extra_flags: 0,
        os: 255,
        extra: None,
        name: None,
        comment: None,
        header_crc: None,
    };
    write(&header, Endian::Little).expect("a header without optional fields can be written")
}
