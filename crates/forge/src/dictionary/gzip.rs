//! The words of gzip.

use super::words::Dictionary;
use everybyte::Endian;
use ndbytes_schemas::gzip::{Flags, Header, Member, Method};

/// The words of gzip.
pub(super) fn gzip() -> Dictionary {
    let mut dictionary = Dictionary::default();
    add(&mut dictionary);
    dictionary
}

/// Adds the words of gzip to those of what travels in it.
pub(super) fn add(dictionary: &mut Dictionary) {
    dictionary.layout::<Member>(&[Endian::Little]);
    let header = Header {
        method: Method::DEFLATE,
        flags: Flags::from_raw(0),
        mtime: 0,
        extra_flags: 0,
        os: 255,
        extra: None,
        name: None,
        comment: None,
        header_crc: None,
    };
    dictionary.magic::<Header>(Endian::Little);
    dictionary.written("gzip_header", &header, Endian::Little);
}
