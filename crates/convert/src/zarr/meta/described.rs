//! The description of an array, in either version of Zarr.

use crate::zarr::codecs::chain::{Chain, Packing};
use crate::zarr::grid::count;
use crate::zarr::read_error::Result;
use ndbytes::ItemType;
use serde_json::{Map, Value};

/// The description of an array.
#[derive(Debug)]
pub struct Described {
    pub shape: Vec<u64>,
    /// The shape of a chunk.
    pub chunk: Vec<u64>,
    pub item_type: ItemType,
    /// The value of items that are not stored.
    pub fill: Vec<u8>,
    pub chain: Chain,
    pub keys: Keys,
    pub attributes: Map<String, Value>,
    /// The names of the axes, if stated.
    pub axes: Option<Vec<Option<String>>>,
}

/// How chunks are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keys {
    /// Whether the names begin with `c`.
    pub is_prefixed: bool,
    pub separator: char,
}

/// The maximum number of axes, which is also NumPy's.
const MOST_AXES: usize = 64;

/// The maximum number of codecs for a chunk. Each of them reads the complete chunk.
const MOST_CODECS: usize = 32;

impl Keys {
    /// The name of a chunk.
    pub fn name(self, place: &[u64]) -> String {
        let numbers: Vec<String> = place.iter().map(u64::to_string).collect();
        let parts = self.is_prefixed.then(|| "c".to_owned()).into_iter().chain(numbers);
        let name = parts.collect::<Vec<_>>().join(&self.separator.to_string());
        if name.is_empty() { "0".into() } else { name }
    }

    /// Creates keys with a separator, `.` or `/`.
    pub fn new(is_prefixed: bool, separator: &Value) -> Result<Keys> {
        match separator.as_str() {
            Some("/") => Ok(Keys { is_prefixed, separator: '/' }),
            Some(".") => Ok(Keys { is_prefixed, separator: '.' }),
            _ => Err(format!("the separator of chunks' names is {separator}, but can be \".\" or \"/\"").into()),
        }
    }
}

impl Described {
    /// Returns the description, or refuses numbers that would overflow.
    pub fn judged(self) -> Result<Described> {
        let Described { shape, chunk, item_type, .. } = &self;
        let size = item_type.size();
        if size == 0 {
            return Err("an item of the array has 0 bytes".into());
        }
        for (what, extents) in [("array", shape), ("chunk", chunk)] {
            let bytes = count(extents).and_then(|items| items.checked_mul(size));
            if bytes.is_none_or(|bytes| bytes > i64::MAX as u64) {
                return Err(format!("the shape {extents:?} of the {what} has more bytes than can be counted").into());
            }
        }
        // The other axes of an array without items may have any length, and calculations use them too.
        if shape.iter().chain(chunk).any(|&extent| extent > i64::MAX as u64) {
            return Err(format!("a dimension of the shape {shape:?} is too long").into());
        }
        ensure_chunk(chunk, shape.len())?;
        Ok(self)
    }

    /// Returns the shape of the unit that is decoded together: an inner chunk, or a chunk.
    pub fn together(&self) -> &[u64] {
        let (mut chain, mut together) = (&self.chain, &self.chunk);
        while let (Some(shards), Packing::Shards(_)) = (chain.shards(), &chain.packing) {
            (chain, together) = (&shards.chain, &shards.chunk);
        }
        together
    }
}

/// Refuses the shape of a chunk if its number of axes differs from the array's, or if a length is 0.
pub fn ensure_chunk(chunk: &[u64], axes: usize) -> Result<()> {
    if chunk.len() != axes {
        return Err(format!("a chunk has the shape {chunk:?}, but the array has {axes} axes").into());
    }
    if chunk.contains(&0) {
        return Err(format!("a chunk has the shape {chunk:?}, but a dimension of a chunk cannot be 0").into());
    }
    Ok(())
}

/// Refuses a chunk with more codecs than are supported.
pub fn ensure_codecs(count: usize) -> Result<()> {
    match count > MOST_CODECS {
        true => Err(format!("a chunk has {count} codecs, but at most {MOST_CODECS} are read").into()),
        false => Ok(()),
    }
}

/// Reads a list of lengths.
pub fn extents(value: Option<&Value>, what: &str) -> Result<Vec<u64>> {
    let list = value.and_then(Value::as_array);
    if let Some(list) = list.filter(|list| list.len() > MOST_AXES) {
        return Err(format!("{what} has {} axes, but at most {MOST_AXES} are read", list.len()).into());
    }
    let list = list.and_then(|list| list.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>());
    Ok(list.ok_or_else(|| format!("{what} is not a list of dimensions"))?)
}

/// Returns the attributes of a node.
pub fn attributes(stated: Option<&Value>) -> Result<Map<String, Value>> {
    match stated {
        None => Ok(Map::new()),
        Some(Value::Object(attributes)) => Ok(attributes.clone()),
        Some(_) => Err("the attributes are not an object of JSON".into()),
    }
}
