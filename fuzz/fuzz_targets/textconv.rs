#![no_main]

use libfuzzer_sys::fuzz_target;
use ndbytes_fuzz::{in_turn, textconv};

fuzz_target!(|bytes: &[u8]| {
    in_turn(|| textconv::examine(bytes));
});

ndbytes::forge::fuzz_mutator!();
