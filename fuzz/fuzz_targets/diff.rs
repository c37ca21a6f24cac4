#![no_main]

use libfuzzer_sys::fuzz_target;
use ndbytes_fuzz::{diff, in_turn};

fuzz_target!(|bytes: &[u8]| {
    in_turn(|| diff::examine(bytes));
});
