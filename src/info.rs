//! What a file is, in a few words.

use crate::check::{known_format, refusal};
use crate::finding::bytes;
use crate::gzip::is_gzip;
use crate::input::Input;
use crate::{Depth, Error, Format, Limits, Result, b2nd, idv, idx, rawarray};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a file is. Serialised, it is what `ndbytes info --json` prints for it, but for the path.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Info {
    /// The format.
    pub format: Format,
    /// Bytes of the file.
    pub size: u64,
    /// Version of the format; none where the format has no versions.
    pub version: Option<String>,
    /// The array, in formats that hold one.
    pub array: Option<ArrayInfo>,
    /// The table, in formats that hold one.
    pub table: Option<TableInfo>,
    /// What else there is to say: flags, compression, metadata.
    pub details: BTreeMap<&'static str, String>,
}

/// What an array is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ArrayInfo {
    /// Extent of each axis, as stored.
    pub shape: Vec<u64>,
    /// The element type, as NumPy names it.
    pub dtype: String,
    /// `C` if the last axis varies fastest, `F` if the first does.
    pub order: &'static str,
}

/// What a table is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TableInfo {
    /// The number of rows.
    pub rows: u64,
    /// The columns in the order of the file.
    pub columns: Vec<ColumnInfo>,
}

/// What a column of a table is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ColumnInfo {
    /// The name.
    pub name: String,
    /// The type of the values, as .NET names it; the name of the codec if that is not known.
    pub r#type: String,
    /// Of a column of vectors of a fixed size, the items of each.
    pub slots: Option<u64>,
    /// Of a column of keys, how many categories there are.
    pub categories: Option<u64>,
    /// Whether the values can be read.
    pub readable: bool,
    /// Whether a later column has the same name.
    pub hidden: bool,
    /// How the blocks are compressed; none if that is not known.
    pub compression: Option<&'static str>,
    /// The number of blocks.
    pub blocks: u64,
    /// Bytes that the blocks take in the file.
    pub stored_bytes: u64,
    /// What is said about the column.
    pub annotations: Vec<AnnotationInfo>,
}

/// What an annotation of a column is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AnnotationInfo {
    /// What it is, such as `SlotNames`.
    pub kind: String,
    /// The type of the value, as .NET names it; the name of the codec if that is not known.
    pub r#type: String,
}

/// Says what a file is. The payload is not looked at, however large it is.
///
/// # Errors
/// [`Error::Invalid`] if it is of no known format, or if its structure breaks a rule; [`Error::Archive`] if it is an
/// archive with IDV streams; [`Error::Io`].
pub fn info(input: Input<'_>, limits: &Limits) -> Result<Info> {
    match known_format(&input) {
        Some(Format::Idx) => idx_info(input, *limits),
        Some(Format::RawArray) => rawarray_info(input),
        Some(Format::Idv) => idv_info(input, *limits),
        Some(Format::B2nd) => b2nd_info(input, *limits),
        None => Err(refusal(&input)),
    }
}

fn idx_info(input: Input<'_>, limits: Limits) -> Result<Info> {
    let (size, gzip) = (input.length(), is_gzip(input.head()));
    let examined = idx::examine(input, &idx::Options::new().limits(limits), Depth::Structure)?;
    refuse_errors(examined.findings)?;
    let header = examined.header.expect("a header that could not be read is an error");
    let mut details = BTreeMap::from([("payload", bytes(header.payload.length))]);
    if gzip {
        details.insert("compression", "gzip".into());
    }
    let array = ArrayInfo {
        shape: header.dims.iter().map(|&dim| dim.into()).collect(),
        dtype: idx::dtype(header.element_type).descr(),
        order: "C",
    };
    Ok(Info { format: Format::Idx, size, version: None, array: Some(array), table: None, details })
}

fn rawarray_info(input: Input<'_>) -> Result<Info> {
    let size = input.length();
    let examined = rawarray::examine(input, Depth::Structure)?;
    refuse_errors(examined.findings)?;
    let (Some(header), Some((array, endian))) = (examined.header, examined.array) else {
        unreachable!("what could not be read is an error");
    };
    let dtype = crate::Dtype::new(array.kind, endian);
    let mut details = BTreeMap::from([
        ("eltype", format!("{} ({})", header.eltype.code(), header.eltype.name())),
        ("elbyte", header.elbyte.to_string()),
        ("payload", bytes(header.size)),
    ]);
    if header.flags.raw() != 0 {
        details.insert("flags", ndbytes_schemas::Layout::meaning(&header.flags).into_owned());
    }
    if header.metadata.length > 0 && array.has_known_end() {
        details.insert("metadata", bytes(header.metadata.length));
    }
    let array = ArrayInfo { shape: header.dims, dtype: dtype.descr(), order: "F" };
    Ok(Info { format: Format::RawArray, size, version: None, array: Some(array), table: None, details })
}

fn idv_info(input: Input<'_>, limits: Limits) -> Result<Info> {
    let size = input.length();
    let table = idv::Options::new().limits(limits).read(input)?;
    let (version, compatible) = (table.version(), table.compatible_version());
    let mut details = BTreeMap::new();
    if version != compatible {
        details.insert("compatible", compatible.to_string());
    }
    let columns = table.columns().map(|column| ColumnInfo {
        name: column.name(),
        r#type: column.column_type().map_or_else(|| column.codec(), ToString::to_string),
        slots: column.column_type().and_then(idv::ColumnType::vector_size).map(u64::from),
        categories: match column.column_type().map(|column_type| column_type.item) {
            Some(idv::ItemType::Key(key)) => Some(key.count),
            _ => None,
        },
        readable: column.is_readable(),
        hidden: column.is_hidden(),
        compression: column.compression().name(),
        blocks: column.block_count() as u64,
        stored_bytes: column.stored_bytes(),
        annotations: column
            .annotations()
            .map(|annotation| AnnotationInfo {
                kind: annotation.kind(),
                r#type: annotation.value_type().map_or_else(|| annotation.codec(), ToString::to_string),
            })
            .collect(),
    });
    let table = TableInfo { rows: table.rows(), columns: columns.collect() };
    Ok(Info { format: Format::Idv, size, version: Some(version.to_string()), array: None, table: Some(table), details })
}

fn b2nd_info(input: Input<'_>, limits: Limits) -> Result<Info> {
    let size = input.length();
    let array = b2nd::Options::new().limits(limits).read(input)?;
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

fn refuse_errors(findings: Vec<crate::Finding>) -> Result<(), Error> {
    findings.into_iter().find(crate::Finding::is_error).map_or(Ok(()), |finding| Err(finding.into()))
}
