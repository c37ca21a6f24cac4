//! A short description of a b2nd array.

use super::is_of_other_object;
use super::open::Options;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::envelope::store::Origin;
use crate::error::{Error, Result};
use crate::findings::words::bytes;
use crate::format::Format;
use crate::format::info::{ArrayInfo, Info};
use std::collections::BTreeMap;

/// Describes an array without reading its chunks.
pub(crate) fn info(input: Input<'_>, limits: Limits) -> Result<Info> {
    let (size, origin) = (input.length(), Origin::of(&input));
    let array = match Options::new().limits(limits).read(input) {
        Ok(array) => array,
        Err(Error::Invalid(finding)) if is_of_other_object(finding.rule) && origin.is_archive_or_store() => {
            let details = BTreeMap::from([("no array", finding.message)]);
            return Ok(Info { format: Format::B2nd, size, version: None, array: None, table: None, details });
        }
        Err(error) => return Err(error),
    };
    let extents =
        |extents: &[usize]| format!("({})", extents.iter().map(usize::to_string).collect::<Vec<_>>().join(", "));
    let filters = array.filters();
    let mut details = BTreeMap::from([
        ("chunks", extents(&array.chunk_shape())),
        ("blocks", extents(&array.block_shape())),
        ("chunk count", array.chunk_count().to_string()),
        ("codec", format!("{}, level {}", array.codec().name().unwrap_or("not defined"), array.level())),
        ("filters", if filters.is_empty() { "none".to_owned() } else { filters.join(", ") }),
        ("stored", bytes(array.stored_bytes())),
    ]);
    if array.is_sparse() {
        details.insert("chunk files", "one a chunk".into());
    }
    for (what, names) in [("metalayers", array.metalayer_names()), ("attributes", array.attribute_names())] {
        if !names.is_empty() {
            details.insert(what, names.join(", "));
        }
    }
    let info = ArrayInfo {
        shape: array.shape().iter().map(|&extent| extent as u64).collect(),
        dtype: array.item_type().to_string(),
        order: "C",
    };
    let version = Some(array.frame_version().to_string());
    Ok(Info { format: Format::B2nd, size, version, array: Some(info), table: None, details })
}
