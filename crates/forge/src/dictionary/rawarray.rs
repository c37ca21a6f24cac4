//! The words of RawArray.

use super::words::{Dictionary, suffix};
use everybyte::{
    Endian,
    bytes::{Region, Rest},
};
use ndbytes_schemas::rawarray::{Eltype, Flags, RawArray};

/// Returns the words of RawArray.
pub(super) fn rawarray() -> Dictionary {
    let mut dictionary = Dictionary::default();
    dictionary.layout::<RawArray>(&[Endian::Little, Endian::Big]);
    let header = RawArray {
        flags: Flags::from_raw(0),
        eltype: Eltype::Unsigned,
        elbyte: 1,
        size: 0,
        dims: vec![],
        data: Region::default(),
        metadata: Rest::default(),
    };
    for endian in [Endian::Little, Endian::Big] {
        dictionary.magic::<RawArray>(endian);
        dictionary.written(&format!("scalar_{}", suffix(endian)), &header, endian);
    }
    dictionary
}
