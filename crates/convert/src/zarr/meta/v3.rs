//! The metadata of Zarr 3: `zarr.json`.
//!
//! According to Zarr 3, a reader that finds an unknown member must refuse the array, unless `must_understand` is false.
//! So this module refuses an unknown member by name, instead of reading values with a different meaning. The format:
//! <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html>.

use super::described::{Described, Keys, attributes, ensure_chunk, ensure_codecs, extents};
use super::numcodecs;
use crate::zarr::codecs::chain::{Chain, Packing, Shards};
use crate::zarr::codecs::steps::{self, OF_V3, Step};
use crate::zarr::fill;
use crate::zarr::grid::count;
use crate::zarr::read_error::Result;
use crate::zarr::types::{of_v3, shown};
use ndbytes::everybyte::Endian;
use serde_json::{Value, json};

/// The known members of the description of an array.
const MEMBERS: [&str; 12] = [
    "zarr_format",
    "node_type",
    "shape",
    "data_type",
    "chunk_grid",
    "chunk_key_encoding",
    "fill_value",
    "codecs",
    "attributes",
    "dimension_names",
    "storage_transformers",
    "consolidated_metadata",
];

/// Reads the description of an array.
pub fn array(node: &Value) -> Result<Described> {
    let members = node.as_object().ok_or("the metadata are not an object of JSON")?;
    for (name, value) in members {
        let is_optional = value.get("must_understand") == Some(&Value::Bool(false));
        if !MEMBERS.contains(&name.as_str()) && !is_optional {
            return Err(format!("the metadata have the member {name:?}, which ndbytes does not know").into());
        }
    }
    if members.get("storage_transformers").is_some_and(|all| all.as_array().is_none_or(|all| !all.is_empty())) {
        return Err("the array has storage transformers, which ndbytes does not know".into());
    }
    let shape = extents(members.get("shape"), "the shape of the array")?;
    let chunk = regular(members.get("chunk_grid").unwrap_or(&Value::Null))?;
    ensure_chunk(&chunk, shape.len())?;
    let codecs = members.get("codecs").and_then(Value::as_array).ok_or("the array has no list of codecs")?;
    let chain = chain(codecs, &chunk)?;
    let data_type = members.get("data_type").unwrap_or(&Value::Null);
    let item_type = of_v3(data_type, chain.endian().unwrap_or(Endian::Little))?;
    if chain.endian().is_none() && item_type.dtype().kind.swapped() > 1 {
        let words = format!("the codec \"bytes\" has no \"endian\", which items of {} need", shown(data_type));
        return Err(words.into());
    }
    Ok(Described {
        fill: fill::bytes(members.get("fill_value"), &item_type)?,
        axes: names(members.get("dimension_names"), shape.len())?,
        keys: keys(members.get("chunk_key_encoding").unwrap_or(&Value::Null))?,
        attributes: attributes(members.get("attributes"))?,
        shape,
        chunk,
        item_type,
        chain,
    })
}

/// Returns the name and the configuration of an extension, which may be only a name.
fn named<'v>(value: &'v Value, what: &str) -> Result<(&'v str, &'v Value)> {
    let name = value.as_str().or_else(|| value.get("name")?.as_str());
    let name = name.ok_or_else(|| format!("the {what} {} has no name", shown(value)))?;
    Ok((name, value.get("configuration").unwrap_or(&Value::Null)))
}

fn regular(grid: &Value) -> Result<Vec<u64>> {
    match named(grid, "chunk grid")? {
        ("regular", configuration) => extents(configuration.get("chunk_shape"), "the shape of a chunk"),
        (name, _) => Err(format!("the chunk grid {name:?} is not one that ndbytes reads").into()),
    }
}

fn keys(encoding: &Value) -> Result<Keys> {
    let (name, configuration) = named(encoding, "chunk key encoding")?;
    let separator = |usual: &str| configuration.get("separator").cloned().unwrap_or_else(|| json!(usual));
    match name {
        "default" => Keys::new(true, &separator("/")),
        "v2" => Keys::new(false, &separator(".")),
        name => Err(format!("the chunk key encoding {name:?} is not one that ndbytes reads").into()),
    }
}

/// Returns the names of the axes, each of them optional.
fn names(stated: Option<&Value>, axes: usize) -> Result<Option<Vec<Option<String>>>> {
    let stated = match stated {
        None | Some(Value::Null) => return Ok(None),
        Some(stated) => stated,
    };
    let name = |name: &Value| match name {
        Value::Null => Some(None),
        Value::String(name) => Some(Some(name.clone())),
        _ => None,
    };
    let names: Option<Vec<_>> = stated.as_array().and_then(|names| names.iter().map(name).collect());
    match names.filter(|names| names.len() == axes) {
        Some(names) => Ok(Some(names)),
        None => Err(format!("the names {} are not those of {axes} axes", shown(stated)).into()),
    }
}

