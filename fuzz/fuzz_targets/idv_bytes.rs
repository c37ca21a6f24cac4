#![no_main]

use libfuzzer_sys::fuzz_target;
use ndbytes_fuzz::{idv, in_turn};

fuzz_target!(|bytes: &[u8]| {
    in_turn(|| idv::examine_bytes(bytes));
});

ndbytes::forge::fuzz_mutator!(ndbytes::forge::Kind::Idv);
