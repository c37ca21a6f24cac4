//! Checks and maps an IDX file.

use super::dtype;
use super::examine::{Examined, examine};
use crate::arrays::elements::{Elements, Stored};
use crate::arrays::extremes::describe;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::rule::Depth;
use crate::format::Format;
use crate::format_driver::{self, Question};
use crate::options::Settings;
use everybyte::map::Space;
use everybyte::{Endian, trace::trace};
use ndbytes_schemas::idx::Idx;

/// Checks and maps a file.
pub(super) fn answer(
    input: Input<'_>,
    depth: Depth,
    limits: Limits,
    question: Question,
) -> Result<format_driver::Examined<'_>> {
    let settings = Settings { limits, ..Settings::default() };
    let Examined { content, findings, .. } = examine(input, &settings, depth)?;
    let (spaces, input) = match question.map {
        true => (Some(array_space(content, depth).map(|space| vec![space])), None),
        false => (None, Some(content)),
    };
    Ok(format_driver::Examined { format: Some(Format::Idx), findings, spaces, input })
}

/// Maps the file in any state.
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
