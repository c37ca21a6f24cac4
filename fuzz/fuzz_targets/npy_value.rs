#![no_main]

libfuzzer_sys::fuzz_target!(|value: ndbytes_fuzz::npy::Sample<'_>| value.examine());
