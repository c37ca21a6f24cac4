//! Decompresses the members of a gzip file in order.
//!
//! A gzip file is a sequence of members, each with its own header, deflate stream, checksum and length. The decompressed file
//! consists of their contents, one after another. [`Inflater`] fills the buffers that its caller provides and never allocates based
//! on a length in the file. For the byte map, it records the positions of the first members only, because a file may consist of
//! millions of empty members.
//!
//! An error ends the content, but everything decompressed before it remains available to a caller that tolerates the error.

use super::rules;
use crate::bytes::input::Input;
use crate::bytes::pieces::Pieces;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::rule::Rule;
use crate::findings::words::bytes;
use everybyte::{
    BinRead, Endian, Layout, ParseError,
    trace::{read_next, trace},
};
use ndbytes_codecs::deflate::{Crc, Inflating, Step};
use ndbytes_schemas::gzip::{Header, Method, Trailer};

/// The maximum number of members that are recorded for the map.
const KEPT_MEMBERS: usize = 64;

/// A completely decompressed member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Inflated {
    /// The offset of its first byte in the file.
    pub start: u64,
    /// The length of its deflate stream in bytes.
    pub deflate_length: u64,
}

/// The completely decompressed members. All are counted, but only the first ones are recorded.
#[derive(Debug, Default)]
pub(crate) struct Members {
    /// The first members.
    pub first: Vec<Inflated>,
    /// The number of members.
    pub count: u64,
    /// The end of the last member.
    pub end: u64,
}

impl Members {
    /// Counts a member and records it if it is one of the first. A file may have any number of members.
    fn add(&mut self, member: Inflated, end: u64) {
        if self.first.len() < KEPT_MEMBERS {
            self.first.push(member);
        }
        self.count += 1;
        self.end = end;
    }
}

/// Decompresses the members of a gzip file one after another and checks each of them.
pub(crate) struct Inflater<'a> {
    stored: Pieces<'a>,
    position: u64,
    member: Option<Member>,
    done: bool,
    /// The error that ended the content early.
    failure: Option<Finding>,
    members: Members,
    /// Warnings: findings that did not prevent reading.
    warnings: Vec<Finding>,
}

/// The outcome of decompressing a file.
pub(crate) struct Outcome {
    pub members: Members,
    /// Warnings: findings that did not prevent reading.
    pub warnings: Vec<Finding>,
    /// The error that ended the content early.
    pub failure: Option<Finding>,
}

/// The member that is being decompressed.
struct Member {
    start: u64,
    deflate_start: u64,
    inflating: Inflating,
    crc: Crc,
}

impl<'a> Inflater<'a> {
    /// Creates an inflater that is positioned before the first member.
    pub fn new(input: &'a Input<'a>) -> Self {
        Inflater {
            stored: Pieces::new(input, 0..input.length()),
            position: 0,
            member: None,
            done: false,
            failure: None,
            members: Members::default(),
            warnings: Vec::new(),
        }
    }

