//! Changes the byte order of numbers, in place or while copying. Floats are never interpreted as floats, so NaN payloads survive.

use multiversion::multiversion;

/// Swaps the bytes of every unit of `width` (1, 2, 4, 8 or 16) bytes. `bytes` must contain a whole number of units.
pub fn swap_in_place(bytes: &mut [u8], width: u64) {
    match width {
        2 => swap2(bytes),
        4 => swap4(bytes),
        8 => swap8(bytes),
        16 => swap16(bytes),
        _ => {}
    }
}

/// Copies bytes and swaps every unit of `width` (1, 2, 4, 8 or 16) bytes. Both slices must contain the same whole number of units.
pub fn swap_copy(from: &[u8], to: &mut [u8], width: u64) {
    match width {
        2 => copy2(from, to),
        4 => copy4(from, to),
        8 => copy8(from, to),
        16 => copy16(from, to),
        _ => to.copy_from_slice(from),
    }
}

macro_rules! swappers {
    ($($in_place:ident, $copy:ident: $integer:ty),*) => {$(
        #[multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2"))]
        fn $in_place(bytes: &mut [u8]) {
            for run in bytes.as_chunks_mut::<{ size_of::<$integer>() }>().0 {
                *run = <$integer>::from_ne_bytes(*run).swap_bytes().to_ne_bytes();
            }
        }

        // Wider vectors are slower here, because memory is the bottleneck.
        #[multiversion(targets("x86_64+avx2"))]
        fn $copy(from: &[u8], to: &mut [u8]) {
            let (from, to) = (from.as_chunks().0, to.as_chunks_mut().0);
            for (from, to) in from.iter().zip(to) {
                *to = <$integer>::from_ne_bytes(*from).swap_bytes().to_ne_bytes();
            }
        }
    )*};
}

swappers!(swap2, copy2: u16, swap4, copy4: u32, swap8, copy8: u64, swap16, copy16: u128);
