#![no_main]

use libfuzzer_sys::fuzz_target;
use ndbytes_fuzz::{arrow, in_turn};

fuzz_target!(|bytes: &[u8]| {
    in_turn(|| arrow::examine(bytes));
});

ndbytes::forge::fuzz_mutator!(ndbytes::forge::Kind::Idv);
