//! Simple implementations of the block filters, as a second opinion.

/// Undoes shuffle, which groups bytes by their position in items of this width.
pub fn unshuffle(width: usize, bytes: &[u8]) -> Vec<u8> {
    let count = bytes.len() / width;
    let mut out = bytes.to_vec();
    for item in 0..count {
        for place in 0..width {
            out[item * width + place] = bytes[place * count + item];
        }
    }
    out
}

/// Undoes bitshuffle, which groups bits by their position in items of this size, for multiples of eight items.
pub fn unbitshuffle(size: usize, bytes: &[u8]) -> Vec<u8> {
    let count = bytes.len() / size / 8 * 8;
    let mut out = bytes.to_vec();
    out[..count * size].fill(0);
    for item in 0..count {
        for place in 0..size * 8 {
            let row = &bytes[place * (count / 8)..];
            let bit = row[item / 8] >> (item % 8) & 1;
            out[item * size + place / 8] |= bit << (place % 8);
        }
    }
    out
}

/// Undoes delta, in which words are differences from the previous word or, with a reference, from the word in the reference.
pub fn undelta(size: usize, bytes: &mut [u8], reference: Option<&[u8]>) {
    let word = match size {
        1 | 2 | 4 | 8 => size,
        _ if size.is_multiple_of(8) => 8,
        _ => 1,
    };
    for at in 0..bytes.len() / word * word {
        bytes[at] ^= match reference {
            Some(reference) => reference[at],
            None if at >= word => bytes[at - word],
            None => 0,
        };
    }
}

/// Undoes bytedelta, in which each byte position of items of this width is a run of differences. In the defective
/// version, the sum restarts at the bytes after the last group of sixteen.
pub fn unbytedelta(width: usize, is_defective: bool, bytes: &mut [u8]) {
    let count = bytes.len() / width;
    for run in 0..width {
        let run = &mut bytes[run * count..(run + 1) * count];
        let mut sum: u8 = 0;
        for (at, byte) in run.iter_mut().enumerate() {
            if is_defective && at == count - count % 16 {
                sum = 0;
            }
            sum = sum.wrapping_add(*byte);
            *byte = sum;
        }
    }
}
