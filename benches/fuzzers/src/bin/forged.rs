//! Runs a reader under libFuzzer with the forge's mutator and crossover. `NDBYTES_FUZZERS_SCHEDULE=off` leaves one
//! mutant in four to libFuzzer; otherwise, the schedule decides.

#![no_main]

use libfuzzer_sys::fuzzer_mutate;
use ndbytes_forge::{Bench, Forge, Mutation, Plain};
use ndbytes_fuzzers::{Reader, examine, write_seeds};
use std::cell::RefCell;

thread_local! {
    static BENCH: RefCell<Bench> = RefCell::new({
        let is_scheduled = std::env::var("NDBYTES_FUZZERS_SCHEDULE").as_deref() != Ok("off");
        Bench::new(Forge::new(0).of_kind(Reader::of_process().kind), Mutation::default(), is_scheduled)
    });
}

libfuzzer_sys::fuzz_target!(init: write_seeds(), |input: &[u8]| examine(Reader::of_process(), input));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max: usize, seed: u32| {
    let input = data[..size].to_vec();
    BENCH.with_borrow_mut(|bench| {
        put(bench.mutate(&input, max, seed, Some(fuzzer_mutate as Plain)), data).unwrap_or(size)
    })
});

libfuzzer_sys::fuzz_crossover!(|one: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
    BENCH.with_borrow_mut(|bench| bench.cross(one, other, out.len(), seed).and_then(|made| put(made, out)).unwrap_or(0))
});

/// Copies a result; `None` if it does not fit.
fn put(made: &[u8], place: &mut [u8]) -> Option<usize> {
    place.get_mut(..made.len()).filter(|_| !made.is_empty())?.copy_from_slice(made);
    Some(made.len())
}
