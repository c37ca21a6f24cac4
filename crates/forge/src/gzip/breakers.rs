//! Breakers of the rules of gzip.

use super::super::deflate::plainly_deflated;
use super::super::forged_file::ForgedFile;
use super::super::idx;
use super::super::kind_driver::Breaker;
use super::file_parts::{FileParts, put_together};
use super::valid;
use everybyte::forge::Choices;

/// The size of the files that breakers start from.
const SIZE: usize = 512;

/// The breakers.
pub(crate) static BREAKERS: &[Breaker] = &[
    Breaker::new("gzip/compressed", file, ""),
    Breaker::new("gzip/bad-header", file, "repair nothing\nset member[0].header.method = 7"),
    Breaker::new("gzip/header-crc", with_header_crc, ""),
    Breaker::new("gzip/truncated", file, "repair nothing\ncut end - 3"),
    Breaker::new("gzip/corrupt-stream", corrupt, ""),
    Breaker::new("gzip/crc", wrong_crc, ""),
    Breaker::new("gzip/length", wrong_length, ""),
    Breaker::new("gzip/trailing-bytes", file, "append \"more\""),
    Breaker::new("gzip/zero-padding", file, "append x\"000000\""),
];

fn draft(choices: &mut Choices<'_>) -> FileParts {
    let array = idx::valid::wide(choices);
    valid::members(choices, &idx::file_parts::put_together(&array).unwrap_or_default())
}

fn made(draft: &FileParts) -> Option<ForgedFile> {
    put_together(draft).map(ForgedFile::unknown)
}

fn file(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    Some(ForgedFile::unknown(valid::whole(choices, SIZE).bytes))
}

/// Sets a wrong header checksum.
fn with_header_crc(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = draft(choices);
    let first = draft.members.first_mut()?;
    first.header.header_crc = Some(0);
    let end = super::file_parts::header(&first.header)?.len();
    let mut bytes = put_together(&draft)?;
    *bytes.get_mut(end - 1)? ^= choices.from_to(1, 255) as u8;
    Some(ForgedFile::unknown(bytes))
}

/// Creates a stream whose first block has an undefined type.
fn corrupt(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = draft(choices);
    let last = draft.members.last_mut()?;
    last.stream = plainly_deflated(&last.content);
    *last.stream.first_mut()? |= 6;
    made(&draft)
}

/// Sets a wrong checksum.
fn wrong_crc(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    trailer(choices, 8)
}

/// Sets a wrong length.
fn wrong_length(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    trailer(choices, 4)
}

/// Changes a byte of the last trailer, at this distance from the end.
fn trailer(choices: &mut Choices<'_>, from_end: usize) -> Option<ForgedFile> {
    let mut bytes = put_together(&draft(choices))?;
    let at = bytes.len().checked_sub(from_end - choices.index(4))?;
    *bytes.get_mut(at)? ^= choices.from_to(1, 255) as u8;
    Some(ForgedFile::unknown(bytes))
}
