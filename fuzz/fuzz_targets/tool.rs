#![no_main]

use libfuzzer_sys::fuzz_target;
use ndbytes_fuzz::{in_turn, tool};

fuzz_target!(|bytes: &[u8]| {
    in_turn(|| tool::examine(bytes));
});

ndbytes::forge::fuzz_mutator!();
