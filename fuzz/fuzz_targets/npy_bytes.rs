#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ndbytes_fuzz::npy::examine_bytes(bytes));

ndbytes::forge::fuzz_mutator!(ndbytes::forge::Kind::Npy);
