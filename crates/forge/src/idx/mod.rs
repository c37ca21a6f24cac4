//! IDX: the array format of MNIST.

mod breakers;
pub(super) mod file_parts;
pub(super) mod operate;
pub(super) mod valid;

use super::kind_driver::KindDriver;
use everybyte::Endian;
use ndbytes::Format;

/// The driver of IDX.
pub(super) static DRIVER: KindDriver = KindDriver {
    byte_order: |_| Endian::Big,
    operations: operate::OPERATIONS,
    operate: operate::operate,
    agree: |before, after, _| file_parts::agree(before, after),
    ..KindDriver::new(Format::Idx.name(), valid::whole, &[breakers::BREAKERS])
};
