//! The codecs of Zarr: chains of steps that encode the items of a chunk as its stored bytes.

pub mod blosc;
pub mod chain;
pub mod steps;
