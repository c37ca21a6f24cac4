//! Checks and maps a file.

use super::examine::examine;
use super::map::spaces;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::rule::Depth;
use crate::format::Format;
use crate::format_driver::{self, Question};

/// Checks and maps a file.
pub(crate) fn answer(
    input: Input<'_>,
    depth: Depth,
    _: Limits,
    question: Question,
) -> Result<format_driver::Examined<'_>> {
    let mut examined = examine(input, depth)?;
    let findings = std::mem::take(&mut examined.findings);
    let (spaces, input) = match question.map {
        true => (Some(spaces(examined)), None),
        false => (None, Some(examined.input)),
    };
    Ok(format_driver::Examined { format: Some(Format::RawArray), findings, spaces, input })
}
