//! A short description of a RawArray file.

use super::examine::examine;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::collect::refuse_errors;
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::findings::words::bytes;
use crate::format::Format;
use crate::format::excerpt::Excerpt;
use crate::format::info::{ArrayInfo, Info, MetadataInfo};
use crate::types::dtype::Dtype;
use everybyte::Layout;
use std::collections::BTreeMap;

/// Describes a file by its header.
pub(crate) fn info(input: Input<'_>, _: Limits) -> Result<(Info, Vec<Finding>)> {
    let size = input.length();
    let examined = examine(input, Depth::Structure)?;
    let warnings = refuse_errors(examined.findings)?;
    let (Some(header), Some((array, endian))) = (examined.header, examined.array) else {
        unreachable!("what could not be read is an error");
    };
    let dtype = Dtype::new(array.kind, endian);
    let mut metadata = Vec::new();
    let mut details = BTreeMap::from([
        ("eltype", format!("{} ({})", header.eltype.code(), header.eltype.name())),
        ("elbyte", header.elbyte.to_string()),
        ("payload", bytes(header.size)),
    ]);
    if header.flags.raw() != 0 {
        details.insert("flags", header.flags.meaning().into_owned());
    }
    if header.metadata.length > 0 && array.has_known_end() {
        details.insert("metadata", bytes(header.metadata.length));
        let range = header.metadata.range();
        let value =
            Excerpt::of_bytes(&examined.input.copied(&(range.start..range.end.min(range.start + Excerpt::BYTES)))?);
        metadata.push(MetadataInfo { kind: "metadata", name: String::new(), value: Some(value), flaw: None });
    }
    let array = ArrayInfo { shape: header.dims, dtype: dtype.descr(), order: "F" };
    let info =
        Info { format: Format::RawArray, size, version: None, array: Some(array), table: None, details, metadata };
    Ok((info, warnings))
}
