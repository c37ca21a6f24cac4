//! A short description of a `.npy` file.

use super::examine::examine;
use super::judge::Several;
use super::rules::TRAILING_BYTES;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::collect::refuse_errors;
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::findings::words::bytes;
use crate::format::Format;
use crate::format::info::{ArrayInfo, Info};
use std::collections::BTreeMap;

/// Describes a file by its header.
pub(crate) fn info(input: Input<'_>, _: Limits) -> Result<(Info, Vec<Finding>)> {
    let size = input.length();
    let mut examined = examine(input, Depth::Structure)?;
    let several = examined.several.filter(|several| several.is_all);
    if several.is_some() {
        examined.findings.retain(|finding| finding.rule != &TRAILING_BYTES);
    }
    let warnings = refuse_errors(examined.findings)?;
    let (Some(header), Some(array)) = (examined.header, examined.array) else {
        unreachable!("what could not be read is an error");
    };
    let mut details = BTreeMap::from([
        ("header", bytes(header.header.text().len() as u64)),
        ("payload", bytes(header.payload.length)),
    ]);
    if let Some(Several { count, .. }) = several {
        details.insert("arrays", format!("{count}, at the addresses `FILE!0` to `FILE!{}`", count - 1));
    }
    let version = Some(format!("{}.{}", header.major, header.minor));
    let order = if array.is_fortran_order { "F" } else { "C" };
    let array = ArrayInfo { shape: array.shape, dtype: array.item_type.to_string(), order };
    let info =
        Info { format: Format::Npy, size, version, array: Some(array), table: None, details, metadata: Vec::new() };
    Ok((info, warnings))
}
