//! Converts the names of types to text and back.

use super::make::inexpressible;
use super::types::{ColumnType, ItemType, KeyType};
use crate::error::Error;
use std::fmt;
use std::str::FromStr;

impl fmt::Display for ItemType {
    /// The name of the type in .NET.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ItemType::Key(key) => {
                let last = key.count.saturating_sub(1);
                write!(f, "Key<{}, 0-{last}>", key.item().codec_name())
            }
            ItemType::Text => f.write_str("String"),
            other => f.write_str(other.codec_name()),
        }
    }
}

impl FromStr for ItemType {
    type Err = Error;

    /// Parses the displayed name of a type.
    fn from_str(text: &str) -> Result<Self, Error> {
        let item = match text.strip_prefix("Key<").and_then(|rest| rest.strip_suffix('>')) {
            Some(key) => key_type(key).map(ItemType::Key),
            None => ItemType::named(if text == "String" { ItemType::Text.codec_name() } else { text }),
        };
        // Old codec names are not type names.
        item.filter(|item| item.to_string() == text).ok_or_else(|| inexpressible(format!("the type {text:?}")))
    }
}

/// Returns the type of a key, from the part between the angle brackets: `UInt32, 0-9`.
fn key_type(text: &str) -> Option<KeyType> {
    let (number, range) = text.split_once(", ")?;
    let last: u64 = range.strip_prefix("0-")?.parse().ok()?;
    let width = match ItemType::named(number)? {
        ItemType::U8 => 1,
        ItemType::U16 => 2,
        ItemType::U32 => 4,
        ItemType::U64 => 8,
        _ => return None,
    };
    Some(KeyType { width, count: last.checked_add(1)?, min: 0 })
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(dims) = &self.dims else { return write!(f, "{}", self.item) };
        write!(f, "Vector<{}", self.item)?;
        if dims[..] != [0] {
            dims.iter().try_for_each(|&dim| if dim == 0 { f.write_str(", *") } else { write!(f, ", {dim}") })?;
        }
        f.write_str(">")
    }
}

impl FromStr for ColumnType {
    type Err = Error;

    /// Parses the displayed name of a type.
    fn from_str(text: &str) -> Result<Self, Error> {
        let Some(vector) = text.strip_prefix("Vector<").and_then(|rest| rest.strip_suffix('>')) else {
            return text.parse().map(ColumnType::scalar);
        };
        // The angle brackets of a key type come before the dimensions.
        let end = vector.find('>').map_or(0, |angle| angle + 1);
        let (item, dims) = match vector[end..].split_once(", ") {
            Some((rest, dims)) => {
                (&vector[..end + rest.len()], dims.split(", ").map(extent).collect::<Option<Vec<u32>>>())
            }
            None => (vector, Some(vec![0])),
        };
        let dims = dims.ok_or_else(|| inexpressible(format!("the type {text:?}")))?;
        Ok(ColumnType::vector(item.parse::<ItemType>()?, dims))
    }
}

fn extent(text: &str) -> Option<u32> {
    if text == "*" { Some(0) } else { text.parse().ok() }
}
