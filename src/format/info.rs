//! A short description of a file.

use super::Format;
use serde::Serialize;
use std::collections::BTreeMap;

/// A description of a file. Serialised, it is the output of `ndbytes info --json` without the path.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Info {
    /// The format.
    pub format: Format,
    /// Bytes of the file.
    pub size: u64,
    /// Version of the format. `None` if the format has no versions, or for a Blosc2 frame that is not an array.
    pub version: Option<String>,
    /// The array, in formats that hold one. `None` for a Blosc2 frame in a store that is not an array.
    pub array: Option<ArrayInfo>,
    /// The table, in formats that hold one.
    pub table: Option<TableInfo>,
    /// Further details: flags, compression, metadata.
    pub details: BTreeMap<&'static str, String>,
    /// The metadata that the author of the file has attached, in file order: the first [`MOST_METADATA`].
    pub metadata: Vec<MetadataInfo>,
}

/// The maximum number of values that the author of a file has attached and that are described. A header of Blosc2 has up to 16, a
/// trailer may have thousands: [`Info::details`] names all of them, in a text that is shortened.
pub const MOST_METADATA: usize = 100;

/// A value that the author of a file has attached to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MetadataInfo {
    /// `metalayer` for one in the header of a frame, `attribute` for one in its trailer, `metadata` for bytes after the data.
    pub kind: &'static str,
    /// The name; empty if the format has none.
    pub name: String,
    /// The beginning of the value as text: msgpack in the syntax of JSON, other bytes in hexadecimal digits. `None` if it
    /// cannot be read.
    pub value: Option<String>,
    /// The identifier of the rule that it breaks, if that is why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flaw: Option<&'static str>,
}

/// A description of an array.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ArrayInfo {
    /// Length of each axis, as stored.
    pub shape: Vec<u64>,
    /// The element type, as NumPy names it.
    pub dtype: String,
    /// `C` if the last axis varies fastest, `F` if the first does.
    pub order: &'static str,
}

/// A description of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TableInfo {
    /// The number of rows.
    pub rows: u64,
    /// The columns in the order of the file.
    pub columns: Vec<ColumnInfo>,
}

/// A description of a table's column.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ColumnInfo {
    /// The name.
    pub name: String,
    /// The type of the values, as .NET names it; the name of the codec if the type is unknown.
    pub r#type: String,
    /// The items of each vector, in a column of vectors of a fixed size.
    pub slots: Option<u64>,
    /// The number of categories, in a column of keys.
    pub categories: Option<u64>,
    /// True if the values can be read.
    pub readable: bool,
    /// True if a later column has the same name.
    pub hidden: bool,
    /// The compression of the blocks, or `None` if it is unknown.
    pub compression: Option<&'static str>,
    /// The number of blocks.
    pub blocks: u64,
    /// Bytes that the blocks take in the file.
    pub stored_bytes: u64,
    /// The annotations of the column.
    pub annotations: Vec<AnnotationInfo>,
}

/// A description of a column's annotation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AnnotationInfo {
    /// Its kind, such as `SlotNames`.
    pub kind: String,
    /// The type of the value, as .NET names it; the name of the codec if the type is unknown.
    pub r#type: String,
}
