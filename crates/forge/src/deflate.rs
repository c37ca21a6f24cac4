//! A small deflate encoder whose output is the same on every machine. The output of compression libraries may depend on
//! the processor.

use everybyte::forge::Choices;
use ndbytes_codecs::inflate::{InflateError, Inflated, Inflater};
use std::cell::RefCell;
use std::sync::LazyLock;

/// The encoding of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    /// Uncompressed.
    Stored,
    /// With the fixed codes of the standard.
    Fixed,
    /// With its own codes, all of about the same length.
    Dynamic,
}

/// All encodings of a block.
const CODINGS: [Coding; 3] = [Coding::Fixed, Coding::Stored, Coding::Dynamic];

/// The maximum number of bytes in a stored block.
const STORED: usize = 0xFFFF;

/// The size of the first buffer for inflating a stream, in addition to four times its length.
const ROOM: usize = 512;

/// The shortest and the longest repetition.
const REPEATED: [usize; 2] = [3, 258];

/// The maximum distance of a repetition.
const WINDOW: usize = 32 << 10;

/// The number of slots for positions, selected by a hash of their bytes.
const PLACES: usize = 1 << 12;
const SLOT: u32 = 1 << 20;

/// The order in which a block lists the lengths of its code length codes.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The numbers of codes for literals and lengths, and for distances, in a dynamic block.
const CODES: [usize; 2] = [286, 30];

/// Returns a stream of one or several blocks.
pub(super) fn deflated(choices: &mut Choices<'_>, bytes: &[u8]) -> Vec<u8> {
    let parts = 1 + choices.small(3) as usize;
    let coding = *choices.pick(&CODINGS);
    let chunk = bytes.len().div_ceil(parts).max(1);
    let codings: Vec<_> =
        (0..parts).map(|_| if choices.one_in(4) { *choices.pick(&CODINGS) } else { coding }).collect();
    stream(bytes, chunk, |number| codings[number % codings.len()])
}

/// Returns a stream with the fixed codes.
pub(super) fn plainly_deflated(bytes: &[u8]) -> Vec<u8> {
    stream(bytes, usize::MAX, |_| Coding::Fixed)
}

/// Returns a stream of blocks of this size.
fn stream(bytes: &[u8], chunk: usize, coding: impl Fn(usize) -> Coding) -> Vec<u8> {
    let mut bits = Bits::default();
    let mut start = 0_usize;
    for number in 0.. {
        let coding = coding(number);
        let chunk = if coding == Coding::Stored { chunk.min(STORED) } else { chunk };
        let end = start.saturating_add(chunk).min(bytes.len());
        let is_last = end == bytes.len();
        bits.push(is_last.into(), 1);
        match coding {
            Coding::Stored => stored(&mut bits, &bytes[start..end]),
            Coding::Fixed => {
                bits.push(1, 2);
                coded(&mut bits, bytes, start..end, &FIXED);
            }
            Coding::Dynamic => {
                bits.push(2, 2);
                lengths(&mut bits, &FLAT);
                coded(&mut bits, bytes, start..end, &FLAT);
            }
        }
        start = end;
        if is_last {
            break;
        }
    }
    bits.finish()
}

/// The codes of literals and lengths, and of distances.
struct Codes {
    literals: Vec<Code>,
    distances: Vec<Code>,
}

/// The code of a symbol.
#[derive(Clone, Copy)]
struct Code {
    bits: u32,
    width: u32,
}

/// The codes of the standard.
static FIXED: LazyLock<Codes> = LazyLock::new(|| {
    let literals = (0..288).map(|symbol| match symbol {
        0..144 => 8,
        144..256 => 9,
        256..280 => 7,
        _ => 8,
    });
    Codes { literals: canonical(literals), distances: canonical((0..CODES[1]).map(|_| 5)) }
});

/// Codes that use all bit patterns: 226 of 8 bits and 60 of 9 for literals and lengths, and 2 of 4 bits and 28 of 5 for distances.
static FLAT: LazyLock<Codes> = LazyLock::new(|| Codes {
    literals: canonical((0..CODES[0]).map(|symbol| if symbol < 226 { 8 } else { 9 })),
    distances: canonical((0..CODES[1]).map(|symbol| if symbol < 2 { 4 } else { 5 })),
});

/// Writes the codes of a dynamic block. Four lengths occur, so each takes two bits.
fn lengths(bits: &mut Bits, codes: &Codes) {
    let used = [4, 5, 8, 9];
    bits.push(CODES[0] as u32 - 257, 5);
    bits.push(CODES[1] as u32 - 1, 5);
    bits.push(ORDER.len() as u32 - 4, 4);
    for symbol in ORDER {
        bits.push(if used.contains(&symbol) { 2 } else { 0 }, 3);
    }
    for Code { width, .. } in codes.literals.iter().chain(&codes.distances) {
        let number = used.iter().position(|used| *used as u32 == *width).unwrap_or(0);
        bits.push_code(Code { bits: number as u32, width: 2 });
    }
}

/// Writes a stored block, which is aligned to bytes.
fn stored(bits: &mut Bits, bytes: &[u8]) {
    bits.push(0, 2);
    bits.align();
    let length = bytes.len() as u16;
    bits.bytes.extend(length.to_le_bytes());
    bits.bytes.extend((!length).to_le_bytes());
    bits.bytes.extend(bytes);
}

