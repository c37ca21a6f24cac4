#![no_main]

use libfuzzer_sys::fuzz_target;
use ndbytes_fuzz::{idv::BlockSample, in_turn};

fuzz_target!(|bytes: &[u8]| {
    if let Some(sample) = BlockSample::new(bytes) {
        in_turn(|| sample.examine());
    }
});
