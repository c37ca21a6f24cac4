#![no_main]

use libfuzzer_sys::fuzz_target;
use ndbytes_fuzz::{archives, in_turn};

fuzz_target!(|bytes: &[u8]| {
    in_turn(|| archives::examine_zip(bytes));
});

ndbytes::forge::fuzz_mutator!(ndbytes::forge::Kind::Zip);
