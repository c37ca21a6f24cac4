#![no_main]

use libfuzzer_sys::fuzz_target;
use ndbytes_fuzz::{in_turn, writer::Session};

fuzz_target!(|session: Session<'_>| {
    in_turn(|| session.examine());
});
