//! gzip.

mod breakers;
mod draft;
mod operate;
mod spaces;
mod valid;

use super::craft::Craft;
use super::deflate::{crc32, plainly_deflated};
use super::map;
use everybyte::Node;

/// The craft of gzip.
pub(super) static CRAFT: Craft = Craft {
    of_container: Some("gz"),
    map: |file| spaces::apart(map::map(file), file),
    content: spaces::content,
    pack: |_, _, _, content| Some(plainly_deflated(content)),
    check_sum,
    operations: operate::OPERATIONS,
    operate: operate::operate,
    agree: operate::agree,
    ..Craft::new("gzip", valid::whole, &[breakers::BREAKERS])
};

/// The number of a header is the low half of the sum of what is before it.
fn check_sum(number: Node<'_>, bytes: &[u8]) -> Option<u64> {
    match number.name() {
        "header_crc" => {
            let end = bytes.len().checked_sub(size_of::<u16>())?;
            Some((crc32(bytes.get(..end)?) & 0xFFFF).into())
        }
        _ => Some(crc32(bytes).into()),
    }
}
