//! Tables from elsewhere, which lie outside the repository: what ML.NET reads in them is known.
//!
//! The tests are ignored unless they are requested: `cargo test --test it -- --ignored samples::`. The corpus covers the same
//! features.

#[cfg(feature = "convert")]
mod arrow;
mod tables;
