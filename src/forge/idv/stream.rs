//! Deflate streams that are the same on every machine. Those of a library that picks its code by the processor are not.

use ndbytes_codecs::deflate::{Inflating, Step};
use ndbytes_schemas::idv::Compression;

/// The bytes that are inflated in one step.
const PIECE: usize = 4096;

/// The bits of the hash of three bytes.
const HASH_BITS: u32 = 10;

/// The shortest and the longest run that is copied.
const SHORTEST: usize = 3;
const LONGEST: usize = 258;

/// The farthest place that is copied from.
const FARTHEST: usize = 32 << 10;

/// The first length and the extra bits of each code of a length.
const LENGTHS: [(usize, u32); 29] = codes([(8, 0), (4, 1), (4, 2), (4, 3), (4, 4), (4, 5), (1, 0)], 3);

/// The first distance and the extra bits of each code of a distance.
const DISTANCES: [(usize, u32); 30] = codes(
    [
        (4, 0),
        (2, 1),
        (2, 2),
        (2, 3),
        (2, 4),
        (2, 5),
        (2, 6),
        (2, 7),
        (2, 8),
        (2, 9),
        (2, 10),
        (2, 11),
        (2, 12),
        (2, 13),
    ],
    1,
);

/// How a stream is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Repetitions are copied.
    Copies,
    /// Every byte by its code.
    Literals,
    /// The bytes as they are.
    Stored,
}

impl Style {
    pub const ALL: [Style; 3] = [Style::Copies, Style::Literals, Style::Stored];
}

/// Stores bytes with a compression; `None` if it is not defined.
pub(super) fn pack(bytes: &[u8], compression: Compression, style: Style) -> Option<Vec<u8>> {
    match compression {
        Compression::NONE => Some(bytes.to_vec()),
        Compression::DEFLATE => Some(deflate(bytes, style)),
        Compression::ZLIB => {
            let mut stream = vec![0x78, 0x01];
            stream.extend(deflate(bytes, style));
            stream.extend(adler(bytes).to_be_bytes());
            Some(stream)
        }
        _ => None,
    }
}

/// The bytes that were stored with a compression, at most `most`; `None` if they do not decode to their end.
pub(super) fn unpack(stored: &[u8], compression: Compression, most: usize) -> Option<Vec<u8>> {
    if compression == Compression::NONE {
        return (stored.len() <= most).then(|| stored.to_vec());
    }
    compression.name()?;
    let mut inflating = Inflating::new(compression == Compression::ZLIB);
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; PIECE];
        let (consumed, written) = (inflating.consumed() as usize, inflating.written());
        let step = inflating.step(stored.get(consumed..)?, &mut piece);
        let fresh = (inflating.written() - written) as usize;
        bytes.extend_from_slice(piece.get(..fresh)?);
        if bytes.len() > most {
            return None;
        }
        match step {
            Step::Went => {}
            Step::Ended => return (inflating.consumed() == stored.len() as u64).then_some(bytes),
            Step::Beyond | Step::Starved | Step::Corrupt(_) => return None,
        }
    }
}

/// A deflate stream.
pub(super) fn deflate(bytes: &[u8], style: Style) -> Vec<u8> {
    if style == Style::Stored {
        return stored(bytes);
    }
    let mut bits = Bits::default();
    // The last block, with the codes that are fixed.
    bits.put(1, 1);
    bits.put(1, 2);
    let mut last = [None; 1 << HASH_BITS];
    let mut at = 0;
    while at < bytes.len() {
        let (length, distance) = match style {
            Style::Copies => repetition(bytes, at, &mut last),
            _ => (0, 0),
        };
        if length < SHORTEST {
            bits.symbol(u32::from(bytes[at]));
            at += 1;
            continue;
        }
        let (code, extra, width) = code_of(length, &LENGTHS);
        bits.symbol(257 + code);
        bits.put(extra, width);
        let (code, extra, width) = code_of(distance, &DISTANCES);
        bits.put_reversed(code, 5);
        bits.put(extra, width);
        at += length;
    }
    bits.symbol(256);
    bits.bytes
}

fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut stream = Vec::new();
    let mut pieces = bytes.chunks(usize::from(u16::MAX)).peekable();
    if pieces.peek().is_none() {
        return vec![1, 0, 0, 0xFF, 0xFF];
    }
    while let Some(piece) = pieces.next() {
        let length = piece.len() as u16;
        stream.push(u8::from(pieces.peek().is_none()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(piece);
    }
    stream
}

/// The length and the distance of an earlier place with the bytes that come next.
fn repetition(bytes: &[u8], at: usize, last: &mut [Option<usize>; 1 << HASH_BITS]) -> (usize, usize) {
    let Some(&[first, second, third]) = bytes.get(at..at + SHORTEST).and_then(|next| next.first_chunk()) else {
        return (0, 0);
    };
    let hash = u32::from_le_bytes([first, second, third, 0]).wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS);
    let Some(earlier) = last[hash as usize].replace(at).filter(|earlier| at - earlier <= FARTHEST) else {
        return (0, 0);
    };
    let same = bytes[earlier..].iter().zip(&bytes[at..]).take(LONGEST).take_while(|(mine, theirs)| mine == theirs);
    (same.count(), at - earlier)
}

/// The code of a length or a distance, its extra bits, and their number.
fn code_of(number: usize, codes: &[(usize, u32)]) -> (u32, u32, u32) {
    let code = codes.partition_point(|&(first, _)| first <= number).saturating_sub(1);
    let (first, width) = codes[code];
    (code as u32, (number - first) as u32, width)
}

/// Codes in groups: their number, and the extra bits of each.
const fn codes<const N: usize, const G: usize>(groups: [(usize, u32); G], mut first: usize) -> [(usize, u32); N] {
    let mut codes = [(0, 0); N];
    let (mut code, mut group) = (0, 0);
    while group < G {
        let (mut left, width) = groups[group];
        while left > 0 {
            codes[code] = (first, width);
            first += 1 << width;
            code += 1;
            left -= 1;
        }
        group += 1;
    }
    // The longest length has a code of its own, though the one before it reaches as far.
    if N == LENGTHS_COUNT {
        codes[N - 1].0 = LONGEST;
    }
    codes
}

const LENGTHS_COUNT: usize = 29;

/// Bits, the lowest of each byte first.
#[derive(Debug, Default)]
struct Bits {
    bytes: Vec<u8>,
    count: u32,
}

impl Bits {
    fn put(&mut self, value: u32, width: u32) {
        for bit in 0..width {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(byte) = self.bytes.last_mut() {
                *byte |= ((value >> bit & 1) as u8) << (self.count % 8);
            }
            self.count = (self.count + 1) % 8;
        }
    }

    fn put_reversed(&mut self, value: u32, width: u32) {
        self.put(value.reverse_bits() >> (32 - width), width);
    }

    /// A literal, the end, or a length, by the fixed codes.
    fn symbol(&mut self, symbol: u32) {
        match symbol {
            0..144 => self.put_reversed(0x30 + symbol, 8),
            144..256 => self.put_reversed(0x190 + symbol - 144, 9),
            256..280 => self.put_reversed(symbol - 256, 7),
            _ => self.put_reversed(0xC0 + symbol - 280, 8),
        }
    }
}

fn adler(bytes: &[u8]) -> u32 {
    let (low, high) = bytes.iter().fold((1_u32, 0_u32), |(low, high), &byte| {
        let low = (low + u32::from(byte)) % 65521;
        (low, (high + low) % 65521)
    });
    high << 16 | low
}

#[cfg(test)]
mod tests {
    use super::{Style, pack, unpack};
    use ndbytes_schemas::idv::Compression;

    #[test]
    fn packed_bytes_are_the_same_unpacked() {
        let mut bytes: Vec<u8> = (0..=255).chain([7; 1000]).chain((0..600).map(|byte| (byte % 37) as u8)).collect();
        bytes.extend((0..70_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8));
        for length in [0, 1, 2, 3, 4, 255, 300, 514, 515, 1500, bytes.len()] {
            for compression in [Compression::NONE, Compression::DEFLATE, Compression::ZLIB] {
                for style in Style::ALL {
                    let packed = pack(&bytes[..length], compression, style).unwrap();
                    assert_eq!(unpack(&packed, compression, bytes.len()).as_deref(), Some(&bytes[..length]));
                }
            }
        }
    }

    #[test]
    fn copies_of_repetitions_are_shorter_than_literals() {
        let bytes = [1, 2, 3, 4].repeat(100);
        let length = |style| pack(&bytes, Compression::DEFLATE, style).unwrap().len();
        assert!(length(Style::Copies) < length(Style::Literals) / 10);
    }

    #[test]
    fn bytes_over_the_limit_are_not_unpacked() {
        let packed = pack(&[0; 5000], Compression::DEFLATE, Style::Copies).unwrap();
        assert_eq!(unpack(&packed, Compression::DEFLATE, 4999), None);
    }
}
