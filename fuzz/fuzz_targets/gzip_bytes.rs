#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ndbytes_fuzz::archives::examine_gzip(bytes));

ndbytes::forge::fuzz_mutator!(ndbytes::forge::Kind::Gzip);
