//! A stream and its tables, decoded carefully step by step.
//!
//! This decoder is always correct: each bit is checked before it is used, and errors state the position. The [fast
//! loop](super::fast) takes over where it safely can, and returns here at the ends of the buffers, at the beginning of
//! a block, and before anything unusual.

use super::code::{Code, DISTANCES, Entry, LENGTHS, LITERALS, Literals};

/// The outcome of inflating a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inflated {
    /// The number of bytes of the input that the stream uses, the last one possibly only partly.
    pub consumed: usize,
    /// The number of bytes of the output that are filled.
    pub written: usize,
}

/// The reason why a stream was not completely inflated. The first `written` bytes of the output are its content so far;
/// bytes after them may have been overwritten as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InflateError {
    /// The input ends inside the stream.
    Truncated {
        /// The number of bytes of the output that are filled.
        written: usize,
    },
    /// The bits are not a deflate stream; `consumed` is the approximate position.
    Corrupt {
        /// The number of bytes of the output that are filled.
        written: usize,
        /// The approximate byte of the input at which the error was found.
        consumed: usize,
    },
    /// The output is full and the stream continues.
    TooLong {},
}

/// Inflates a sequence of streams. It contains only tables, which every block rebuilds.
pub struct Inflater {
    pub(super) literals: Literals,
    pub(super) distances: Code<256, 32>,
    pub(super) lengths: Code<128, 20>,
    /// Whether the tables are those of the fixed codes.
    pub(super) fixed: bool,
}

impl Default for Inflater {
    fn default() -> Self {
        Inflater::new()
    }
}

impl Inflater {
    /// Creates an inflater without tables.
    pub fn new() -> Self {
        Inflater { literals: Code::new(), distances: Code::new(), lengths: Code::new(), fixed: false }
    }
}

/// A stream that is being inflated.
pub struct Stream<'a> {
    /// The tables.
    pub inflater: &'a mut Inflater,
    pub input: &'a [u8],
    pub output: &'a mut [u8],
    /// The number of bits of the input that are consumed.
    pub bit: usize,
    /// The number of bytes of the output that are filled.
    pub written: usize,
    /// Whether a block of coded symbols is being decoded.
    pub coded: bool,
    /// Whether the current block is the last one.
    pub last: bool,
}

impl<'a> Stream<'a> {
    pub fn new(inflater: &'a mut Inflater, input: &'a [u8], output: &'a mut [u8]) -> Self {
        Stream { inflater, input, output, bit: 0, written: 0, coded: false, last: false }
    }

    fn corrupt(&self) -> InflateError {
        InflateError::Corrupt { written: self.written, consumed: self.bit.div_ceil(8) }
    }

    /// Decodes one symbol, or the beginning of a block. Returns whether there are more.
    pub fn advance(&mut self) -> Result<bool, InflateError> {
        if self.coded {
            self.symbol()?;
        } else if self.last {
            return Ok(false);
        } else {
            self.last = self.take(1)? == 1;
            match self.take(2)? {
                0 => self.stored()?,
                1 => self.fixed_codes(),
                2 => self.dynamic_codes()?,
                _ => return Err(self.corrupt()),
            }
        }
        Ok(true)
    }

    /// Returns the next bits, at least 57; zeros after the end of the input.
    #[inline]
    fn peek(&self) -> u64 {
        let rest = self.input.get(self.bit / 8..).unwrap_or_default();
        let word = match rest.first_chunk() {
            Some(word) => *word,
            None => std::array::from_fn(|index| rest.get(index).copied().unwrap_or(0)),
        };
        u64::from_le_bytes(word) >> (self.bit % 8)
    }

    fn consume(&mut self, bits: usize) -> Result<(), InflateError> {
        self.bit += bits;
        if self.bit > self.input.len() * 8 { Err(InflateError::Truncated { written: self.written }) } else { Ok(()) }
    }

    fn take(&mut self, bits: usize) -> Result<usize, InflateError> {
        let value = self.peek() as usize & ((1 << bits) - 1);
        self.consume(bits)?;
        Ok(value)
    }

