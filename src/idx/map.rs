//! The byte map of an IDX file.

use super::dtype;
use crate::arrays::elements::{Elements, Stored};
use crate::arrays::extremes::extremes;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::rule::Depth;
use everybyte::map::Space;
use everybyte::{Endian, trace};
use ndbytes_schemas::idx::Idx;

/// Maps an array that is not inside gzip, whatever its state.
pub(crate) fn spaces(content: Input<'_>, depth: Depth) -> Result<Vec<Space>> {
    Ok(vec![array_space(0, "file", content, depth)?])
}

pub(super) fn array_space(id: u32, title: &str, input: Input<'_>, depth: Depth) -> Result<Space> {
    let (header, root) = trace::<Idx>(input.source(), Endian::Big, ());
    let mut space = input.space(id, title, root.children)?;
    if let (Ok(Idx { element_type, payload, .. }), Some(node)) = (header, space.node_mut("payload")) {
        let count = payload.present / element_type.size();
        node.type_name = format!("{count} × {}", element_type.name());
        if depth == Depth::Payload && !payload.is_truncated() {
            let stored = Stored::Plain(payload.range());
            let elements = Elements { input, dtype: dtype(element_type), count, stored };
            if let Some(extremes) = extremes(&elements)? {
                node.meaning = extremes;
            }
        }
    }
    Ok(space)
}
