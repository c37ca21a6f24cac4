//! Lengths that are stored as differences, and that determine how much text decoders allocate.
//!
//! The encodings `DELTA_LENGTH_BYTE_ARRAY` and `DELTA_BYTE_ARRAY` begin with a run of lengths. Decoders allocate as much as their
//! sum, which a run of a few bytes can make huge. The run is decoded here once, as the decoder would, to find the sum before it is
//! trusted. The encoding is described at <https://parquet.apache.org/docs/file-format/data-pages/encodings/>.

/// The maximum number of bits in a difference.
const WIDEST: u8 = 32;

/// The claims of a run of lengths.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Lengths {
    pub count: u64,
    /// The sum, if it was requested.
    pub sum: u64,
    /// The length of the run in bytes, if the sum was requested.
    pub bytes: usize,
}

/// Returns the number of lengths at the beginning of the bytes.
pub(super) fn count(bytes: &[u8]) -> Option<u64> {
    Some(Head::read(&mut Bytes(bytes))?.count)
}

/// Returns the lengths at the beginning of the bytes, or `None` if one is negative or missing.
pub(super) fn lengths(bytes: &[u8]) -> Option<Lengths> {
    let mut rest = Bytes(bytes);
    let head = Head::read(&mut rest)?;
    let mut last = head.first;
    let mut sum = 0;
    let mut left = head.count;
    let mut add = |length: i32| {
        sum += u64::try_from(length).ok()?;
        Some(())
    };
    if left > 0 {
        add(last)?;
        left -= 1;
    }
    while left > 0 {
        let least = rest.signed()?;
        let widths = rest.take(head.parts)?;
        for &width in widths {
            if left == 0 {
                break;
            }
            // Numbers wrap around, as in the decoder.
            let stored = rest.take(usize::from(width).checked_mul(head.part)?.checked_div(8)?)?;
            if width > WIDEST {
                return None;
            }
            let mut bits = Bits { bytes: stored, place: 0 };
            for _ in 0..left.min(head.part as u64) {
                last = last.wrapping_add(least as i32).wrapping_add(bits.next(width) as i32);
                add(last)?;
            }
            left -= left.min(head.part as u64);
        }
    }
    Some(Lengths { count: head.count, sum, bytes: bytes.len() - rest.0.len() })
}

/// The head of a run.
struct Head {
    count: u64,
    first: i32,
    /// The number of parts of a block; each has its own width.
    parts: usize,
    /// The number of values in a part.
    part: usize,
}

impl Head {
    fn read(bytes: &mut Bytes<'_>) -> Option<Head> {
        let (block, parts) = (usize::try_from(bytes.number()?).ok()?, usize::try_from(bytes.number()?).ok()?);
        let (count, first) = (bytes.number()?, bytes.signed()?);
        let part = block.checked_div(parts).filter(|part| *part > 0 && part.is_multiple_of(32))?;
        Some(Head { count, first: i32::try_from(first).ok()?, parts, part })
    }
}

struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// Reads an unsigned number: seven bits per byte, the lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        let last = self.take(1)?[0];
        (last <= 1).then_some(number | u64::from(last) << 63)
    }

    /// Reads a signed number, whose sign is in the last bit.
    fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}

/// Numbers with a given number of bits, the lowest first.
struct Bits<'b> {
    bytes: &'b [u8],
    place: usize,
}

impl Bits<'_> {
    fn next(&mut self, width: u8) -> u32 {
        let start = self.place / 8;
        let mut word = [0; 8];
        let part = self.bytes.get(start..).unwrap_or_default();
        let length = part.len().min(word.len());
        word[..length].copy_from_slice(&part[..length]);
        let bits = u64::from_le_bytes(word) >> (self.place % 8);
        self.place += usize::from(width);
        (bits & ((1 << width) - 1)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three lengths: 5, and differences of 0 to 3 that are stored in two bits.
    const RUN: [u8; 18] = [0x80, 1, 4, 3, 10, 0, 2, 0, 0, 0, 0b1101, 0, 0, 0, 0, 0, 0, 0];

    #[test]
    fn lengths_are_added_up() {
        assert_eq!(lengths(&RUN), Some(Lengths { count: 3, sum: 5 + 6 + 9, bytes: RUN.len() }));
        assert_eq!(count(&RUN), Some(3));
    }

    #[test]
    fn lengths_that_are_missing_or_negative_are_none() {
        assert!((0..RUN.len()).all(|end| lengths(&RUN[..end]).is_none()), "each part of it breaks off");
        assert_eq!(lengths(&[0x80, 1, 4, 1, 1]), None, "-1");
        assert_eq!(lengths(&[0x80, 1, 0, 3, 10]), None, "no parts");
        assert_eq!(lengths(&[0x80, 1, 4, 3, 10, 0, 33, 0, 0, 0]), None, "33 bits");
    }
}
