//! Checksums that add bytes or words.

/// Adler-32, as in zlib.
pub fn adler32(bytes: &[u8]) -> u32 {
    let next = |(a, b): (u32, u32), &byte: &u8| {
        let a = (a + u32::from(byte)) % 65_521;
        (a, (b + a) % 65_521)
    };
    let (a, b) = bytes.iter().fold((1, 0), next);
    b << 16 | a
}

/// Fletcher's 16-bit checksum.
pub fn fletcher16(bytes: &[u8]) -> u16 {
    let next = |(a, b): (u16, u16), &byte: &u8| {
        let a = (a + u16::from(byte)) % 255;
        (a, (b + a) % 255)
    };
    let (a, b) = bytes.iter().fold((0, 0), next);
    b << 8 | a
}

/// The 8-bit sum of all bytes.
pub fn sum8(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum: u8, &byte| sum.wrapping_add(byte))
}

/// The 16-bit sum of all bytes.
pub fn sum16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |sum: u16, &byte| sum.wrapping_add(byte.into()))
}

/// The 32-bit sum of all bytes, as in tar.
pub fn sum32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |sum: u32, &byte| sum.wrapping_add(byte.into()))
}

/// The exclusive or of all bytes.
pub fn xor8(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum ^ byte)
}

/// The sum of all big-endian 32-bit words, as in TrueType. The last word is padded with zeros.
pub fn words32(bytes: &[u8]) -> u32 {
    bytes.chunks(4).fold(0, |sum: u32, word| {
        let mut bytes = [0; 4];
        bytes[..word.len()].copy_from_slice(word);
        sum.wrapping_add(u32::from_be_bytes(bytes))
    })
}

/// The checksum of the Internet protocols (RFC 1071): the complement of the sum of all 16-bit words, with the carries
/// added back. Words are big-endian; a final odd byte is padded with a zero byte.
pub fn internet(bytes: &[u8]) -> u16 {
    let sum = bytes
        .chunks(2)
        .fold(0_u64, |sum, word| sum + u64::from(u16::from_be_bytes([word[0], word.get(1).copied().unwrap_or(0)])));
    let mut folded = sum;
    while folded >> 16 > 0 {
        folded = (folded & 0xFFFF) + (folded >> 16);
    }
    !(folded as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_their_specifications() {
        assert_eq!(adler32(b"Wikipedia"), 0x11E6_0398);
        assert_eq!(fletcher16(b"abcde"), 0xC8F0);
        assert_eq!((sum8(&[200, 100]), sum16(&[200, 100]), sum32(&[200, 100]), xor8(&[3, 5])), (44, 300, 300, 6));
        assert_eq!(words32(&[0, 0, 0, 1, 2]), 0x0200_0001);
        // An IPv4 header whose checksum is blank.
        let header = b"\x45\0\0\x73\0\0\x40\0\x40\x11\0\0\xc0\xa8\0\x01\xc0\xa8\0\xc7";
        assert_eq!(internet(header), 0xB861);
        assert_eq!(internet(&[]), 0xFFFF);
    }
}
