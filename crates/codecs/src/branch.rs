//! Branches that are rarely taken.

/// Tells the compiler that what calls this is rarely run. `std::hint::cold_path` makes the same code, from Rust 1.95 on.
#[cold]
#[inline(always)]
pub fn cold_path() {}
