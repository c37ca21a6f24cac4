//! CRC-32C: the checksum of Castagnoli's polynomial, which Zarr stores after bytes (RFC 3720, appendix B.4).

/// The polynomial, with its bits reversed.
const POLYNOMIAL: u32 = 0x82f6_3b78;

/// For each byte, and for each of eight positions before the end of a word, its contribution to the checksum.
static TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut sum, mut bit) = (byte as u32, 0);
        while bit < 8 {
            sum = (sum >> 1) ^ if sum & 1 == 1 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        tables[0][byte] = sum;
        byte += 1;
    }
    let mut place = 1;
    while place < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[place - 1][byte];
            tables[place][byte] = (before >> 8) ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        place += 1;
    }
    tables
}

/// Returns the checksum of the bytes.
///
/// ```
/// assert_eq!(ndbytes_codecs::crc32c::sum(b"123456789"), 0xe306_9283);
/// ```
pub fn sum(bytes: &[u8]) -> u32 {
    let mut sum = !0_u32;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        let word = u64::from_le_bytes(*word) ^ u64::from(sum);
        sum = 0;
        for (place, byte) in word.to_le_bytes().into_iter().enumerate() {
            sum ^= TABLES[7 - place][usize::from(byte)];
        }
    }
    for byte in rest {
        sum = (sum >> 8) ^ TABLES[0][usize::from(sum as u8 ^ byte)];
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    fn sums_are_those_of_the_standard() {
        // RFC 3720, appendix B.4.
        assert_eq!(sum(&[0; 32]), 0x8a91_36aa);
        assert_eq!(sum(&[0xff; 32]), 0x62a8_ab43);
        assert_eq!(sum(&(0..32).collect::<Vec<u8>>()), 0x46dd_794e);
        assert_eq!(sum(b""), 0);
    }
}
