#![no_main]

use libfuzzer_sys::fuzz_target;
use ndbytes_fuzz::{b2nd::Sample, in_turn};

fuzz_target!(|value: Sample| in_turn(|| value.examine()));
