//! The fuzzer: all targets in one binary. Its file name or `NDBYTES_FUZZ_TARGET` selects the target.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};
use ndbytes_fuzz::targets::Target;
use std::process;
use std::sync::LazyLock;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    Target::of_process().unwrap_or_else(|problem| {
        eprintln!("{problem}");
        process::exit(2)
    })
});

fuzz_target!(init: LazyLock::force(&TARGET), |bytes: &[u8]| -> Corpus {
    if TARGET.examine(bytes) { Corpus::Keep } else { Corpus::Reject }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    TARGET.mutate(data, size, max_size, seed, fuzzer_mutate)
});

fuzz_crossover!(|one: &[u8], other: &[u8], out: &mut [u8], seed: u32| { TARGET.cross(one, other, out, seed) });