/// Returns the codecs for a chunk of this shape.
fn chain(codecs: &[Value], chunk: &[u64]) -> Result<Chain> {
    ensure_codecs(codecs.len())?;
    let (mut order, mut packing, mut steps) = (None::<Vec<usize>>, None, Vec::new());
    for codec in codecs {
        let (name, configuration) = named(codec, "codec")?;
        match (name, &packing) {
            ("transpose", None) => {
                let next = transposed(configuration, chunk.len())?;
                order = Some(match order {
                    Some(before) => next.iter().map(|&axis| before[axis]).collect(),
                    None => next,
                });
            }
            ("bytes", None) => packing = Some(Packing::Bytes(endian(configuration)?)),
            ("sharding_indexed", None) => {
                let turned: Vec<u64> = match &order {
                    Some(order) => order.iter().map(|&axis| chunk[axis]).collect(),
                    None => chunk.to_vec(),
                };
                packing = Some(Packing::Shards(shards(configuration, &turned)?.into()));
            }
            ("transpose" | "bytes" | "sharding_indexed", Some(_)) => {
                return Err(format!("the codec {name:?} cannot follow one that makes bytes").into());
            }
            (_, Some(_)) => steps.push(step(name, configuration)?),
            // An unknown codec is reported by name.
            (_, None) => {
                step(name, configuration)?;
                return Err(format!("the codec {name:?} cannot precede one that makes bytes").into());
            }
        }
    }
    let packing = packing.ok_or("no codec makes bytes of the items")?;
    Ok(Chain { order, packing, steps })
}

fn step(name: &str, configuration: &Value) -> Result<Step> {
    let own = OF_V3.contains(&name).then(|| steps::named(name)).flatten();
    match (own, name.strip_prefix("numcodecs.")) {
        (Some(step), _) => Ok(step),
        (None, Some(id)) => numcodecs::step(id, configuration),
        (None, None) => Err(format!("the codec {name:?} is not one that ndbytes reads").into()),
    }
}

fn transposed(configuration: &Value, axes: usize) -> Result<Vec<usize>> {
    let stated = configuration.get("order").unwrap_or(&Value::Null);
    let order: Option<Vec<usize>> = match stated.as_str() {
        Some("C") => Some((0..axes).collect()),
        Some("F") => Some((0..axes).rev().collect()),
        _ => stated.as_array().and_then(|order| order.iter().map(|axis| Some(axis.as_u64()? as usize)).collect()),
    };
    let is_order = |order: &Vec<usize>| order.len() == axes && (0..axes).all(|axis| order.contains(&axis));
    let order = order.filter(is_order);
    Ok(order.ok_or_else(|| format!("the order {} is not one of {axes} axes", shown(stated)))?)
}

fn endian(configuration: &Value) -> Result<Option<Endian>> {
    match configuration.get("endian") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) if name == "little" => Ok(Some(Endian::Little)),
        Some(Value::String(name)) if name == "big" => Ok(Some(Endian::Big)),
        Some(other) => Err(format!("the order of bytes is {}, but can be \"little\" or \"big\"", shown(other)).into()),
    }
}

fn shards(configuration: &Value, chunk: &[u64]) -> Result<Shards> {
    let inner = extents(configuration.get("chunk_shape"), "the shape of an inner chunk")?;
    ensure_chunk(&inner, chunk.len())?;
    if chunk.iter().zip(&inner).any(|(whole, inner)| whole % inner != 0) {
        return Err(format!("a shard of the shape {chunk:?} is not made of whole chunks of {inner:?}").into());
    }
    let list = |key: &str| {
        let codecs = configuration.get(key).and_then(Value::as_array);
        codecs.ok_or_else(|| format!("the codec \"sharding_indexed\" has no list {key:?}"))
    };
    let index = chain(list("index_codecs")?, &[count(chunk).unwrap_or(0), 2])?;
    let is_fixed = |step: &Step| matches!(step, Step::Crc32c { .. });
    let (None, Packing::Bytes(endian), true) = (&index.order, &index.packing, index.steps.iter().all(is_fixed)) else {
        return Err("the index of shards has codecs other than \"bytes\" and \"crc32c\"".into());
    };
    let index_endian = endian.ok_or("the codec \"bytes\" of the index of shards has no \"endian\"")?;
    let is_index_first = match configuration.get("index_location").and_then(Value::as_str) {
        None | Some("end") => false,
        Some("start") => true,
        Some(other) => return Err(format!("the index of shards is at {other:?}, not at \"start\" or \"end\"").into()),
    };
    let chain = chain(list("codecs")?, &inner)?;
    Ok(Shards { chain, index_endian, index_steps: index.steps, is_index_first, chunk: inner })
}
