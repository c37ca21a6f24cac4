//! The byte map of a RawArray file.

use super::examine::Examined;
use super::judge::{byte_order, header_nodes};
use crate::arrays::elements::Elements;
use crate::arrays::extremes::describe;
use crate::error::Result;
use crate::types::dtype::Dtype;
use everybyte::map::Space;

/// Maps a file in any state.
pub(crate) fn spaces(examined: Examined<'_>) -> Result<Vec<Space>> {
    let Examined { input, header, array, decoded, stored, .. } = examined;
    let nodes = header_nodes(&input, byte_order(input.head()), stored);
    let mut space = input.space(0, "file", nodes.into_parts())?;
    if let (Some(header), Some((array, order))) = (header, array) {
        let (dtype, count) = (Dtype::new(array.kind, order), array.count);
        let elements = decoded.map(|decoded| Elements { input, dtype, count, stored: decoded.stored(&header) });
        describe(&mut space, "data", format!("{count} × {}", array.kind), elements)?;
    }
    Ok(vec![space])
}
