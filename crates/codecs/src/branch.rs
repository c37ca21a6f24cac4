//! Branches that are rarely taken.

/// Tells the compiler that the code that calls this is rarely run. `std::hint::cold_path` does the same from Rust 1.95 on.
#[cold]
#[inline(always)]
pub fn cold_path() {}
