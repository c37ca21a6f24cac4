//! Checksums by name, for `#[layout(check_of = …, sum = …)]`. Any function of bytes that gives an unsigned integer is one.
//!
//! ```
//! use everybyte::sums::{adler32, crc8, crc16, crc32};
//!
//! assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
//! assert_eq!(adler32(b"Wikipedia"), 0x11E6_0398);
//! assert_eq!((crc8(b"123456789"), crc16(b"123456789")), (0xF4, 0xFEE8));
//! ```

use std::fmt;

/// A checksum: its name, and how it is made.
#[derive(Clone, Copy)]
pub struct Sum {
    name: &'static str,
    of: fn(&[u8]) -> u64,
}

impl Sum {
    /// A sum of this name.
    pub const fn new(name: &'static str, of: fn(&[u8]) -> u64) -> Self {
        Sum { name, of }
    }

    /// Its name, as the declaration has it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The sum of some bytes.
    pub fn of(&self, bytes: &[u8]) -> u64 {
        (self.of)(bytes)
    }
}

/// Sums of one name are the same.
impl PartialEq for Sum {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sum").field(&self.name).finish()
    }
}

/// The remainders of all bytes, for [`crc32`].
const REMAINDERS: [u32; 256] = {
    let mut remainders = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut remainder, mut bit) = (byte as u32, 0);
        while bit < 8 {
            remainder = (remainder >> 1) ^ (0xEDB8_8320 & (remainder & 1).wrapping_neg());
            bit += 1;
        }
        remainders[byte] = remainder;
        byte += 1;
    }
    remainders
};

/// CRC-32 of ISO-HDLC, as in PNG, gzip and zip.
pub fn crc32(bytes: &[u8]) -> u32 {
    let next = |crc: u32, &byte: &u8| (crc >> 8) ^ REMAINDERS[usize::from(crc as u8 ^ byte)];
    !bytes.iter().fold(u32::MAX, next)
}

/// Adler-32, as in zlib.
pub fn adler32(bytes: &[u8]) -> u32 {
    let next = |(a, b): (u32, u32), &byte: &u8| {
        let a = (a + u32::from(byte)) % 65_521;
        (a, (b + a) % 65_521)
    };
    let (a, b) = bytes.iter().fold((1, 0), next);
    b << 16 | a
}

/// CRC-8 of the polynomial 0x07, as in FLAC and SMBus.
pub fn crc8(bytes: &[u8]) -> u8 {
    let next = |sum: u8, _| (sum << 1) ^ if sum & 0x80 != 0 { 0x07 } else { 0 };
    bytes.iter().fold(0, |sum, byte| (0..8).fold(sum ^ byte, next))
}

/// CRC-16 of the polynomial 0x8005, as in FLAC.
pub fn crc16(bytes: &[u8]) -> u16 {
    crc16_after(0, bytes)
}

/// The same of bytes that follow others, whose sum is given.
pub fn crc16_after(sum: u16, bytes: &[u8]) -> u16 {
    let next = |sum: u16, _| (sum << 1) ^ if sum & 0x8000 != 0 { 0x8005 } else { 0 };
    bytes.iter().fold(sum, |sum, byte| (0..8).fold(sum ^ (u16::from(*byte) << 8), next))
}
