//! Judging and mapping an IDX file.

use super::dtype;
use super::examine::{Examined, examine};
use crate::arrays::elements::{Elements, Stored};
use crate::arrays::extremes::extremes;
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
    if let (Ok(Idx { element_type, payload, .. }), Some(node)) = (header, space.edit("payload")) {
        let count = payload.present / element_type.size();
        let node = node.type_name(format!("{count} × {}", element_type.name()));
        if depth == Depth::Payload && !payload.is_truncated() {
            let stored = Stored::Plain(payload.range());
            let elements = Elements { input, dtype: dtype(element_type), count, stored };
            if let Some(extremes) = extremes(&elements)? {
                node.meaning(extremes);
            }
        }
    }
    Ok(space)
}
