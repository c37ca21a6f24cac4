//! Sixteen bytes in a register, and the few operations that the filters need.

use bytemuck::cast;
use std::array::from_fn;
use std::ops::{Add, BitXor};
use wide::u8x16;

/// The number of bytes in a [`Lane`].
pub const LANE: usize = 16;

/// Sixteen bytes. The first one has the lowest address.
#[derive(Clone, Copy)]
pub struct Lane(u8x16);

impl Lane {
    pub const ZERO: Lane = Lane(u8x16::ZERO);

    /// Loads the sixteen bytes at an index, which must exist.
    #[inline(always)]
    pub fn load(bytes: &[u8], at: usize) -> Lane {
        let mut lane = [0; LANE];
        lane.copy_from_slice(&bytes[at..at + LANE]);
        Lane::from_bytes(lane)
    }

    #[inline(always)]
    pub fn from_bytes(bytes: [u8; LANE]) -> Lane {
        Lane(u8x16::new(bytes))
    }

    #[inline(always)]
    pub fn to_bytes(self) -> [u8; LANE] {
        self.0.to_array()
    }

    /// Interleaves the bytes of both: first the bytes of the first halves, then the bytes of the second halves.
    #[inline(always)]
    pub fn zip(self, other: Lane) -> (Lane, Lane) {
        (Lane(u8x16::unpack_low(self.0, other.0)), Lane(u8x16::unpack_high(self.0, other.0)))
    }

    /// Moves the bytes up, and fills with zeros.
    #[inline(always)]
    pub fn shift<const COUNT: usize>(self) -> Lane {
        let bytes = self.to_bytes();
        Lane::from_bytes(from_fn(|index| if index < COUNT { 0 } else { bytes[index - COUNT] }))
    }

    /// Repeats the last 1, 2, 4 or 8 bytes.
    #[inline(always)]
    pub fn repeat_last<const COUNT: usize>(self) -> Lane {
        match COUNT {
            // The last byte, doubled, is a word.
            1 => Lane(cast([cast::<_, [u16; 8]>(self.zip(self).1.0)[7]; 8])),
            2 => Lane(cast([cast::<_, [u16; 8]>(self.0)[7]; 8])),
            4 => Lane(cast([cast::<_, [u32; 4]>(self.0)[3]; 4])),
            _ => Lane(cast([cast::<_, [u64; 2]>(self.0)[1]; 2])),
        }
    }

    /// Combines every word with all the words before it.
    #[inline(always)]
    pub fn accumulate<const WORD: usize>(self, join: impl Fn(Lane, Lane) -> Lane) -> Lane {
        let mut lane = self;
        if WORD <= 1 {
            lane = join(lane, lane.shift::<1>());
        }
        if WORD <= 2 {
            lane = join(lane, lane.shift::<2>());
        }
        if WORD <= 4 {
            lane = join(lane, lane.shift::<4>());
        }
        join(lane, lane.shift::<8>())
    }
}

/// Sums of bytes, modulo 256.
impl Add for Lane {
    type Output = Lane;

    #[inline(always)]
    fn add(self, other: Lane) -> Lane {
        Lane(self.0 + other.0)
    }
}

impl BitXor for Lane {
    type Output = Lane;

    #[inline(always)]
    fn bitxor(self, other: Lane) -> Lane {
        Lane(self.0 ^ other.0)
    }
}
