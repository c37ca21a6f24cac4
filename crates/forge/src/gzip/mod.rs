//! gzip around files of any other format.

mod breakers;
mod file_parts;
mod operate;
mod spaces;
mod valid;

use super::deflate::{crc32, plainly_deflated};
use super::kind_driver::KindDriver;
use super::map;
use everybyte::map::Node;

/// The driver of gzip.
pub(super) static DRIVER: KindDriver = KindDriver {
    of_container: Some("gz"),
    map: |file| spaces::apart(map::map(file), file),
    content: spaces::content,
    pack: |_, _, _, content| Some(plainly_deflated(content)),
    check_sum,
    operations: operate::OPERATIONS,
    operate: operate::operate,
    agree: operate::agree,
    ..KindDriver::new("gzip", valid::whole, &[breakers::BREAKERS])
};

/// Computes the checksum of a header: the low half of the checksum of everything before it.
fn check_sum(number: Node<'_>, bytes: &[u8]) -> Option<u64> {
    match number.name() {
        "header_crc" => {
            let end = bytes.len().checked_sub(size_of::<u16>())?;
            Some((crc32(bytes.get(..end)?) & 0xFFFF).into())
        }
        _ => Some(crc32(bytes).into()),
    }
}
