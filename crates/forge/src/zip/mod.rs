//! zip.

mod breakers;
mod draft;
mod operate;
mod spaces;
mod take;
mod valid;

pub(super) use draft::{Draft, Member, put_together};

use super::craft::Craft;
use super::deflate::crc32;
use super::map;

/// The craft of zip.
pub(super) static CRAFT: Craft = Craft {
    of_container: Some("zip"),
    map: |file| spaces::with_all(map::map(file), file),
    content: spaces::content,
    pack: spaces::pack,
    check_sum: |_, bytes| Some(crc32(bytes).into()),
    operations: operate::OPERATIONS,
    operate: operate::operate,
    ..Craft::new("zip", valid::whole, &[breakers::BREAKERS])
};
