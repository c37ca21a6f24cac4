//! b2nd: arrays in Blosc2 frames, contiguous and sparse.

mod breakers;
mod encode;
mod file_parts;
mod frames;
mod grid;
mod operations;
mod parts;
mod regrid;
mod spaces;
mod stored;
#[cfg(test)]
mod tests;
mod types;
pub(super) mod valid;

pub use frames::{BothFrames, b2nd_of_chunk};

use super::kind_driver::KindDriver;
use everybyte::Endian;
use ndbytes::Format;

/// The driver of b2nd.
pub(super) static DRIVER: KindDriver = KindDriver {
    byte_order: |_| Endian::Big,
    content: spaces::content,
    pack: spaces::pack,
    operations: &operations::NAMES_OF_ALL,
    operate: operations::operate,
    agree: spaces::agree,
    ..KindDriver::new(Format::B2nd.name(), valid::valid, &[&breakers::ALL])
};
