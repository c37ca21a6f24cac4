//! The checksums that `-check` names.

use everybyte::sums::{Sum, adler32, crc16_ibm_3740, crc32, sum8, sum16, sum32, xor8};

const SUMS: &[Sum] = &[
    Sum::new("crc32", |bytes| crc32(bytes).into()),
    Sum::new("adler32", |bytes| adler32(bytes).into()),
    Sum::new("crc16-ccitt", |bytes| crc16_ibm_3740(bytes).into()),
    Sum::new("sum8", |bytes| sum8(bytes).into()),
    Sum::new("sum16", |bytes| sum16(bytes).into()),
    Sum::new("sum32", |bytes| sum32(bytes).into()),
    Sum::new("xor8", |bytes| xor8(bytes).into()),
];

/// Returns the checksum with a name.
pub fn named(name: &str) -> Option<&'static Sum> {
    SUMS.iter().find(|sum| sum.name() == name)
}

/// Returns the names of all checksums.
pub fn names() -> Vec<&'static str> {
    SUMS.iter().map(Sum::name).collect()
}
