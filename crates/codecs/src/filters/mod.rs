//! The Blosc2 filters, in both directions. They change the bytes of a block before compression.
//!
//! None of these functions panics. Invalid arguments (a width of 0, slices that do not fit together) are processed as far
//! as possible; callers check the parameters from a file. Only the truncations refuse parameters, as the library does.

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
