#![no_main]

use libfuzzer_sys::fuzz_target;
use ndbytes_fuzz::{b2nd::ChunkSample, in_turn};

fuzz_target!(|bytes: &[u8]| {
    if let Some(sample) = ChunkSample::new(bytes) {
        in_turn(|| sample.examine());
    }
});
