//! The metadata of arrays.

pub mod described;
pub mod json;
mod numcodecs;
pub mod v2;
pub mod v3;
