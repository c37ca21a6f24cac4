//! Judging and mapping a file.

use super::examine::examine;
use super::map::spaces;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::rule::Depth;
use crate::format::Format;
use crate::room::{self, Question};

/// Judges and maps a file.
pub(crate) fn answer(input: Input<'_>, depth: Depth, _: Limits, question: Question) -> Result<room::Examined> {
    let mut examined = examine(input, depth)?;
    let findings = std::mem::take(&mut examined.findings);
    let spaces = question.map.then(|| spaces(examined, depth));
    Ok(room::Examined { format: Some(Format::Npy), findings, spaces })
}
