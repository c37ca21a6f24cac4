//! Encodings of variable-length integers.
//!
//! `decode` accepts everything that a reader of the format accepts, including numbers in more bytes than necessary.
//! `encode` takes a minimum number of bytes, for fields whose width must not change. Numbers are `i128`, which can
//! represent every `u64` and `i64`.

/// The maximum length of a number in bytes.
pub(crate) const LONGEST: usize = 10;

/// The encoding of a variable-length integer.
///
/// ```
/// use everybyte::varint::Coding;
///
/// assert_eq!(Coding::Leb128.decode(&[0x80, 0x01]), Some(128));
/// assert_eq!(Coding::Vlq.decode(&[0x81, 0x00]), Some(128));
/// assert_eq!(Coding::Zigzag.decode(&[0x03]), Some(-2));
/// assert_eq!(Coding::Leb128.decode(&[0x80]), None, "another byte must follow");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Coding {
    /// Seven bits per byte, lowest first.
    Leb128,
    /// Like `Leb128`, but in two's complement.
    Sleb128,
    /// Like `Leb128`, but with the sign in the lowest bit.
    Zigzag,
    /// Seven bits per byte, highest first.
    Vlq,
    /// Like `Vlq`, but each further byte adds one to the value so far.
    Git,
    /// The number of leading zero bits is the number of bytes that follow.
    Ebml,
}

impl Coding {
    /// All encodings.
    #[cfg(any(test, feature = "forge"))]
    pub(crate) const ALL: [Self; 6] =
        [Coding::Leb128, Coding::Sleb128, Coding::Zigzag, Coding::Vlq, Coding::Git, Coding::Ebml];

