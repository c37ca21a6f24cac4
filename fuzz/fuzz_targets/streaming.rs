#![no_main]

use libfuzzer_sys::fuzz_target;
use ndbytes_fuzz::{in_turn, streaming};

fuzz_target!(|bytes: &[u8]| {
    in_turn(|| streaming::examine(bytes));
});

ndbytes::forge::fuzz_mutator!();
