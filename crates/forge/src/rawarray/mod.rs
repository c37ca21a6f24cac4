//! RawArray.

mod breakers;
pub(super) mod draft;
mod lz4;
pub(super) mod operate;
pub(super) mod valid;

use super::craft::Craft;
use ndbytes::Format;

/// The craft of RawArray.
pub(super) static CRAFT: Craft = Craft {
    byte_order: draft::byte_order,
    operations: operate::OPERATIONS,
    operate: operate::operate,
    agree: |before, after, _| draft::agree(before, after),
    ..Craft::new(Format::RawArray.name(), valid::whole, &[breakers::BREAKERS])
};
