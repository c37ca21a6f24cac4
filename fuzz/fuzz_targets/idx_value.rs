#![no_main]

libfuzzer_sys::fuzz_target!(|value: ndbytes_fuzz::idx::Sample<'_>| value.examine());
