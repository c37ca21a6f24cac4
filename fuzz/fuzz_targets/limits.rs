#![no_main]

use libfuzzer_sys::fuzz_target;
use ndbytes_fuzz::{budget, in_turn};

#[global_allocator]
static ALLOCATOR: budget::Counting = budget::Counting;

fuzz_target!(|bytes: &[u8]| {
    in_turn(|| budget::examine(bytes));
});

ndbytes::forge::fuzz_mutator!();
