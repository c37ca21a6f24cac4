//! The words of IDX and of gzip.

use super::gzip;
use super::words::Dictionary;
use everybyte::{
    Endian,
    bytes::{Region, Zeros},
};
use ndbytes_schemas::idx::{ElementType, Idx};

/// Returns the words of IDX.
pub(super) fn idx() -> Dictionary {
    let mut dictionary = Dictionary::default();
    dictionary.layout::<Idx>(&[Endian::Big]);
    for element_type in ElementType::ALL.iter().copied() {
        let header = |dims| Idx { zero: Zeros::default(), element_type, dims, payload: Region::default() };
        dictionary.written(&format!("{}_scalar", element_type.name()), &header(vec![]), Endian::Big);
        dictionary.written(&format!("{}_vector", element_type.name()), &header(vec![1]), Endian::Big);
    }
    gzip::add(&mut dictionary);
    dictionary
}
