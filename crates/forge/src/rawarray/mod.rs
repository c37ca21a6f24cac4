//! RawArray: arrays with a header of 64-bit words.

mod breakers;
pub(super) mod file_parts;
mod lz4;
pub(super) mod operate;
pub(super) mod valid;

use super::kind_driver::KindDriver;
use ndbytes::Format;

/// The driver of RawArray.
pub(super) static DRIVER: KindDriver = KindDriver {
    byte_order: file_parts::byte_order,
    operations: operate::OPERATIONS,
    operate: operate::operate,
    agree: |before, after, _| file_parts::agree(before, after),
    ..KindDriver::new(Format::RawArray.name(), valid::whole, &[breakers::BREAKERS])
};
