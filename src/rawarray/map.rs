//! The byte map of a RawArray file.

use super::judge::byte_order;
use super::open::{Examined, examine};
use crate::bytemap::{ByteMap, Space};
use crate::elements::Elements;
use crate::input::Input;
use crate::scalar::extremes;
use crate::{Depth, Dtype, Format, Limits, Result};
use binrw::args;
use ndbytes_schemas::rawarray::RawArray;
use ndbytes_schemas::{Source, trace};

/// Maps a file, whatever its state.
pub(crate) fn byte_map(input: Input<'_>, depth: Depth, limits: Limits) -> Result<ByteMap> {
    let whole = Input::from_slice(input.bytes()?, limits);
    let Examined { array, decoded, stored, .. } = examine(whole, depth)?;
    let endian = byte_order(input.head());
    let (header, root) = trace::<RawArray>(Source::new(input.bytes()?), endian, args! { stored });
    let mut space = Space::new(0, "file", &Source::new(input.bytes()?), root.children);
    if let (Ok(header), Some((array, order)), Some(data)) = (header, array, space.node_mut("data")) {
        data.type_name = format!("{} × {}", array.count, array.kind);
        let elements = decoded.map(|decoded| {
            let (stored, endian) = decoded.stored(&header, order);
            let dtype = Dtype::new(array.kind, endian);
            Elements { input, dtype, count: array.count, stored }
        });
        if let Some(extremes) = elements.as_ref().map(extremes).transpose()?.flatten() {
            data.meaning = extremes;
        }
    }
    Ok(ByteMap::new(Some(Format::RawArray), vec![space]))
}
