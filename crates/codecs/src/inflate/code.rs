//! Prefix codes, and the meaning of their symbols.
//!
//! A table lookup yields the whole meaning of the next bits: which symbol, how many bits, which base and how many extra
//! bits. Codes longer than the index are rare and searched for.

/// The number of bits for indexing the table of literals.
pub const INDEX_BITS: usize = 11;

/// The table of literals and lengths.
pub type Literals = Code<{ 1 << INDEX_BITS }, 288>;

/// The meaning of some bits of a stream.
///
/// | bits  | meaning                                                         |
/// |-------|-----------------------------------------------------------------|
/// | 0–5   | the number of bits, including extra bits                        |
/// | 8–11  | the number of bits in the code                                  |
/// | 12    | 1 for an exception, which has no value                          |
/// | 14–29 | the value: a literal, or the base to which extra bits are added |
/// | 31    | 1 for a literal                                                 |
#[derive(Clone, Copy)]
pub struct Entry(pub u32);

impl Entry {
    pub const END_OF_BLOCK: Entry = Entry(1 << 12 | 1 << 14);
    /// The code is longer than the index of the table.
    const LONG: Entry = Entry(1 << 12 | 2 << 14);
    /// A code that must not occur.
    const RESERVED: Entry = Entry(1 << 12 | 3 << 14);
    /// No code begins with this bit.
    const NO_CODE: Entry = Entry::RESERVED.coded(1);

    const fn new(value: usize, extra_bits: usize) -> Self {
        Entry((value as u32) << 14 | extra_bits as u32)
    }

    const fn literal(value: usize) -> Self {
        Entry(1 << 31 | Entry::new(value, 0).0)
    }

    /// Returns the same entry with a code of this length.
    const fn coded(self, length: usize) -> Self {
        Entry(self.0 + length as u32 * 0x101)
    }

    pub fn bits(self) -> usize {
        (self.0 & 63) as usize
    }

    pub fn is_literal(self) -> bool {
        self.0 >> 31 != 0
    }

    pub fn is_exception(self) -> bool {
        self.0 & 1 << 12 != 0
    }

    pub fn value(self) -> usize {
        (self.0 >> 14) as u16 as usize
    }

    /// Returns the value including its extra bits, which follow the code in the stream.
    pub fn amount(self, bits: u64) -> usize {
        self.value() + ((bits & ((1 << self.bits()) - 1)) >> (self.0 >> 8 & 15)) as usize
    }
}

pub const LITERALS: [Entry; 288] = {
    let mut entries = ranges([Entry::RESERVED; 288], 257..285, 4, 3);
    let mut symbol = 0;
    while symbol < 256 {
        entries[symbol] = Entry::literal(symbol);
        symbol += 1;
    }
    entries[256] = Entry::END_OF_BLOCK;
    entries[285] = Entry::new(258, 0);
    entries
};

pub const DISTANCES: [Entry; 32] = ranges([Entry::RESERVED; 32], 0..30, 2, 1);

/// Values below 16 are code lengths. Values from 16 repeat the previous length, and values from 20 repeat 0.
pub const LENGTHS: [Entry; 20] = {
    let mut entries = ranges([Entry::RESERVED; 20], 0..16, 16, 0);
    (entries[16], entries[17], entries[18]) = (Entry::new(16, 2), Entry::new(20, 3), Entry::new(28, 7));
    entries
};

/// Consecutive amounts, first without extra bits; every `step` symbols, there is one more extra bit.
const fn ranges<const SYMBOLS: usize>(
    mut entries: [Entry; SYMBOLS],
    symbols: std::ops::Range<usize>,
    step: usize,
    mut amount: usize,
) -> [Entry; SYMBOLS] {
    let mut index = 0;
    while symbols.start + index < symbols.end {
        let extra_bits = (index / step).saturating_sub(1);
        entries[symbols.start + index] = Entry::new(amount, extra_bits);
        amount += 1 << extra_bits;
        index += 1;
    }
    entries
}

const LONGEST: usize = 15;

/// A prefix code, prepared for decoding. `SIZE` is a power of two, `SYMBOLS` is even.
pub struct Code<const SIZE: usize, const SYMBOLS: usize> {
    /// Entries by the next bits of the stream.
    table: [u32; SIZE],
    /// Entries in the order of their codes.
    sorted: [Entry; SYMBOLS],
    /// For every length, the first longer code, with [`LONGEST`] bits.
    limits: [u16; LONGEST + 1],
    /// For every length, the difference between a code and its index in the order.
    offsets: [u16; LONGEST + 1],
}

