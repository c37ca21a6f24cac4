//! Third-party tables outside the repository, for which the values that ML.NET reads are known.
//!
//! The tests run only on request: `cargo test --test it -- --ignored samples::`. The corpus covers the same features.

#[cfg(feature = "convert")]
mod arrow;
mod tables;
