//! Zip archives of files in other formats.

mod breakers;
mod file_parts;
mod operate;
mod spaces;
mod take;
mod valid;

pub(super) use file_parts::{FileParts, Member, put_together};

use super::deflate::crc32;
use super::kind_driver::KindDriver;
use super::map;

/// The driver of zip.
pub(super) static DRIVER: KindDriver = KindDriver {
    of_container: Some("zip"),
    map: |file| spaces::with_all(map::map(file), file),
    content: spaces::content,
    pack: spaces::pack,
    check_sum: |_, bytes| Some(crc32(bytes).into()),
    operations: operate::OPERATIONS,
    operate: operate::operate,
    ..KindDriver::new("zip", valid::whole, &[breakers::BREAKERS])
};
