//! Large arrays out of small inputs: the payload is computed where it is asked for, so that no file of that length is there.

mod chunks;
mod pattern;
mod pick;
mod sample;
mod source;

pub use sample::Sample;
