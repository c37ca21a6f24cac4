//! The checksums that `-check` names.

use everybyte::sums::{Sum, adler32, crc32};

const SUMS: &[Sum] = &[
    Sum::new("crc32", |bytes| crc32(bytes).into()),
    Sum::new("adler32", |bytes| adler32(bytes).into()),
    Sum::new("crc16-ccitt", |bytes| crc16_ccitt(bytes).into()),
    Sum::new("sum8", |bytes| sum(bytes) & 0xFF),
    Sum::new("sum16", |bytes| sum(bytes) & 0xFFFF),
    Sum::new("sum32", |bytes| sum(bytes) & 0xFFFF_FFFF),
    Sum::new("xor8", |bytes| bytes.iter().fold(0, |sum, &byte| sum ^ byte).into()),
];

/// The checksum of a name.
pub fn named(name: &str) -> Option<&'static Sum> {
    SUMS.iter().find(|sum| sum.name() == name)
}

/// The names of all checksums.
pub fn names() -> Vec<&'static str> {
    SUMS.iter().map(Sum::name).collect()
}

fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum: u64, &byte| sum.wrapping_add(byte.into()))
}

/// CRC-16 of the polynomial 0x1021 that begins with all ones.
fn crc16_ccitt(bytes: &[u8]) -> u16 {
    bytes.iter().fold(u16::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u16::from(byte) << 8, |crc, _| crc << 1 ^ if crc >> 15 == 1 { 0x1021 } else { 0 })
    })
}
