//! b2nd.

mod breakers;
mod draft;
mod encode;
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
mod valid;

pub use frames::{BothFrames, b2nd_of_chunk};

use super::craft::Craft;
use everybyte::Endian;
use ndbytes::Format;

/// The craft of b2nd.
pub(super) static CRAFT: Craft = Craft {
    byte_order: |_| Endian::Big,
    content: spaces::content,
    pack: spaces::pack,
    operations: &operations::NAMES_OF_ALL,
    operate: operations::operate,
    agree: spaces::agree,
    ..Craft::new(Format::B2nd.name(), valid::valid, &[&breakers::ALL])
};
