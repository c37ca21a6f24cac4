//! Detects damage from a program that treated the file as text in transit.

use crate::bytes::input::Input;
use crate::bytes::pieces::Pieces;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::format::Format;
use crate::format::transport::{Signs, cause_at_beginning, is_possible};
use crate::gzip::is_packed;

/// Returns whether the first bytes of a file may show the cause of its errors.
pub(super) fn may_be_altered(input: &Input<'_>) -> bool {
    is_possible(input.head())
}

/// Adds the cause to the first error, if the bytes show it.
pub(super) fn explain(input: &Input<'_>, format: Option<Format>, findings: &mut [Finding]) {
    let first = findings.iter_mut().find(|finding| finding.is_error());
    let Some(first) = first.filter(|_| may_be_altered(input)) else { return };
    let cause = match format.is_some() || is_packed(input) {
        // If a file cannot be read to its end, that has already been reported.
        true => cause_of_all(input, format).unwrap_or_default(),
        false => cause_at_beginning(input.head()),
    };
    let Some(cause) = cause else { return };
    first.help = Some(match first.help.take() {
        Some(help) if help.starts_with(cause) => help,
        Some(help) => format!("{cause}; {help}"),
        None => cause.to_owned(),
    });
}

/// Determines the cause of the damage from all bytes of the file. A table of strings may legitimately be UTF-8 throughout.
fn cause_of_all(input: &Input<'_>, format: Option<Format>) -> Result<Option<&'static str>> {
    // A small table of strings may be valid UTF-8 from its first byte to its last.
    let is_of_texts = format == Some(Format::Idv);
    let (mut signs, mut pieces, mut at) = (Signs::default(), Pieces::new(input, 0..input.length()), 0);
    loop {
        match pieces.from(at)? {
            [] => return Ok(if is_of_texts { signs.cause_in_lines() } else { signs.cause() }),
            piece => {
                signs.see(piece);
                at += piece.len() as u64;
            }
        }
        if !signs.are_possible() {
            return Ok(None);
        }
    }
}
