//! How the rules of gzip are broken.

use super::super::craft::Breaker;
use super::super::deflate::plainly_deflated;
use super::super::idx;
use super::super::whole::Whole;
use super::draft::{Draft, put_together};
use super::valid;
use everybyte::forge::Choices;

/// The size of the files that suit a breaker.
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

fn draft(choices: &mut Choices<'_>) -> Draft {
    let array = idx::valid::wide(choices);
    valid::members(choices, &idx::draft::put_together(&array).unwrap_or_default())
}

fn made(draft: &Draft) -> Option<Whole> {
    put_together(draft).map(Whole::unknown)
}

fn file(choices: &mut Choices<'_>) -> Option<Whole> {
    Some(Whole::unknown(valid::whole(choices, SIZE).bytes))
}

/// A checksum of a header that is wrong.
fn with_header_crc(choices: &mut Choices<'_>) -> Option<Whole> {
    let mut draft = draft(choices);
    let first = draft.members.first_mut()?;
    first.header.header_crc = Some(0);
    let end = super::draft::header(&first.header)?.len();
    let mut bytes = put_together(&draft)?;
    *bytes.get_mut(end - 1)? ^= choices.from_to(1, 255) as u8;
    Some(Whole::unknown(bytes))
}

/// A stream whose first block is of a type that is not defined.
fn corrupt(choices: &mut Choices<'_>) -> Option<Whole> {
    let mut draft = draft(choices);
    let last = draft.members.last_mut()?;
    last.stream = plainly_deflated(&last.content);
    *last.stream.first_mut()? |= 6;
    made(&draft)
}

/// A checksum that is wrong.
fn wrong_crc(choices: &mut Choices<'_>) -> Option<Whole> {
    trailer(choices, 8)
}

/// A length that is wrong.
fn wrong_length(choices: &mut Choices<'_>) -> Option<Whole> {
    trailer(choices, 4)
}

/// A byte of the last trailer is another one, so many bytes before the end.
fn trailer(choices: &mut Choices<'_>, from_end: usize) -> Option<Whole> {
    let mut bytes = put_together(&draft(choices))?;
    let at = bytes.len().checked_sub(from_end - choices.index(4))?;
    *bytes.get_mut(at)? ^= choices.from_to(1, 255) as u8;
    Some(Whole::unknown(bytes))
}
