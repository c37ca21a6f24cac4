//! Elements of arrays: ordinary numbers and edge cases.

use everybyte::Endian;
use everybyte::forge::Choices;

/// The meaning of the bits of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// An integer, or arbitrary bytes.
    Plain,
    /// An IEEE 754 or brain float with this many exponent bits.
    Float(u32),
}

/// One value in this many is an edge case. Fewer could be missed, and more would make readers doubt the byte order.
const EDGES: usize = 4;

/// Creates `count` elements of `width` bytes. Each is chosen independently, so arrays of any type have values of all kinds.
pub(super) fn elements(choices: &mut Choices<'_>, sort: Sort, width: usize, count: usize, endian: Endian) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in 0..count {
        let value = match sort {
            Sort::Float(exponent) => float(choices, exponent, width as u32 * 8, number % EDGES == EDGES - 1),
            // The first number is small, so that no reader doubts the byte order.
            Sort::Plain if number == 0 => choices.from_to(1, 127).into(),
            Sort::Plain => whole(choices, width as u32 * 8),
        };
        match endian {
            Endian::Little => bytes.extend(value.to_le_bytes().iter().take(width)),
            Endian::Big => bytes.extend(value.to_le_bytes().iter().take(width).rev()),
        }
    }
    bytes
}

/// Returns an integer with this number of bits.
fn whole(choices: &mut Choices<'_>, bits: u32) -> u128 {
    let top = 1_u128 << (bits.min(128) - 1);
    match choices.below(8) {
        0 => 0,
        1 => u128::MAX,
        2 => top,
        3 => top - 1,
        4 | 5 => choices.below(100).into(),
        _ => u128::from(choices.any()) << 64 | u128::from(choices.any()),
    }
}

/// Returns the bits of a float: near 1, or an edge case.
fn float(choices: &mut Choices<'_>, exponent_bits: u32, bits: u32, at_edge: bool) -> u128 {
    let mantissa_bits = bits - 1 - exponent_bits;
    let sign = u128::from(choices.one_in(4)) << (bits - 1);
    let most = (1_u128 << exponent_bits) - 1;
    let mantissa = u128::from(choices.any()) & ((1 << mantissa_bits) - 1);
    if at_edge {
        match choices.below(6) {
            0 => return sign,
            1 => return sign | most << mantissa_bits,
            2 => return sign | most << mantissa_bits | 1 << (mantissa_bits - 1),
            3 => return sign | 1,
            4 => return sign | ((most << mantissa_bits) - 1),
            _ => {}
        }
    }
    let exponent = most / 2 + u128::from(choices.below(8)) - 4;
    let is_round = choices.one_in(2);
    sign | exponent << mantissa_bits | if is_round { 0 } else { mantissa }
}
