//! A short description of a file.

use super::Format;
use serde::Serialize;
use std::collections::BTreeMap;

/// A description of a file. When serialized, it is the output of `ndbytes info --json` without the path.
///
/// ```
/// use ndbytes::{Input, Limits};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/surface.ra");
/// let limits = Limits::default();
/// let info = ndbytes::info(Input::open(path, limits)?, &limits)?;
/// println!("{}, {} bytes", info.format.title(), info.size);
/// # assert_eq!((info.format.title(), info.size), ("RawArray", 160));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Info {
    /// The format.
    pub format: Format,
    /// The length of the file in bytes.
    pub size: u64,
    /// The version of the format. `None` if the format has no versions, or if the file is a Blosc2 frame that is not an array.
    pub version: Option<String>,
    /// The array, if the format contains one. `None` for a Blosc2 frame in a store that is not an array.
    pub array: Option<ArrayInfo>,
    /// The table, if the format contains one.
    pub table: Option<TableInfo>,
    /// Further details: flags, compression and metadata.
    pub details: BTreeMap<&'static str, String>,
    /// The metadata that the author attached to the file, in file order, limited to [`MOST_METADATA`].
    pub metadata: Vec<MetadataInfo>,
}

/// The maximum number of author-supplied values that are described. A Blosc2 header has up to 16, but a trailer may have thousands.
/// [`Info::details`] names all of them, in abbreviated form.
pub const MOST_METADATA: usize = 100;

/// A value that the author attached to the file.
///
/// ```
/// use ndbytes::{Input, Limits, b2nd, rmpv};
///
/// let rain = ndarray::arr1(&[12_i16, 0, 7]);
/// let file = b2nd::Writer::new().attribute("unit", &rmpv::Value::from("mm"))?.to_vec(&rain)?;
/// let limits = Limits::default();
/// let info = ndbytes::info(Input::from_slice(&file, limits), &limits)?;
/// let unit = info.metadata.iter().find(|value| value.name == "unit").unwrap();
/// assert_eq!((unit.kind, unit.value.as_deref()), ("attribute", Some("\"mm\"")));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MetadataInfo {
    /// `metalayer` for a value in a frame's header, `attribute` for one in its trailer, and `metadata` for bytes after the data.
    pub kind: &'static str,
    /// The name; empty if the format has none.
    pub name: String,
    /// The beginning of the value as text: JSON syntax for msgpack, and hexadecimal for other bytes. `None` if it cannot be read.
    pub value: Option<String>,
    /// The identifier of the rule that the value breaks, if this is why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flaw: Option<&'static str>,
}

/// A description of an array.
///
/// ```
/// use ndbytes::{Input, Limits};
///
/// let limits = Limits::default();
/// let array = ndbytes::info(Input::open("samples/surface.ra", limits)?, &limits)?.array.unwrap();
/// assert_eq!((array.shape, array.dtype.as_str(), array.order), (vec![4, 6], "<f4", "F"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ArrayInfo {
    /// The length of each axis, as stored.
    pub shape: Vec<u64>,
    /// The element type, in NumPy's notation.
    pub dtype: String,
    /// `C` if the last axis varies fastest, `F` if the first does.
    pub order: &'static str,
}

/// A description of a table.
///
/// ```
/// use ndbytes::{Input, Limits};
///
/// let limits = Limits::default();
/// let table = ndbytes::info(Input::open("samples/trees.idv", limits)?, &limits)?.table.unwrap();
/// let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
/// assert_eq!((table.rows, names), (4, vec!["Name", "Label", "Features", "Evergreen"]));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TableInfo {
    /// The number of rows.
    pub rows: u64,
    /// The columns, in file order.
    pub columns: Vec<ColumnInfo>,
}

/// A description of a table's column.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// #
/// # let limits = Limits::default();
/// let table = ndbytes::info(Input::open("samples/trees.idv", limits)?, &limits)?.table.unwrap();
/// let [_, label, features, _] = &table.columns[..] else { panic!("there are 4 columns") };
/// assert_eq!((label.r#type.as_str(), label.categories), ("Key<UInt32, 0-1>", Some(2)));
/// assert_eq!((features.r#type.as_str(), features.slots), ("Vector<Single, 3>", Some(3)));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ColumnInfo {
    /// The name.
    pub name: String,
    /// The type of the values, with its .NET name; the name of the codec if the type is unknown.
    pub r#type: String,
    /// For columns of fixed-size vectors, the number of items per vector.
    pub slots: Option<u64>,
    /// For key columns, the number of categories.
    pub categories: Option<u64>,
    /// True if the values can be read.
    pub readable: bool,
    /// True if a later column has the same name.
    pub hidden: bool,
    /// The compression of the blocks; `None` if it is unknown.
    pub compression: Option<&'static str>,
    /// The number of blocks.
    pub blocks: u64,
    /// The total size of the blocks as stored, in bytes.
    pub stored_bytes: u64,
    /// The annotations of the column.
    pub annotations: Vec<AnnotationInfo>,
}

/// A description of a column's annotation.
///
/// ```
/// # use ndbytes::{Input, Limits};
/// #
/// # let limits = Limits::default();
/// let table = ndbytes::info(Input::open("samples/trees.idv", limits)?, &limits)?.table.unwrap();
/// let annotation = &table.columns[1].annotations[0];
/// assert_eq!((annotation.kind.as_str(), annotation.r#type.as_str()), ("KeyValues", "Vector<String, 2>"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AnnotationInfo {
    /// The kind, such as `SlotNames`.
    pub kind: String,
    /// The type of the value, with its .NET name; the name of the codec if the type is unknown.
    pub r#type: String,
}
