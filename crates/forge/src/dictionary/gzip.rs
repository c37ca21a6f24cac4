//! The words of gzip.

use super::words::Dictionary;
use everybyte::Endian;
use ndbytes_schemas::gzip::{Header, Member};

/// Returns the words of gzip.
pub(super) fn gzip() -> Dictionary {
    let mut dictionary = Dictionary::default();
    add(&mut dictionary);
    dictionary
}

/// Adds the words of gzip to the words of its content.
pub(super) fn add(dictionary: &mut Dictionary) {
    dictionary.layout::<Member>(&[Endian::Little]);
    dictionary.magic::<Header>(Endian::Little);
    dictionary.written("gzip_header", &Header::plain(), Endian::Little);
}
