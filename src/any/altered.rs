//! The cause of errors that stands outside of a file: a program that took its bytes for text.

use crate::bytes::input::Input;
use crate::bytes::pieces::Pieces;
use crate::envelope::gzip::is_packed;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::format::Format;
use crate::format::transport::{Signs, cause_at_beginning, is_possible};

/// Returns whether the cause of errors may be told, by the first bytes of a file.
pub(super) fn may_be_altered(input: &Input<'_>) -> bool {
    is_possible(input.head())
}

/// Says the cause beside the first error, if the bytes tell it.
pub(super) fn explain(input: &Input<'_>, format: Option<Format>, findings: &mut [Finding]) {
    let Some(first) = findings.iter_mut().find(|finding| finding.is_error()) else { return };
    let cause = match format.is_some() || is_packed(input) {
        // A file that cannot be read to its end has findings of its own.
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

fn cause_of_all(input: &Input<'_>, format: Option<Format>) -> Result<Option<&'static str>> {
    // A small table of texts may be UTF-8 from its first byte to its last one.
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
