#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use ndbytes_fuzz::{b2nd, in_turn};

fuzz_target!(|bytes: &[u8]| {
    in_turn(|| b2nd::examine_bytes(bytes));
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    b2nd::mutate(data, size, max_size, seed, fuzzer_mutate)
});
