#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ndbytes_fuzz::threads::examine(bytes));

ndbytes::forge::fuzz_mutator!();
