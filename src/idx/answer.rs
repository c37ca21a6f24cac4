//! Judging and mapping a file, including gzip around it.

use super::content::Examined;
use super::examine::examine;
use super::gzip::map::answer_gzip;
use super::map::spaces;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::rule::Depth;
use crate::format::Format;
use crate::format::is_gzip;
use crate::options::Settings;
use crate::room::{self, Question};

/// Judges and maps a file.
pub(crate) fn answer(input: Input<'_>, depth: Depth, limits: Limits, question: Question) -> Result<room::Examined> {
    let settings = Settings { limits, ..Settings::default() };
    if is_gzip(input.head()) {
        return answer_gzip(input, &settings, depth, question);
    }
    let Examined { content, findings, .. } = examine(input, &settings, depth)?;
    let spaces = question.map.then(|| spaces(content, depth));
    Ok(room::Examined { format: Some(Format::Idx), findings, spaces })
}
