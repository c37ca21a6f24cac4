//! Cyclic redundancy checks, computed byte by byte with a table.

/// Declares a check that processes the lowest bit of each byte first, with a table of remainders for all byte values.
macro_rules! reflected {
    ($(#[$doc:meta])* $name:ident: $integer:ident, $polynomial:literal, $initial:expr, $final:expr) => {
        $(#[$doc])*
        pub fn $name(bytes: &[u8]) -> $integer {
            const REMAINDERS: [$integer; 256] = {
                let mut remainders = [0; 256];
                let mut byte = 0;
                while byte < 256 {
                    let (mut remainder, mut bit) = (byte as $integer, 0);
                    while bit < 8 {
                        remainder = (remainder >> 1) ^ ($polynomial & (remainder & 1).wrapping_neg());
                        bit += 1;
                    }
                    remainders[byte] = remainder;
                    byte += 1;
                }
                remainders
            };
            let next = |crc: $integer, &byte: &u8| (crc >> 8) ^ REMAINDERS[usize::from(crc as u8 ^ byte)];
            bytes.iter().fold($initial, next) ^ $final
        }
    };
}

/// Declares a check that processes the highest bit of each byte first.
macro_rules! forward {
    ($(#[$doc:meta])* $name:ident $(($sum:ident))?: $integer:ident, $polynomial:literal, $initial:expr, $final:expr) => {
        $(#[$doc])*
        pub fn $name($($sum: $integer,)? bytes: &[u8]) -> $integer {
            const TOP: u32 = $integer::BITS - 8;
            const REMAINDERS: [$integer; 256] = {
                let mut remainders = [0; 256];
                let mut byte = 0;
                while byte < 256 {
                    let (mut remainder, mut bit) = ((byte as $integer) << TOP, 0);
                    while bit < 8 {
                        let carry = (remainder >> ($integer::BITS - 1)).wrapping_neg();
                        remainder = (remainder << 1) ^ ($polynomial & carry);
                        bit += 1;
                    }
                    remainders[byte] = remainder;
                    byte += 1;
                }
                remainders
            };
            // Shifting an 8-bit number by 8 leaves no bits.
            let next = |crc: $integer, &byte: &u8| {
                crc.checked_shl(8).unwrap_or(0) ^ REMAINDERS[usize::from((crc >> TOP) as u8 ^ byte)]
            };
            bytes.iter().fold($initial, next) ^ $final
        }
    };
}

forward! {
    /// CRC-8 as in SMBus and FLAC frame headers.
    crc8: u8, 0x07, 0, 0
}

reflected! {
    /// CRC-16 as in ARC and LHA.
    crc16_arc: u16, 0xA001, 0, 0
}

forward! {
    /// CRC-16 as in UMTS and FLAC frames, also called BUYPASS.
    crc16_umts: u16, 0x8005, 0, 0
}

forward! {
    /// Continues the checksum of preceding bytes.
    crc16_umts_after(sum): u16, 0x8005, sum, 0
}

forward! {
    /// CRC-16 as in IBM 3740: the CCITT polynomial, starting with all ones.
    crc16_ibm_3740: u16, 0x1021, u16::MAX, 0
}

forward! {
    /// CRC-16 as in XMODEM and ZMODEM: the CCITT polynomial, starting with zero.
    crc16_xmodem: u16, 0x1021, 0, 0
}

reflected! {
    /// CRC-32 (ISO-HDLC), as in PNG, gzip and zip.
    crc32: u32, 0xEDB8_8320, u32::MAX, u32::MAX
}

forward! {
    /// CRC-32 as in bzip2.
    crc32_bzip2: u32, 0x04C1_1DB7, u32::MAX, u32::MAX
}

reflected! {
    /// CRC-32C (Castagnoli), as in iSCSI, ext4 and Snappy frames.
    crc32c: u32, 0x82F6_3B78, u32::MAX, u32::MAX
}

reflected! {
    /// CRC-64 as in xz.
    crc64_xz: u64, 0xC96C_5795_D787_0F42, u64::MAX, u64::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These are the check values of the catalogue.
    #[test]
    fn checks_of_nine_digits_are_those_of_the_catalogue() {
        let digits = b"123456789";
        assert_eq!(crc8(digits), 0xF4);
        assert_eq!(crc16_arc(digits), 0xBB3D);
        assert_eq!(crc16_ibm_3740(digits), 0x29B1);
        assert_eq!(crc16_umts(digits), 0xFEE8);
        assert_eq!(crc16_umts_after(crc16_umts(b"12345"), b"6789"), 0xFEE8);
        assert_eq!(crc16_xmodem(digits), 0x31C3);
        assert_eq!(crc32(digits), 0xCBF4_3926);
        assert_eq!(crc32_bzip2(digits), 0xFC89_1918);
        assert_eq!(crc32c(digits), 0xE306_9283);
        assert_eq!(crc64_xz(digits), 0x995D_C9BB_DF19_39FA);
    }
}
