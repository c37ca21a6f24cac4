//! Compares two files in memory.

use everybyte::diff::{Options, Side, Structure, structure};
use everybyte::{Explained, Format, explain};

/// Returns the differences between two files.
pub fn diff_with<F: Format>(a: &[u8], b: &[u8], options: &Options) -> Structure {
    let [map_a, map_b]: [Explained; 2] = [a, b].map(explain::<F>);
    let (read_a, read_b) = (reader(a), reader(b));
    let a = Side { spaces: &map_a.spaces, read: &read_a };
    structure(&a, &Side { spaces: &map_b.spaces, read: &read_b }, options)
}

/// Reads the bytes of a file, and none of other spaces.
pub fn reader(file: &[u8]) -> impl Fn(u32, u64, &mut [u8]) -> bool {
    move |space, offset, buffer| {
        let bytes = file.get(offset as usize..).and_then(|rest| rest.get(..buffer.len())).filter(|_| space == 0);
        bytes.map(|bytes| buffer.copy_from_slice(bytes)).is_some()
    }
}
