//! Files that begin like files in other formats.

/// A file with this beginning, of a plausible length.
pub fn file(beginning: &[u8]) -> Vec<u8> {
    let filling = (0..6148_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8);
    beginning.iter().copied().chain(filling).take(6148).collect()
}
