//! IDV.

mod agree;
mod assemble;
mod broken;
mod codecs;
mod draft;
mod inside;
mod operate;
mod rows;
mod stream;
mod table;
mod valid;
mod values;

use super::craft::Craft;
use ndbytes::Format;

/// The craft of IDV.
pub(super) static CRAFT: Craft = Craft {
    content: inside::content,
    pack: inside::packed,
    operations: &operate::NAMES,
    operate: operate::operate,
    agree: |before, after, _| agree::agree(before, after),
    ..Craft::new(Format::Idv.name(), valid::valid, &broken::BREAKERS)
};
