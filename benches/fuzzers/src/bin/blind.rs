//! Runs a reader under plain libFuzzer.

#![no_main]

use ndbytes_fuzzers::{Reader, examine};

libfuzzer_sys::fuzz_target!(|input: &[u8]| examine(Reader::of_process(), input));
