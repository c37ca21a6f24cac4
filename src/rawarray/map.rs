//! The byte map of a RawArray file.

use super::examine::Examined;
use super::judge::{byte_order, header_node};
use crate::arrays::elements::Elements;
use crate::arrays::extremes::extremes;
use crate::error::Result;
use crate::types::dtype::Dtype;
use everybyte::map::Space;

/// Maps a file, whatever its state.
pub(crate) fn spaces(examined: Examined<'_>) -> Result<Vec<Space>> {
    let Examined { input, header, array, decoded, stored, .. } = examined;
    let root = header_node(&input, byte_order(input.head()), stored);
    let mut space = input.space(0, "file", root.children)?;
    if let (Some(header), Some((array, order)), Some(node)) = (header, array, space.node_mut("data")) {
        node.type_name = format!("{} × {}", array.count, array.kind);
        if let Some(decoded) = decoded {
            let stored = decoded.stored(&header);
            let dtype = Dtype::new(array.kind, order);
            let elements = Elements { input, dtype, count: array.count, stored };
            if let Some(extremes) = extremes(&elements)? {
                node.meaning = extremes;
            }
        }
    }
    Ok(vec![space])
}
