//! The codecs of Zarr.

pub mod blosc;
pub mod chain;
pub mod steps;