    fn stored(&mut self) -> Result<(), InflateError> {
        self.bit = self.bit.next_multiple_of(8);
        let (length, complement) = (self.take(16)?, self.take(16)?);
        if length ^ complement != 0xffff {
            return Err(self.corrupt());
        }
        let (from, to) = (&self.input[self.bit / 8..], &mut self.output[self.written..]);
        let possible = length.min(from.len()).min(to.len());
        to[..possible].copy_from_slice(&from[..possible]);
        self.written += possible;
        if possible < length && self.written == self.output.len() {
            return Err(InflateError::TooLong {});
        }
        self.consume(length * 8)
    }

    fn fixed_codes(&mut self) {
        if !self.inflater.fixed {
            let mut lengths = [8; 288];
            lengths[144..256].fill(9);
            lengths[256..280].fill(7);
            let complete = self.inflater.literals.build(&lengths, &LITERALS, false)
                && self.inflater.distances.build(&[5; 32], &DISTANCES, false);
            debug_assert!(complete);
        }
        (self.inflater.fixed, self.coded) = (true, true);
    }

    fn dynamic_codes(&mut self) -> Result<(), InflateError> {
        const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
        self.inflater.fixed = false;
        let (literals, distances, count) = (257 + self.take(5)?, 1 + self.take(5)?, 4 + self.take(4)?);
        if literals > 286 || distances > 30 {
            return Err(self.corrupt());
        }
        let mut lengths = [0; 20];
        for &symbol in &ORDER[..count] {
            lengths[symbol] = self.take(3)? as u8;
        }
        if !self.inflater.lengths.build(&lengths, &LENGTHS, false) {
            return Err(self.corrupt());
        }

        let mut lengths = [0; 288 + 32];
        let mut rest = &mut lengths[..literals + distances];
        let mut previous = None;
        while !rest.is_empty() {
            let bits = self.peek();
            let entry = self.inflater.lengths.look_up(bits);
            self.consume(entry.bits())?;
            let (length, times) = match (entry.amount(bits), previous) {
                (length @ 0..16, _) => (length as u8, 1),
                (16..20, None) => return Err(self.corrupt()),
                (amount @ 16..20, Some(length)) => (length, amount - 13),
                (amount, _) => (0, amount - 17),
            };
            let Some((run, behind)) = rest.split_at_mut_checked(times) else { return Err(self.corrupt()) };
            match run {
                [place] => *place = length,
                _ => run.fill(length),
            }
            (rest, previous) = (behind, Some(length));
        }
        // The lengths of the distances, placed after room for the maximum number of literals.
        lengths.copy_within(literals..literals + distances, 288);
        lengths[literals..288].fill(0);
        let (literals, distances) = (lengths.first_chunk().expect("288"), lengths.last_chunk().expect("32"));
        self.coded = literals[256] != 0
            && self.inflater.literals.build(literals, &LITERALS, true)
            && self.inflater.distances.build(distances, &DISTANCES, true);
        if self.coded { Ok(()) } else { Err(self.corrupt()) }
    }

    fn symbol(&mut self) -> Result<(), InflateError> {
        let bits = self.peek();
        let entry = self.inflater.literals.search(bits);
        self.consume(entry.bits())?;
        if entry.is_literal() {
            *self.output.get_mut(self.written).ok_or(InflateError::TooLong {})? = entry.value() as u8;
            self.written += 1;
            return Ok(());
        }
        if entry.is_exception() {
            self.coded = false;
            return if entry.value() == Entry::END_OF_BLOCK.value() { Ok(()) } else { Err(self.corrupt()) };
        }
        let length = entry.amount(bits);

        let bits = self.peek();
        let entry = self.inflater.distances.search(bits);
        self.consume(entry.bits())?;
        let distance = entry.amount(bits);
        if entry.is_exception() || distance > self.written {
            return Err(self.corrupt());
        }
        let possible = length.min(self.output.len() - self.written);
        for to in self.written..self.written + possible {
            self.output[to] = self.output[to - distance];
        }
        self.written += possible;
        if possible == length { Ok(()) } else { Err(InflateError::TooLong {}) }
    }
}