    /// Fills the buffer with decompressed bytes. Returns a smaller number only if the content ends or is broken.
    ///
    /// # Errors
    /// [`Error::Limit`]; [`Error::Io`].
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() && !self.done {
            match self.advance(buffer, &mut filled) {
                Ok(()) => {}
                Err(Error::Invalid(finding)) => {
                    self.failure = Some(*finding);
                    self.done = true;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// Takes one step: into a member, through it, or out of it.
    fn advance(&mut self, buffer: &mut [u8], filled: &mut usize) -> Result<()> {
        let Some(member) = &mut self.member else { return self.begin_member() };
        let (input, output) = (self.stored.from(self.position)?, &mut buffer[*filled..]);
        let (consumed, written) = (member.inflating.consumed(), member.inflating.written());
        let step = member.inflating.step(input, output);
        let consumed = member.inflating.consumed() - consumed;
        let written = (member.inflating.written() - written) as usize;
        self.position += consumed;
        member.crc.update(&output[..written]);
        *filled += written;
        match step {
            Step::Ended => self.end_member(),
            Step::Went | Step::Beyond => Ok(()),
            Step::Starved => Err(self.broken(&rules::TRUNCATED, "the file ends inside the deflate stream").into()),
            Step::Corrupt(_) => Err(self.broken(&rules::CORRUPT_STREAM, "the deflate stream does not decode").into()),
        }
    }

    /// Decompresses the rest without keeping it, so that every member is checked. Returns its length.
    ///
    /// # Errors
    /// As for [`Inflater::fill`].
    pub fn drain(&mut self) -> Result<u64> {
        let mut scratch = [0; 16 << 10];
        let mut length = 0;
        loop {
            match self.fill(&mut scratch)? {
                0 => return Ok(length),
                filled => length += filled as u64,
            }
        }
    }

    /// The number of compressed bytes left.
    pub fn left(&self) -> u64 {
        self.stored.end() - self.position
    }

    /// The result so far.
    pub fn finish(self) -> Outcome {
        Outcome { members: self.members, warnings: self.warnings, failure: self.failure }
    }

    /// Reads the header of a member, or stops at bytes that do not begin a member.
    fn begin_member(&mut self) -> Result<()> {
        let start = self.position;
        let (header, end) = match self.parse::<Header>(start)? {
            Ok(parsed) => parsed,
            // Bytes without the magic do not begin a member.
            Err(error) if start > 0 && error.path == "magic" => {
                self.done = true;
                return self.judge_rest();
            }
            Err(error) => {
                let message = format!("the gzip header cannot be read: {}", error.problem);
                return Err(Finding::unreadable(&rules::BAD_HEADER, &error, message).into());
            }
        };
        if header.method != Method::DEFLATE {
            let message = "the compression method is not deflate";
            let finding = self.in_field::<Header>(start, &rules::BAD_HEADER, "method", message)?.within("header");
            return Err(finding.expected(Method::DEFLATE.0).found(header.method.0).into());
        }
        if header.flags.reserved() != 0 {
            let message = "reserved flags are set";
            let finding =
                self.in_field::<Header>(start, &rules::BAD_HEADER, "flags.reserved", message)?.within("header");
            return Err(finding.expected(0).found(format!("{:#05b}", header.flags.reserved())).into());
        }
        if let Some(stored) = header.header_crc {
            let computed = self.crc(start, end - size_of_val(&stored) as u64)?.sum() as u16;
            if stored != computed {
                let message = "the gzip header is damaged";
                let finding =
                    self.in_field::<Header>(start, &rules::HEADER_CRC, "header_crc", message)?.within("header");
                return Err(finding.expected(format!("{computed:#06x}")).found(format!("{stored:#06x}")).into());
            }
        }
        self.position = end;
        let inflating = Inflating::new(false);
        self.member = Some(Member { start, deflate_start: end, inflating, crc: Crc::new() });
        Ok(())
    }

    /// Reads a structure at an offset. Also returns the offset of its end.
    fn parse<T>(&mut self, offset: u64) -> Result<Result<(T, u64), Box<ParseError>>>
    where
        T: Layout + for<'b> BinRead<Args<'b> = ()>,
    {
        self.stored.parse(offset, |mut source| {
            let value = read_next::<T>(&mut source, Endian::Little, ())?;
            Ok((value, source.position()))
        })
    }

    /// A finding about a field of the structure at an offset.
    fn in_field<T>(&mut self, offset: u64, rule: &'static Rule, field: &str, message: &str) -> Result<Finding>
    where
        T: Layout + for<'b> BinRead<Args<'b> = ()>,
    {
        let finding = Finding::new(rule, field, offset..offset, message);
        let traced = self.stored.parse(offset, |source| {
            let (read, root) = trace::<T>(source, Endian::Little, ());
            read.map(|_| root)
        })?;
        // Another process may have changed the file in the meantime.
        Ok(match traced {
            Ok(root) => finding.placed_by(&root),
            Err(_) => finding,
        })
    }

    /// Computes the checksum of stored bytes.
    fn crc(&mut self, start: u64, end: u64) -> Result<Crc> {
        let mut crc = Crc::new();
        let mut position = start;
        while position < end {
            let piece = self.stored.from(position)?;
            let piece = &piece[..piece.len().min((end - position) as usize)];
            crc.update(piece);
            position += piece.len() as u64;
        }
        Ok(crc)
    }

    /// Checks the bytes after the last member.
    fn judge_rest(&mut self) -> Result<()> {
        let tail = self.position..self.stored.end();
        let length = bytes(tail.end - tail.start);
        let mut position = tail.start;
        loop {
            let piece = self.stored.from(position)?;
            if piece.iter().any(|&byte| byte != 0) {
                let message = format!("the file has {length} after its last gzip member");
                let finding = Finding::new(&rules::TRAILING_BYTES, "", tail, message);
                return Err(finding.help("the data before them is intact").into());
            }
            if piece.is_empty() {
                break;
            }
            position += piece.len() as u64;
        }
        if !tail.is_empty() {
            let message = format!("the file has {length} of zeros after its last gzip member");
            self.warnings.push(Finding::new(&rules::ZERO_PADDING, "padding", tail, message));
        }
        Ok(())
    }

    /// Reads the trailer of a member and checks the checksum and the length in it.
    fn end_member(&mut self) -> Result<()> {
        let member = self.member.take().expect("a member is being inflated");
        let start = self.position;
        let (trailer, end) = self.parse::<Trailer>(start)?.map_err(|error| {
            Finding::unreadable(&rules::TRUNCATED, &error, "the file ends before the member's checksum")
        })?;
        let computed = Trailer { crc32: member.crc.sum(), inflated_length: member.inflating.written() as u32 };
        if trailer.crc32 != computed.crc32 {
            let message = "the decompressed bytes do not match the checksum";
            let finding = self.in_field::<Trailer>(start, &rules::WRONG_CRC, "crc32", message)?.within("trailer");
            let (expected, found) = (format!("{:#010x}", computed.crc32), format!("{:#010x}", trailer.crc32));
            return Err(finding.expected(expected).found(found).into());
        }
        if trailer.inflated_length != computed.inflated_length {
            let message = "the decompressed length does not match the stated one";
            let finding =
                self.in_field::<Trailer>(start, &rules::WRONG_LENGTH, "inflated_length", message)?.within("trailer");
            return Err(finding.expected(computed.inflated_length).found(trailer.inflated_length).into());
        }
        self.members.add(Inflated { start: member.start, deflate_length: start - member.deflate_start }, end);
        self.position = end;
        Ok(())
    }

    /// A finding about the compressed bytes, at the position that was reached.
    fn broken(&self, rule: &'static Rule, message: &str) -> Finding {
        let inflated = self.member.as_ref().map_or(0, |member| member.inflating.written());
        let at = self.position;
        Finding::new(rule, "deflate", at..(at + 1).min(self.stored.end()), message)
            .help(format!("{} of this member could be decompressed", bytes(inflated)))
    }
}
