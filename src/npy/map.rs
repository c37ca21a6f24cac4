//! The byte map of a `.npy` file.

use super::examine::Examined;
use crate::arrays::elements::{Elements, Stored};
use crate::arrays::extremes::describe;
use crate::error::Result;
use crate::findings::rule::Depth;
use binrw::args;
use everybyte::map::Space;
use everybyte::{Endian, Source, trace::trace};
use ndbytes_schemas::npy::Npy;

/// Maps a file in any state.
pub(crate) fn spaces(examined: Examined<'_>, depth: Depth) -> Result<Vec<Space>> {
    let Examined { input, header, array, .. } = examined;
    let elements = header.as_ref().map_or(u64::MAX, |header| header.payload.length);
    let bytes = input.longest_header()?;
    let (_, nodes) = trace::<Npy>(Source::prefix(&bytes, input.length()), Endian::Little, args! { elements });
    let mut space = input.space(0, "file", nodes.into_parts())?;
    if let (Some(header), Some(array)) = (header, array) {
        let (kind, count) = (format!("{} × {}", array.count, array.item_type), array.count);
        let (dtype, stored) = (array.item_type.dtype(), Stored::Plain(header.payload.range()));
        let elements = (depth == Depth::Payload).then(|| Elements { input, dtype, count, stored });
        describe(&mut space, "payload", kind, elements)?;
    }
    Ok(vec![space])
}
