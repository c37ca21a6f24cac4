//! All codecs.

use everybyte::{Endian, bytes::Region, trace::length_of, varint::Leb128};
use ndbytes_schemas::idv::{Codec, Key, NetString, OldKey, Parameters, VectorOf};

/// The codecs without parameters.
pub const PLAIN: [&str; 22] = [
    "SByte",
    "Int16",
    "Int32",
    "Int64",
    "Byte",
    "UInt16",
    "UInt32",
    "UInt64",
    "Single",
    "Double",
    "Boolean",
    "TextSpan",
    "TimeSpan",
    "DateTime",
    "DateTimeOffset",
    "DataViewRowId",
    "DvBool",
    "DvTimeSpan",
    "DvDateTime",
    "DvDateTimeZone",
    "RowId",
    "UInt128",
];

/// The codecs for the numbers of keys.
const NUMBERS: [&str; 4] = ["Byte", "UInt16", "UInt32", "UInt64"];

/// The number of item codecs that `item` distinguishes.
pub const ITEMS: u8 = PLAIN.len() as u8 + 2 * NUMBERS.len() as u8 + 1;

/// An item codec: one without parameters, or a key.
pub fn item(selector: u8, parameter: u8) -> Codec {
    let selector = usize::from(selector % ITEMS);
    if let Some(name) = PLAIN.get(selector) {
        return plain(name);
    }
    let selector = selector - PLAIN.len();
    match NUMBERS.get(selector % NUMBERS.len()).filter(|_| selector < 2 * NUMBERS.len()) {
        Some(name) if selector < NUMBERS.len() => key(plain(name), categories(parameter)),
        Some(name) => {
            let (min, count) = (u64::from(parameter % 3), i32::from(parameter / 3));
            let number = Box::new(plain(name));
            with("Key", Parameters::OldKey { key: OldKey { number, contiguous: 1, min, count } })
        }
        None => key(key(plain("UInt16"), 9), categories(parameter)),
    }
}

/// Returns a number of categories that every number type can distinguish.
fn categories(parameter: u8) -> u64 {
    u64::from(parameter).max(1)
}

/// A codec of vectors.
pub fn vector(item: Codec, dims: Vec<i32>) -> Codec {
    with("VBuffer", Parameters::Vector { vector: VectorOf { item: Box::new(item), dims } })
}

/// A codec without parameters.
pub fn plain(name: &str) -> Codec {
    with(name, Parameters::Other { bytes: Region::default() })
}

fn key(number: Codec, count: u64) -> Codec {
    with("Key2", Parameters::Key { key: Key { number: Box::new(number), count } })
}

fn with(name: &str, parameters: Parameters) -> Codec {
    let parameters_length = Leb128::new(length_of(&parameters, Endian::Little));
    Codec { name: NetString::new(name), parameters_length, parameters, excess: Region::default() }
}