/// Writes literals, and repetitions that begin at the last occurrence of the same three bytes.
fn coded(bits: &mut Bits, bytes: &[u8], range: std::ops::Range<usize>, codes: &Codes) {
    let mut last = [u32::MAX; PLACES];
    let mut at = range.start;
    let put = |bits: &mut Bits, symbol: usize| bits.push_code(codes.literals[symbol]);
    while at < range.end {
        let (length, distance) = repetition(bytes, at, range.end, &mut last);
        if length < REPEATED[0] {
            put(bits, bytes[at].into());
            at += 1;
            continue;
        }
        let (symbol, extra, width) = length_symbol(length);
        put(bits, symbol);
        bits.push(extra, width);
        let (symbol, extra, width) = distance_symbol(distance);
        bits.push_code(codes.distances[symbol]);
        bits.push(extra, width);
        at += length;
    }
    put(bits, 256);
}

/// Returns the length and the distance of the repetition at a position. `last` has the last position of each sequence
/// of three bytes.
fn repetition(bytes: &[u8], at: usize, end: usize, last: &mut [u32; PLACES]) -> (usize, usize) {
    let Some(&[high, middle, low]) = bytes[at..end].first_chunk() else { return (0, 0) };
    let slot = u32::from_be_bytes([0, high, middle, low]).wrapping_mul(0x9E37_79B1) / SLOT;
    let before = std::mem::replace(&mut last[slot as usize], at as u32) as usize;
    if before >= at || at - before > WINDOW {
        return (0, 0);
    }
    let most = (end - at).min(REPEATED[1]);
    let pairs = bytes[before..].iter().zip(&bytes[at..at + most]);
    (pairs.take_while(|(one, other)| one == other).count(), at - before)
}

/// Returns the symbol of a length, and its extra bits.
fn length_symbol(length: usize) -> (usize, u32, u32) {
    if length == REPEATED[1] {
        return (285, 0, 0);
    }
    let value = (length - REPEATED[0]) as u32;
    if value < 8 {
        return (257 + value as usize, 0, 0);
    }
    let width = value.ilog2() - 2;
    let symbol = 257 + 4 * width as usize + (value >> width) as usize;
    (symbol, value & ((1 << width) - 1), width)
}

/// Returns the symbol of a distance, and its extra bits.
fn distance_symbol(distance: usize) -> (usize, u32, u32) {
    let value = (distance - 1) as u32;
    if value < 4 {
        return (value as usize, 0, 0);
    }
    let width = value.ilog2() - 1;
    let symbol = 2 * width as usize + (value >> width) as usize;
    (symbol, value & ((1 << width) - 1), width)
}

/// Returns the codes of symbols whose codes have these widths.
fn canonical(widths: impl Iterator<Item = u32>) -> Vec<Code> {
    let mut codes: Vec<Code> = widths.map(|width| Code { bits: 0, width }).collect();
    let mut next = 0;
    for width in 1..16 {
        next <<= 1;
        for code in codes.iter_mut().filter(|code| code.width == width) {
            code.bits = next;
            next += 1;
        }
    }
    codes
}

/// A bit writer that fills each byte from its lowest bit.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    /// Bits that have not been written yet, at most 31.
    open: u64,
    count: u32,
}

impl Bits {
    /// Adds up to 32 bits.
    fn push(&mut self, value: u32, width: u32) {
        self.open |= u64::from(value) << self.count;
        self.count += width;
        if self.count >= u32::BITS {
            self.bytes.extend((self.open as u32).to_le_bytes());
            self.open >>= u32::BITS;
            self.count -= u32::BITS;
        }
    }

    /// Adds a code, highest bit first.
    fn push_code(&mut self, code: Code) {
        self.push(code.bits.reverse_bits() >> (32 - code.width), code.width);
    }

    /// Completes the last byte.
    fn align(&mut self) {
        let whole = self.count.div_ceil(8) as usize;
        self.bytes.extend(&self.open.to_le_bytes()[..whole]);
        (self.open, self.count) = (0, 0);
    }

    /// Returns the bytes of the stream.
    fn finish(mut self) -> Vec<u8> {
        self.align();
        self.bytes
    }
}

/// Inflates a stream, to at most `most` bytes. Returns the bytes and the length of the stream; `None` if it cannot be decoded.
pub(super) fn inflated(stream: &[u8], most: usize) -> Option<(Vec<u8>, usize)> {
    thread_local! {
        // The tables of the fixed codes are reused for all streams.
        static INFLATER: RefCell<Inflater> = RefCell::new(Inflater::new());
    }
    INFLATER.with_borrow_mut(|inflater| {
        let mut room = stream.len().saturating_mul(4).saturating_add(ROOM).min(most);
        loop {
            let mut bytes = vec![0; room];
            match inflater.inflate(stream, &mut bytes) {
                Ok(Inflated { consumed, written }) => {
                    bytes.truncate(written);
                    return Some((bytes, consumed));
                }
                Err(InflateError::TooLong {}) if room < most => room = room.saturating_mul(8).min(most),
                Err(_) => return None,
            }
        }
    })
}

/// Returns the CRC-32 of bytes.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = ndbytes_codecs::deflate::Crc::new();
    crc.update(bytes);
    crc.sum()
}
