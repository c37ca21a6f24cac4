//! Complete valid gzip files: a file of any format, divided into members.

use super::super::contained;
use super::super::deflate::deflated;
use super::super::forged_file::{Content, ForgedFile};
use super::file_parts::{FileParts, Member, extra, put_together, text};
use everybyte::forge::Choices;
use ndbytes_schemas::gzip::Header;

/// The maximum number of members after the first one.
const MEMBERS: u64 = 3;

/// Names of files, as programs write them into headers.
const NAMES: [&str; 3] = ["train-images.idx", "a", "t10k-labels-idx1-ubyte"];

/// Creates a header, with some of the optional fields.
pub(crate) fn header(choices: &mut Choices<'_>) -> Header {
    if !choices.one_in(2) {
        return Header::plain();
    }
    let mut header = Header::plain();
    header.mtime = if choices.one_in(2) { choices.any() as u32 } else { 0 };
    header.extra_flags = *choices.pick(&[0, 2, 4]);
    header.os = *choices.pick(&[255, 3, 0, 11]);
    header.flags = header.flags.with_text(choices.one_in(4));
    if choices.one_in(3) {
        let length = choices.below(6) as usize;
        let fields = [&b"Ap"[..], &(length as u16).to_le_bytes(), &choices.bytes(length)].concat();
        header.extra = extra(fields);
    }
    if choices.one_in(2) {
        header.name = text(choices.pick::<&str>(&NAMES));
    }
    if choices.one_in(4) {
        header.comment = text("made by hand");
    }
    if choices.one_in(3) {
        header.header_crc = Some(0);
    }
    header
}

/// Creates members with this content.
pub(crate) fn members(choices: &mut Choices<'_>, bytes: &[u8]) -> FileParts {
    let count = 1 + choices.small(MEMBERS);
    let mut members = Vec::new();
    let mut rest = bytes;
    for number in 0..count {
        let is_last = number + 1 == count;
        let length = if is_last { rest.len() } else { choices.index(rest.len() + 1) };
        let (content, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        rest = after;
        let stream = deflated(choices, content);
        members.push(Member { header: header(choices), content: content.to_vec(), stream });
    }
    FileParts { members, rest: Vec::new() }
}

/// Creates a draft of a valid file, and its content.
pub(crate) fn draft(choices: &mut Choices<'_>, size: usize) -> (FileParts, Content) {
    let (_, whole) = contained::any(choices, size.saturating_sub(384));
    (members(choices, &whole.bytes), whole.content)
}

/// Creates a valid file.
pub(crate) fn whole(choices: &mut Choices<'_>, size: usize) -> ForgedFile {
    let (draft, content) = draft(choices, size);
    // Extra fields are short, so this cannot fail.
    ForgedFile::new(put_together(&draft).unwrap_or_default(), content)
}
