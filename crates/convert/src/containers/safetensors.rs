//! `.safetensors`: the length of a JSON header, the header, and the items of all arrays.
//!
//! The format: <https://github.com/huggingface/safetensors#format>. Every byte after the header belongs to one array.

use super::entry::Entry;
use crate::arrays::tensor_types::TYPES;
use crate::arrays::view::Order;
use crate::arrays::write::items_as;
use crate::error::{Error, Result};
use crate::kind::FileKind;
use ndbytes::everybyte::Endian;
use ndbytes::{Dtype, Input, ItemType, Limits, Plain};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::Write;

/// The format's limit on the header.
const LONGEST_HEADER: u64 = 100_000_000;

/// Bytes of memory that a header of JSON takes for each of its own, at most.
const GROWTH: u64 = 32;

/// The maximum number of names that a message lists.
const MOST_NAMES: usize = 20;

/// The entry of the header that is no array.
const METADATA: &str = "__metadata__";

/// The description of an array in the header.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

/// Writes arrays, those of the widest elements first, so that all are aligned.
pub fn write(entries: &[Entry<'_>], to: &mut dyn Write) -> Result<()> {
    let kind = FileKind::Safetensors;
    let mut entries: Vec<&Entry<'_>> = entries.iter().collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.fit.item_type.stride()));
    let (mut header, mut end) = (serde_json::Map::new(), 0);
    for Entry { name, view, fit } in &entries {
        let element = fit.item_type.dtype().kind;
        let (_, dtype) = TYPES.iter().find(|(known, _)| *known == element).expect("the type was looked at");
        if name == METADATA {
            return Err(Error::Refused { kind, what: format!("an array of the name {METADATA}") });
        }
        let start = end;
        end += view.length();
        let shape = view.shape().iter().map(|&extent| extent as u64).collect();
        let description = Description { dtype: (*dtype).to_owned(), shape, data_offsets: [start, end] };
        header.insert(name.clone(), serde_json::to_value(description).expect("it is plain data"));
    }
    let mut header = serde_json::to_vec(&header).expect("it is plain data");
    header.extend(std::iter::repeat_n(b' ', header.len().next_multiple_of(8) - header.len()));
    if header.len() as u64 > LONGEST_HEADER {
        return Err(Error::Refused { kind, what: format!("a header of {} bytes", header.len()) });
    }
    to.write_all(&(header.len() as u64).to_le_bytes())?;
    to.write_all(&header)?;
    for Entry { view, fit, .. } in &entries {
        let mut items = items_as(view, fit, Order::C)?;
        let (piece, count) = (items.piece(), items.count());
        let mut start = 0;
        while start < count {
            let asked = piece.min(count - start);
            let bytes = items.read(start, asked)?;
            match fit.item_type.dtype() {
                Dtype { endian: Endian::Big, kind } if kind.swapped() > 1 => {
                    let mut bytes = bytes.to_vec();
                    bytes.chunks_exact_mut(kind.swapped() as usize).for_each(<[u8]>::reverse);
                    to.write_all(&bytes)?;
                }
                _ => to.write_all(bytes)?,
            }
            start += asked;
        }
    }
    Ok(())
}

/// The header of a file: its arrays by name, in the order of the header.
struct Header(Vec<(String, Description)>);

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Header;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a description of each array")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Header, A::Error> {
                let (mut arrays, mut names) = (Vec::new(), HashSet::new());
                while let Some(name) = map.next_key::<String>()? {
                    if !names.insert(name.clone()) {
                        return Err(serde::de::Error::custom(format_args!("the name {name:?} is there twice")));
                    }
                    if name == METADATA {
                        map.next_value::<BTreeMap<String, String>>()?;
                    } else {
                        arrays.push((name, map.next_value()?));
                    }
                }
                Ok(Header(arrays))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// The arrays of a `.safetensors` file.
#[derive(Debug)]
pub struct Tensors<'a> {
    bytes: &'a [u8],
    limits: Limits,
    arrays: Vec<Tensor>,
}

/// The name of an array, the first byte of its items, their type, and its shape.
#[derive(Debug)]
struct Tensor {
    name: String,
    start: u64,
    item_type: ItemType,
    shape: Vec<usize>,
}

fn malformed(what: impl Into<String>) -> Error {
    Error::Malformed { kind: FileKind::Safetensors, what: what.into() }
}

