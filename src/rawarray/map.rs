//! The byte map of a RawArray file.

use super::judge::byte_order;
use super::open::{Examined, examine};
use crate::bytemap::{ByteMap, Space};
use crate::elements::Elements;
use crate::input::Input;
use crate::scalar::extremes;
use crate::{Depth, Dtype, Format, Result};
use binrw::args;
use ndbytes_schemas::rawarray::RawArray;
use ndbytes_schemas::{Source, trace};

/// Maps a file, whatever its state.
pub(crate) fn byte_map(input: Input<'_>, depth: Depth) -> Result<ByteMap> {
    let Examined { input, array, decoded, stored, .. } = examine(input, depth)?;
    let endian = byte_order(input.head());
    let bytes = input.longest_header()?;
    let (header, root) = trace::<RawArray>(Source::prefix(&bytes, input.length()), endian, args! { stored });
    let mut space = Space::new(0, "file", &input, root.children)?;
    if let (Ok(header), Some((array, order)), Some(node)) = (header, array, space.node_mut("data")) {
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
    Ok(ByteMap::new(Some(Format::RawArray), vec![space]))
}
