//! Judging and mapping an IDX file.

use super::dtype;
use super::examine::{Examined, examine};
use crate::arrays::elements::{Elements, Stored};
use crate::arrays::extremes::describe;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::rule::Depth;
use crate::format::Format;
use crate::options::Settings;
use crate::room::{self, Question};
use everybyte::map::Space;
use everybyte::{Endian, trace};
use ndbytes_schemas::idx::Idx;

/// Judges and maps a file.
pub(super) fn answer(input: Input<'_>, depth: Depth, limits: Limits, question: Question) -> Result<room::Examined> {
    let settings = Settings { limits, ..Settings::default() };
    let Examined { content, findings, .. } = examine(input, &settings, depth)?;
    let spaces = question.map.then(|| array_space(content, depth).map(|space| vec![space]));
    Ok(room::Examined { format: Some(Format::Idx), findings, spaces })
}

/// Maps the file, whatever its state.
fn array_space(input: Input<'_>, depth: Depth) -> Result<Space> {
    let (header, nodes) = trace::<Idx>(input.source(), Endian::Big, ());
    let mut space = input.space(0, "file", nodes.into_parts())?;
    if let Ok(Idx { element_type, payload, .. }) = header {
        let (dtype, count) = (dtype(element_type), payload.present / element_type.size());
        let is_read = depth == Depth::Payload && !payload.is_truncated();
        let elements = is_read.then(|| Elements { input, dtype, count, stored: Stored::Plain(payload.range()) });
        describe(&mut space, "payload", format!("{count} × {}", element_type.name()), elements)?;
    }
    Ok(space)
}
