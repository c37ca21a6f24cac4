//! Bytes: inputs, outputs, limits, and the memory that holds them.

pub mod atomic;
pub mod behind;
#[cfg(feature = "b2nd")]
pub mod folder;
pub mod input;
pub mod limits;
pub mod map;
pub mod memory;
mod opening;
mod pages;
#[cfg(any(
    feature = "rawarray",
    feature = "idv",
    feature = "b2nd",
    feature = "npy",
    feature = "gzip",
    feature = "zip"
))]
pub mod parse;
#[cfg(any(feature = "gzip", feature = "zip"))]
pub mod pieces;
mod positioned;
#[cfg(feature = "idv")]
pub mod shared;
pub mod source;
pub mod swap;
pub mod threads;
