//! IDX.

mod breakers;
pub(super) mod draft;
pub(super) mod operate;
pub(super) mod valid;

use super::craft::Craft;
use everybyte::Endian;
use ndbytes::Format;

/// The craft of IDX.
pub(super) static CRAFT: Craft = Craft {
    byte_order: |_| Endian::Big,
    operations: operate::OPERATIONS,
    operate: operate::operate,
    agree: |before, after, _| draft::agree(before, after),
    ..Craft::new(Format::Idx.name(), valid::whole, &[breakers::BREAKERS])
};
