#![no_main]

use libfuzzer_sys::fuzz_target;
use ndbytes_fuzz::{b2nd, in_turn};

fuzz_target!(|bytes: &[u8]| {
    in_turn(|| b2nd::examine_bytes(bytes));
});

ndbytes::forge::fuzz_mutator!(ndbytes::forge::Kind::B2nd);
