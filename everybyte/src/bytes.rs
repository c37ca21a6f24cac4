//! Bytes as fields: contents that the caller reads, padding, and zeros.
//!
//! | type | what it is |
//! |---|---|
//! | [`Bytes`] | as many bytes as an argument states: located, but not loaded |
//! | [`Region`] | the same, but the file may end early |
//! | [`Rest`] | all remaining bytes |
//! | [`Zeros<N>`](Zeros) | `N` bytes that must be zero |
//! | [`Align<N>`](Align) | padding up to the next multiple of `N` |
//!
//! [`bytes_left`] and [`ensure_at_hand`] are for custom parsers.

pub use crate::alignment::Alignment;
pub use crate::fields::{Align, AlignArgs, Bytes, Region, RegionArgs, Rest, Zeros, bytes_left, ensure_at_hand};