impl<'a> Tensors<'a> {
    /// Returns whether a file begins as this format does.
    pub fn is_one(input: &Input<'_>) -> bool {
        let Some((length, rest)) = input.head().split_first_chunk() else { return false };
        let length = u64::from_le_bytes(*length);
        (2..=LONGEST_HEADER).contains(&length) && length <= input.length() - 8 && rest.first() == Some(&b'{')
    }

    /// Reads the header of a file. Every byte after it has to belong to one array.
    ///
    /// # Errors
    /// [`Error::Malformed`]; [`ndbytes::Error::Limit`] if the header takes more memory than is granted.
    pub fn read(input: &'a Input<'_>, limits: Limits) -> Result<Self> {
        if !Tensors::is_one(input) {
            return Err(malformed("does not begin with the length of a JSON object that it has"));
        }
        let length = u64::from_le_bytes(*input.head().first_chunk().expect("it was looked at"));
        let needed = length.saturating_mul(GROWTH);
        if needed > limits.memory {
            let what = "the header of the .safetensors file";
            return Err(ndbytes::Error::Limit { what, needed, left: limits.memory }.into());
        }
        let start = 8 + length;
        let header: Header = serde_json::from_slice(input.range(8..start)?)
            .map_err(|error| malformed(format!("has a header that is no JSON of this format: {error}")))?;
        let mut described = header.0;
        described.sort_by_key(|(_, description)| description.data_offsets);
        let (mut end, mut arrays) = (0, Vec::new());
        for (name, description) in described {
            let [from, to] = description.data_offsets;
            if from != end || to < from {
                let what = format!("has bytes that belong to no array, or to two, before the array {name:?}");
                return Err(malformed(what));
            }
            end = to;
            arrays.push(Tensor::new(name, start.saturating_add(from), to - from, &description)?);
        }
        if start.checked_add(end) != Some(input.length()) {
            let present = input.length() - start;
            return Err(malformed(format!("has {present} bytes after the header, but its arrays have {end}")));
        }
        Ok(Tensors { bytes: input.bytes()?, limits, arrays })
    }

    /// All arrays with their names, in the order of their items.
    ///
    /// # Errors
    /// As for [`Tensors::get`].
    pub fn all(&self) -> Result<Vec<(String, Plain<'a>)>> {
        self.arrays.iter().map(|tensor| Ok((tensor.name.clone(), self.array(tensor)?))).collect()
    }

    /// The array of a name.
    ///
    /// # Errors
    /// [`Error::NoArray`] if there is none.
    pub fn get(&self, name: &str) -> Result<Plain<'a>> {
        let tensor = self.arrays.iter().find(|tensor| tensor.name == name);
        let names = || self.arrays.iter().take(MOST_NAMES).map(|tensor| tensor.name.clone()).collect();
        self.array(tensor.ok_or_else(|| Error::NoArray { name: name.to_owned(), names: names() })?)
    }

    fn array(&self, tensor: &Tensor) -> Result<Plain<'a>> {
        let input = Input::from_slice(self.bytes, self.limits);
        Ok(Plain::new(input, tensor.start, tensor.item_type.clone(), tensor.shape.clone())?)
    }
}

impl Tensor {
    /// An array whose items begin at this byte of the file, and have so many bytes.
    fn new(name: String, start: u64, bytes: u64, description: &Description) -> Result<Self> {
        let Description { dtype, shape, .. } = description;
        let Some((element, _)) = TYPES.iter().find(|(_, known)| known == dtype) else {
            let what = format!("has elements of {dtype:?} in the array {name:?}, which ndbytes does not know");
            return Err(malformed(what));
        };
        let item_type = ItemType::Plain(Dtype::new(*element, Endian::Little));
        let items = shape.iter().try_fold(1_u64, |items, &extent| items.checked_mul(extent));
        let needed = items.and_then(|items| items.checked_mul(item_type.stride()));
        let extents: Option<Vec<usize>> = shape.iter().map(|&extent| usize::try_from(extent).ok()).collect();
        match extents {
            Some(shape) if needed == Some(bytes) => Ok(Tensor { name, start, item_type, shape }),
            _ => Err(malformed(format!("has another number of bytes in the array {name:?} than its shape"))),
        }
    }
}
