//! The metadata of Zarr 2: `.zarray` and `.zattrs`.
//!
//! The format: <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html>. Filters run before the compressor; together,
//! they become one chain of codecs, as in Zarr 3. The rest of the code is independent of the version.

use super::described::{Described, Keys, attributes, ensure_chunk, ensure_codecs, extents};
use super::numcodecs::step;
use crate::zarr::codecs::chain::{Chain, Packing};
use crate::zarr::fill;
use crate::zarr::read_error::Result;
use crate::zarr::types::{of_v2, shown};
use ndbytes::ItemType;
use serde_json::{Map, Value, json};

/// The attribute in which xarray stores the names of axes.
pub const AXES: &str = "_ARRAY_DIMENSIONS";

/// Reads the description and the attributes of an array.
pub fn array(node: &Value, stated: Option<&Value>) -> Result<Described> {
    let members = node.as_object().ok_or("the metadata are not an object of JSON")?;
    if members.get("zarr_format") != Some(&json!(2)) {
        return Err("the metadata do not say that they are of Zarr 2".into());
    }
    let shape = extents(members.get("shape"), "the shape of the array")?;
    let chunk = extents(members.get("chunks"), "the shape of a chunk")?;
    ensure_chunk(&chunk, shape.len())?;
    let item_type = of_v2(members.get("dtype").unwrap_or(&Value::Null))?;
    let order = match members.get("order").and_then(Value::as_str) {
        Some("C") => None,
        Some("F") => Some((0..shape.len()).rev().collect()),
        _ => return Err("the order of axes is neither \"C\" nor \"F\"".into()),
    };
    let mut steps = Vec::new();
    let filters = members.get("filters").and_then(Value::as_array).into_iter().flatten();
    let compressor = members.get("compressor").filter(|compressor| !compressor.is_null());
    let codecs: Vec<&Value> = filters.chain(compressor).collect();
    ensure_codecs(codecs.len())?;
    for codec in codecs {
        let id = codec.get("id").and_then(Value::as_str);
        let id = id.ok_or_else(|| format!("the codec {} has no \"id\"", shown(codec)))?;
        steps.push(step(id, codec)?);
    }
    // The types of fields include their byte order.
    let endian = match &item_type {
        ItemType::Plain(dtype) => Some(dtype.endian),
        _ => None,
    };
    let chain = Chain { order, packing: Packing::Bytes(endian), steps };
    described(members, stated, (shape, chunk, item_type), chain)
}

fn described(
    members: &Map<String, Value>,
    stated: Option<&Value>,
    (shape, chunk, item_type): (Vec<u64>, Vec<u64>, ItemType),
    chain: Chain,
) -> Result<Described> {
    let mut attributes = attributes(stated)?;
    let axes = axes(attributes.get(AXES), shape.len());
    if axes.is_some() {
        attributes.remove(AXES);
    }
    let separator = members.get("dimension_separator").cloned().unwrap_or_else(|| json!("."));
    let fill = fill::bytes(members.get("fill_value"), &item_type)?;
    let keys = Keys::new(false, &separator)?;
    Ok(Described { shape, chunk, item_type, fill, chain, keys, attributes, axes })
}

fn axes(stated: Option<&Value>, axes: usize) -> Option<Vec<Option<String>>> {
    let names: Option<Vec<_>> =
        stated?.as_array()?.iter().map(|name| name.as_str().map(|it| Some(it.into()))).collect();
    names.filter(|names| names.len() == axes)
}
