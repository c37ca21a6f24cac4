#![no_main]

libfuzzer_sys::fuzz_target!(|value: ndbytes_fuzz::rawarray::Sample<'_>| value.examine());
