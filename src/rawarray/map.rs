//! The byte map of a RawArray file.

use super::examine::Examined;
use super::judge::{byte_order, header_nodes};
use crate::arrays::elements::Elements;
use crate::arrays::extremes::extremes;
use crate::error::Result;
use crate::types::dtype::Dtype;
use everybyte::map::Space;

/// Maps a file, whatever its state.
pub(crate) fn spaces(examined: Examined<'_>) -> Result<Vec<Space>> {
    let Examined { input, header, array, decoded, stored, .. } = examined;
    let nodes = header_nodes(&input, byte_order(input.head()), stored);
    let mut space = input.space(0, "file", nodes.into_parts())?;
    if let (Some(header), Some((array, order)), Some(node)) = (header, array, space.edit("data")) {
        let node = node.type_name(format!("{} × {}", array.count, array.kind));
        if let Some(decoded) = decoded {
            let stored = decoded.stored(&header);
            let dtype = Dtype::new(array.kind, order);
            let elements = Elements { input, dtype, count: array.count, stored };
            if let Some(extremes) = extremes(&elements)? {
                node.meaning(extremes);
            }
        }
    }
    Ok(vec![space])
}