    /// Its name in maps and definitions.
    pub const fn name(self) -> &'static str {
        match self {
            Coding::Leb128 => "leb128",
            Coding::Sleb128 => "sleb128",
            Coding::Zigzag => "zigzag",
            Coding::Vlq => "vlq",
            Coding::Git => "git offset",
            Coding::Ebml => "ebml size",
        }
    }

    /// Returns a sentence that explains how a number is computed.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Coding::Leb128 => "Seven bits a byte, the lowest first; the highest bit says that another byte follows.",
            Coding::Sleb128 => {
                "Seven bits a byte in two's complement, the lowest first; the highest bit says that another byte follows."
            }
            Coding::Zigzag => "Seven bits a byte, the lowest first; the lowest bit of all is the sign.",
            Coding::Vlq => "Seven bits a byte, the highest first; the highest bit says that another byte follows.",
            Coding::Git => "Seven bits a byte, the highest first; each further byte adds one to those before it.",
            Coding::Ebml => "The zeros before the first one say how many bytes follow.",
        }
    }

    /// Returns whether numbers can be negative.
    pub const fn is_signed(self) -> bool {
        matches!(self, Coding::Sleb128 | Coding::Zigzag)
    }

    /// Returns the minimum and the maximum.
    pub(crate) fn range(self) -> (i128, i128) {
        match self {
            Coding::Ebml => (0, (1 << 56) - 1),
            _ if self.is_signed() => (i64::MIN.into(), i64::MAX.into()),
            _ => (0, u64::MAX.into()),
        }
    }

    /// Returns whether the bytes are a complete number; if not, more must follow. There must be at least one byte.
    #[inline]
    pub(crate) fn is_whole(self, bytes: &[u8]) -> bool {
        match self {
            Coding::Ebml => bytes.len() > bytes[0].leading_zeros() as usize,
            _ => bytes[bytes.len() - 1] < 0x80,
        }
    }

    /// Decodes a number from all of the bytes; `None` if they do not encode a number of at most 64 bits.
    #[inline]
    pub fn decode(self, bytes: &[u8]) -> Option<i128> {
        let (last, rest) = bytes.split_last()?;
        if self == Coding::Ebml {
            let zeros = bytes[0].leading_zeros() as usize;
            let marked = bytes.iter().take(8).fold(0_i128, |number, byte| number << 8 | i128::from(*byte));
            return (zeros < 8 && bytes.len() == zeros + 1).then(|| marked & ((1 << (7 * bytes.len())) - 1));
        }
        if bytes.len() > LONGEST || *last >= 0x80 || rest.iter().any(|&byte| byte < 0x80) {
            return None;
        }
        let group = |number: i128, byte: &u8| number << 7 | i128::from(byte & 0x7F);
        let number = match self {
            Coding::Vlq => bytes.iter().fold(0, group),
            Coding::Git => bytes[1..].iter().fold(group(0, &bytes[0]), |number, byte| group(number + 1, byte)),
            _ => bytes.iter().rev().fold(0, group),
        };
        let number = match self {
            Coding::Sleb128 => {
                let spare = 128 - 7 * bytes.len() as u32;
                number << spare >> spare
            }
            Coding::Zigzag if number <= u64::MAX.into() => number >> 1 ^ -(number & 1),
            _ => number,
        };
        let (least, most) = self.range();
        (least..=most).contains(&number).then_some(number)
    }

    /// Encodes a number in at least this many bytes, if longer encodings exist; `None` if the number cannot be encoded.
    pub fn encode(self, value: i128, least: usize) -> Option<Vec<u8>> {
        let (lowest, highest) = self.range();
        if !(lowest..=highest).contains(&value) {
            return None;
        }
        let group = |number: i128, place: usize| (number >> (7 * place)) as u8 & 0x7F;
        let length = self.shortest(value).max(least).min(if self == Coding::Ebml { 8 } else { LONGEST });
        let mark = |place: usize| if place + 1 < length { 0x80 } else { 0 };
        Some(match self {
            Coding::Leb128 | Coding::Sleb128 => (0..length).map(|place| group(value, place) | mark(place)).collect(),
            Coding::Zigzag => {
                let number = (value << 1 ^ value >> 127) & i128::from(u64::MAX);
                (0..length).map(|place| group(number, place) | mark(place)).collect()
            }
            Coding::Vlq => (0..length).map(|place| group(value, length - 1 - place) | mark(place)).collect(),
            Coding::Git => {
                let (mut bytes, mut left) = (vec![value as u8 & 0x7F], value >> 7);
                while left > 0 {
                    left -= 1;
                    bytes.push(left as u8 & 0x7F | 0x80);
                    left >>= 7;
                }
                bytes.reverse();
                bytes
            }
            Coding::Ebml => {
                // A field of fixed width can also contain the number that means "unknown size".
                let is_unknown = (1..=8).contains(&least) && value == (1 << (7 * least)) - 1;
                let length = if is_unknown { least } else { length };
                let marked = value | 1 << (7 * length);
                marked.to_be_bytes()[16 - length..].to_vec()
            }
        })
    }

    /// Returns the number of bytes that a number needs.
    #[inline]
    pub(crate) fn shortest(self, value: i128) -> usize {
        let bits = |number: i128| 128 - number.leading_zeros();
        let groups = match self {
            Coding::Leb128 | Coding::Vlq => bits(value).div_ceil(7),
            Coding::Sleb128 => (bits(value ^ value >> 127) + 1).div_ceil(7),
            Coding::Zigzag => bits(value << 1 ^ value >> 127).div_ceil(7),
            // A number of all ones means an unknown size.
            Coding::Ebml => bits(value + 1).div_ceil(7),
            Coding::Git => {
                let (mut left, mut groups) = (value >> 7, 1);
                while left > 0 {
                    (left, groups) = ((left - 1) >> 7, groups + 1);
                }
                groups
            }
        };
        (groups as usize).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::Coding;

    #[test]
    fn numbers_are_those_of_their_specifications() {
        let cases: &[(Coding, i128, &[u8])] = &[
            (Coding::Leb128, 624_485, &[0xE5, 0x8E, 0x26]),
            (Coding::Sleb128, -123_456, &[0xC0, 0xBB, 0x78]),
            (Coding::Sleb128, 64, &[0xC0, 0]),
            (Coding::Sleb128, -64, &[0x40]),
            (Coding::Zigzag, -1, &[1]),
            (Coding::Zigzag, 2_147_483_647, &[0xFE, 0xFF, 0xFF, 0xFF, 0x0F]),
            (Coding::Vlq, 0x0FFF_FFFF, &[0xFF, 0xFF, 0xFF, 0x7F]),
            (Coding::Vlq, 0x2000, &[0xC0, 0]),
            (Coding::Git, 127, &[0x7F]),
            (Coding::Git, 128, &[0x80, 0]),
            (Coding::Git, 16_511, &[0xFF, 0x7F]),
            (Coding::Git, 16_512, &[0x80, 0x80, 0]),
            (Coding::Ebml, 126, &[0xFE]),
            (Coding::Ebml, 127, &[0x40, 0x7F]),
            (Coding::Ebml, 500, &[0x41, 0xF4]),
        ];
        for &(coding, value, bytes) in cases {
            assert_eq!(coding.encode(value, 0).as_deref(), Some(bytes), "{coding:?} {value}");
            assert_eq!(coding.decode(bytes), Some(value), "{coding:?} {value}");
        }
    }

    #[test]
    fn numbers_at_the_limits_are_read_as_they_are_written() {
        for coding in Coding::ALL {
            let (least, most) = coding.range();
            for value in [least, least + 1, -1, 0, 1, 127, 128, most - 1, most] {
                let Some(bytes) = coding.encode(value, 0) else {
                    assert!(value < least, "{coding:?} {value}");
                    continue;
                };
                assert_eq!(coding.decode(&bytes), Some(value), "{coding:?} {value} {bytes:x?}");
                let first = (1..=bytes.len()).find(|&end| coding.is_whole(&bytes[..end]));
                assert_eq!(first, Some(bytes.len()), "{coding:?} {value}");
                let longer = coding.encode(value, bytes.len() + 1).unwrap();
                assert_eq!(coding.decode(&longer), Some(value), "{coding:?} {value} {longer:x?}");
            }
            assert_eq!((coding.encode(least - 1, 0), coding.encode(most + 1, 0)), (None, None));
        }
        assert_eq!((Coding::Leb128.decode(&[0xFF; 10]), Coding::Ebml.decode(&[0])), (None, None));
        assert_eq!(Coding::Ebml.encode(127, 1), Some(vec![0xFF]));
    }
}
