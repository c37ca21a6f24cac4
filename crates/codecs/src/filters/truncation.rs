//! The lossy filters: the lowest bits of numbers become zeros before compression. Reading needs no inverse.
//!
//! The parameter is the filter's meta byte. It is the number of bits to keep if it is positive, and the number of bits
//! to zero if it is negative. In floats, only the fraction bits are counted. The bits are never interpreted as floats,
//! so infinities are unchanged, and a NaN whose fraction has only low bits becomes an infinity, as in the library.

use std::array::from_fn;

/// Truncates floats of four or eight bytes (id 4). Bytes after the last complete float are unchanged. Returns false,
/// and changes nothing, for other widths or if the library refuses the parameter.
pub fn truncate_floats(typesize: usize, parameter: i8, block: &mut [u8]) -> bool {
    let fraction = match typesize {
        4 => f32::MANTISSA_DIGITS - 1,
        8 => f64::MANTISSA_DIGITS - 1,
        _ => return false,
    };
    truncate(typesize, fraction, parameter, block)
}

/// Truncates integers of one, two, four or eight bytes (id 36). Bytes after the last complete integer are unchanged.
/// Returns false, and changes nothing, for other widths or if the library refuses the parameter.
pub fn truncate_integers(typesize: usize, parameter: i8, block: &mut [u8]) -> bool {
    match typesize {
        1 | 2 | 4 | 8 => truncate(typesize, 8 * typesize as u32, parameter, block),
        _ => false,
    }
}

fn truncate(typesize: usize, bits: u32, parameter: i8, block: &mut [u8]) -> bool {
    let count = u32::from(parameter.unsigned_abs());
    // For both signs of the parameter, keeping all bits is allowed and keeping none is not.
    let zeroed = match parameter {
        1.. if count <= bits => bits - count,
        ..=-1 if count < bits => count,
        _ => return false,
    };
    let mask = (u64::MAX << zeroed).to_le_bytes();
    let masks = u64::from_le_bytes(from_fn(|index| mask[index % typesize]));
    let length = block.len();
    let (words, tail) = block[..length - length % typesize].as_chunks_mut();
    for word in words {
        *word = (u64::from_le_bytes(*word) & masks).to_le_bytes();
    }
    for (byte, mask) in tail.iter_mut().zip(masks.to_le_bytes()) {
        *byte &= mask;
    }
    true
}
