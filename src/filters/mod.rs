//! The filters of Blosc2, in both directions: what is done to the bytes of a block before they are compressed.
//!
//! None of these functions panics. What has no meaning (a width of 0, slices that do not fit together) is done as far as
//! it goes; it is for callers to check what a file says. Only the truncations refuse parameters, as the library does.

mod bitshuffle;
mod delta;
mod lanes;
mod running_sum;
mod shuffle;
#[cfg(test)]
mod tests;
mod tiles;
mod truncation;

pub use bitshuffle::{bitshuffle, bitunshuffle};
pub use delta::{delta, delta_first, undelta, undelta_first};
pub use running_sum::{bytedelta, unbytedelta};
pub use shuffle::{interleave, shuffle, unshuffle};
pub use truncation::{truncate_floats, truncate_integers};