impl<const SIZE: usize, const SYMBOLS: usize> Code<SIZE, SYMBOLS> {
    const INDEX_BITS: usize = SIZE.ilog2() as usize;
    /// See [`look_up_lagging`](Self::look_up_lagging).
    pub const LAG: usize = size_of::<u32>().ilog2() as usize;

    pub fn new() -> Self {
        let (limits, offsets) = ([0; LONGEST + 1], [0; LONGEST + 1]);
        Code { table: [Entry::NO_CODE.0; SIZE], sorted: [Entry::NO_CODE; SYMBOLS], limits, offsets }
    }

    /// Prepares the code with these code lengths for the symbols; 0 means that a symbol has no code. The codes must use all bit
    /// patterns, except that `may_lack` allows a single code of one bit, or no code.
    #[must_use]
    pub fn build(&mut self, lengths: &[u8; SYMBOLS], symbols: &[Entry; SYMBOLS], may_lack: bool) -> bool {
        // Two halves side by side, since each count has to wait for the previous one of the same length.
        let half = SYMBOLS / 2;
        let mut counts = [[0; 16]; 2];
        for symbol in 0..half {
            counts[0][lengths[symbol] as usize % 16] += 1;
            counts[1][lengths[half + symbol] as usize % 16] += 1;
        }
        let mut places = [[0; 16]; 2];
        let (mut code, mut place, mut longest) = (0, 0, 0);
        for length in 1..=LONGEST {
            let count = counts[0][length] + counts[1][length];
            self.offsets[length] = (place as u16).wrapping_sub(code as u16);
            (places[0][length], places[1][length]) = (place, place + counts[0][length]);
            place += count;
            code += count;
            if code > 1 << length {
                return false;
            }
            self.limits[length] = (code << (LONGEST - length)) as u16;
            code *= 2;
            longest = if count > 0 { length } else { longest };
        }
        if code < 2 << LONGEST && !(may_lack && longest <= 1) {
            return false;
        }

        for symbol in 0..half {
            for (symbol, places) in [symbol, half + symbol].into_iter().zip(&mut places) {
                let length = lengths[symbol] as usize % 16;
                if length > 0 {
                    self.sorted[places[length]] = symbols[symbol].coded(length);
                    places[length] += 1;
                }
            }
        }
        self.table[0] = if longest > Self::INDEX_BITS { Entry::LONG.0 } else { Entry::NO_CODE.0 };
        let (mut code, mut place) = (0, 0);
        for (length, &end) in places[1].iter().enumerate().take(Self::INDEX_BITS + 1).skip(1) {
            // Two copies of the table for one bit fewer, in which the codes of this length then replace entries.
            self.table.copy_within(..1 << (length - 1), 1 << (length - 1));
            for entry in &self.sorted[place..end] {
                self.table[u16::reverse_bits(code << (16 - length)) as usize % SIZE] = entry.0;
                code += 1;
            }
            (code, place) = (code * 2, end);
        }
        true
    }

    /// Returns the entry of the next bits, within the index.
    #[inline(always)]
    pub fn look_up(&self, bits: u64) -> Entry {
        Entry(self.table[bits as usize % SIZE])
    }

    /// Like `look_up`, but with `LAG` earlier bits before the next ones, which then form an offset in bytes. An
    /// address without a factor saves a cycle on some processors, and the next look-up has to wait for this one.
    #[inline(always)]
    pub fn look_up_lagging(&self, bits: u64) -> Entry {
        let offset = bits as usize & (SIZE - 1) << Self::LAG;
        let bytes: &[u8] = bytemuck::cast_slice(&self.table);
        Entry(u32::from_ne_bytes(*bytes[offset..].first_chunk().expect("the offset is masked")))
    }

    /// Returns the entry of the next bits, for a code of any length.
    #[inline(always)]
    pub fn search(&self, bits: u64) -> Entry {
        let code = (bits as u16).reverse_bits() >> 1;
        let length = 1 + self.limits[1..].iter().map(|&limit| (code >= limit) as usize).sum::<usize>();
        let Some(offset) = self.offsets.get(length) else { return Entry::NO_CODE };
        let place = (code >> (LONGEST - length)).wrapping_add(*offset);
        self.sorted.get(place as usize).copied().unwrap_or(Entry::NO_CODE)
    }
}
