//! Splits gzip files into parts and builds them.

use super::super::deflate::{crc32, inflated, plainly_deflated};
use everybyte::{Endian, Source, read, text::NulString, trace::read_next, write};
use ndbytes_schemas::gzip::{Extra, Header};

/// The maximum number of bytes to which a file is inflated.
const MOST: usize = 1 << 20;

/// The length of a trailer in bytes.
const TRAILER: usize = 8;

/// A gzip file.
#[derive(Debug, Clone)]
pub(crate) struct FileParts {
    /// The members.
    pub members: Vec<Member>,
    /// The bytes after the last member.
    pub rest: Vec<u8>,
}

/// A member.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// The header, whose checksum is computed.
    pub header: Header,
    /// The inflated bytes.
    pub content: Vec<u8>,
    /// The deflate stream.
    pub stream: Vec<u8>,
}

impl Member {
    /// Sets the content, and the stream for it.
    pub fn set(&mut self, content: Vec<u8>) {
        self.stream = plainly_deflated(&content);
        self.content = content;
    }
}

/// Returns the bytes of a header; its flags and its checksum follow from its fields.
pub(crate) fn header(header: &Header) -> Option<Vec<u8>> {
    let Header { extra, name, comment, header_crc, flags, .. } = header;
    let flags = flags.with_extra(extra.is_some()).with_name(name.is_some()).with_comment(comment.is_some());
    let flags = flags.with_header_crc(header_crc.is_some());
    let without = Header { header_crc: None, flags, ..header.clone() };
    let mut bytes = write(&without, Endian::Little).ok()?;
    if header_crc.is_some() {
        let sum = crc32(&bytes) as u16;
        bytes.extend(sum.to_le_bytes());
    }
    Some(bytes)
}

/// Builds a file; returns `None` if its fields do not fit into a header.
pub(crate) fn put_together(draft: &FileParts) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    for member in &draft.members {
        file.extend(header(&member.header)?);
        file.extend(&member.stream);
        file.extend(crc32(&member.content).to_le_bytes());
        file.extend((member.content.len() as u32).to_le_bytes());
    }
    file.extend(&draft.rest);
    Some(file)
}

/// Splits a file into parts; returns `None` if it has no complete member.
pub(crate) fn take_apart(file: &[u8]) -> Option<FileParts> {
    let mut members = Vec::new();
    let (mut at, mut room) = (0, MOST);
    while let Some((member, end)) = member(file, at, room) {
        room -= member.content.len();
        at = end;
        members.push(member);
    }
    let rest = file.get(at..)?.to_vec();
    (!members.is_empty()).then_some(FileParts { members, rest })
}

/// Returns the member at an offset and its end.
fn member(file: &[u8], start: usize, most: usize) -> Option<(Member, usize)> {
    // Parsing a missing header would produce a long error.
    file.get(start..).filter(|rest| !rest.is_empty())?;
    let mut source = Source::new(file).at(start as u64);
    let header: Header = read_next(&mut source, Endian::Little, ()).ok()?;
    let begin = source.position() as usize;
    let (content, length) = inflated(file.get(begin..)?, most)?;
    let end = begin + length;
    let stream = file.get(begin..end)?.to_vec();
    file.get(end..end + TRAILER)?;
    Some((Member { header, content, stream }, end + TRAILER))
}

/// Creates an extra field with this content.
pub(crate) fn extra(fields: Vec<u8>) -> Option<Extra> {
    Some(Extra { fields })
}

/// Creates a zero-terminated text.
pub(crate) fn text(text: &str) -> Option<NulString> {
    let bytes = [text.as_bytes(), b"\0"].concat();
    read(Source::new(&bytes), Endian::Little, ()).ok()
}
