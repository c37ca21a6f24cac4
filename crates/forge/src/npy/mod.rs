//! .npy.

mod breakers;
pub(super) mod draft;
mod literal;
pub(super) mod operate;
pub(super) mod valid;

use super::craft::Craft;
use ndbytes::Format;

/// The craft of `.npy`.
pub(super) static CRAFT: Craft = Craft {
    operations: operate::OPERATIONS,
    operate: operate::operate,
    agree: |before, after, _| draft::agree(before, after),
    ..Craft::new(Format::Npy.name(), valid::whole, &[breakers::BREAKERS])
};
