//! Codecs and their types.

use everybyte::{Endian, bytes::Region, trace::length_of, varint::Leb128};
use ndbytes::idv::{ColumnType, ItemType, KeyType};
use ndbytes_schemas::idv::{Codec, Key, NetString, OldKey, Parameters, VectorOf, Version};

/// The codecs without parameters that exist in all versions, and their types.
const ALWAYS: [(&str, ItemType); 12] = [
    ("SByte", ItemType::I8),
    ("Int16", ItemType::I16),
    ("Int32", ItemType::I32),
    ("Int64", ItemType::I64),
    ("Byte", ItemType::U8),
    ("UInt16", ItemType::U16),
    ("UInt32", ItemType::U32),
    ("UInt64", ItemType::U64),
    ("Single", ItemType::F32),
    ("Double", ItemType::F64),
    ("TextSpan", ItemType::Text),
    ("TimeSpan", ItemType::TimeSpan),
];

/// The codecs without parameters of version 1.1.1.6.
const NEW: [(&str, ItemType); 4] = [
    ("Boolean", ItemType::Bool),
    ("DateTime", ItemType::DateTime),
    ("DateTimeOffset", ItemType::DateTimeOffset),
    ("DataViewRowId", ItemType::RowId),
];

/// The codecs without parameters of earlier versions.
const OLD: [(&str, ItemType); 4] = [
    ("DvBool", ItemType::Bool),
    ("DvTimeSpan", ItemType::TimeSpan),
    ("DvDateTime", ItemType::DateTime),
    ("DvDateTimeZone", ItemType::DateTimeOffset),
];

/// The codecs for the numbers of keys, and their width in bytes.
pub(super) const KEY_NUMBERS: [(&str, u8); 4] = [("Byte", 1), ("UInt16", 2), ("UInt32", 4), ("UInt64", 8)];

/// Returns the codecs without parameters that belong to a version.
pub(super) fn simple(version: Version) -> impl Iterator<Item = (&'static str, ItemType)> {
    let own = if version > Version::V5 { NEW } else { OLD };
    ALWAYS.into_iter().chain(own)
}

/// Returns the type of a codec; `None` if it does not occur in valid files.
pub(super) fn type_of(codec: &Codec) -> Option<ColumnType> {
    let Parameters::Vector { vector } = &codec.parameters else { return item_of(codec).map(ColumnType::scalar) };
    let dims: Option<Vec<u32>> = vector.dims.iter().map(|&dim| u32::try_from(dim).ok()).collect();
    let dims = dims?;
    let product = |size: i32, &dim: &u32| size.checked_mul(i32::try_from(dim).ok()?);
    dims.iter().try_fold(1_i32, product)?;
    let dims = if dims.is_empty() { vec![0] } else { dims };
    Some(ColumnType { item: item_of(&vector.item)?, dims: Some(dims) })
}

fn item_of(codec: &Codec) -> Option<ItemType> {
    match &codec.parameters {
        Parameters::Vector { .. } => None,
        Parameters::Key { key } => {
            let key = KeyType { width: width_of(&key.number)?, count: key.count, min: 0 };
            (1..=key.most()).contains(&key.count).then_some(ItemType::Key(key))
        }
        Parameters::OldKey { key } => {
            let count = u64::try_from(key.count).ok()?;
            let key = KeyType { width: width_of(&key.number)?, count, min: key.min };
            let count = if key.count == 0 { key.most() } else { key.count };
            (count <= key.most()).then_some(ItemType::Key(KeyType { count, ..key }))
        }
        Parameters::Other { .. } => {
            let name = codec.name.text()?;
            ALWAYS.into_iter().chain(NEW).chain(OLD).find(|(known, _)| *known == name).map(|(_, item)| item)
        }
    }
}

/// Returns the width of the number of a key in bytes.
fn width_of(number: &Codec) -> Option<u8> {
    match &number.parameters {
        Parameters::Key { key } => width_of(&key.number),
        Parameters::OldKey { key } => width_of(&key.number),
        Parameters::Vector { .. } => None,
        Parameters::Other { .. } => {
            let name = number.name.text()?;
            KEY_NUMBERS.iter().find(|(known, _)| *known == name).map(|&(_, width)| width)
        }
    }
}

/// Returns a codec without parameters.
pub(super) fn plain(name: &str) -> Codec {
    with(NetString::new(name), Parameters::Other { bytes: Region::default() })
}

/// Returns a codec of vectors.
pub(super) fn vector(item: Codec, dims: Vec<i32>) -> Codec {
    with(NetString::new("VBuffer"), Parameters::Vector { vector: VectorOf { item: Box::new(item), dims } })
}

/// Returns a codec of categories.
pub(super) fn key(number: Codec, count: u64) -> Codec {
    with(NetString::new("Key2"), Parameters::Key { key: Key { number: Box::new(number), count } })
}

/// Returns a codec of categories as written by ML.NET up to 0.9.
pub(super) fn old_key(number: Codec, contiguous: u8, min: u64, count: i32) -> Codec {
    let key = OldKey { number: Box::new(number), contiguous, min, count };
    with(NetString::new("Key"), Parameters::OldKey { key })
}

/// Returns a codec whose parameters have the stated length.
pub(super) fn with(name: NetString, parameters: Parameters) -> Codec {
    let parameters_length = Leb128::new(length_of(&parameters, Endian::Little));
    Codec { name, parameters_length, parameters, excess: Region::default() }
}
