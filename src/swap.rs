//! Byte order, changed in place. Floats are never looked at as floats: NaN payloads survive.

use multiversion::multiversion;

/// Swaps the bytes of every run of `width` (1, 2, 4, 8 or 16) bytes. `bytes` is a whole number of runs.
pub fn swap_in_place(bytes: &mut [u8], width: u64) {
    match width {
        2 => swap2(bytes),
        4 => swap4(bytes),
        8 => swap8(bytes),
        16 => swap16(bytes),
        _ => {}
    }
}

macro_rules! swappers {
    ($($name:ident: $integer:ty),*) => {$(
        #[multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2"))]
        fn $name(bytes: &mut [u8]) {
            for run in bytes.as_chunks_mut::<{ size_of::<$integer>() }>().0 {
                *run = <$integer>::from_ne_bytes(*run).swap_bytes().to_ne_bytes();
            }
        }
    )*};
}

swappers!(swap2: u16, swap4: u32, swap8: u64, swap16: u128);
