//! `.npy`: arrays of NumPy, whose header is a Python literal.

mod breakers;
pub(super) mod file_parts;
mod literal;
pub(super) mod operate;
pub(super) mod valid;

use super::kind_driver::KindDriver;
use ndbytes::Format;

/// The driver of `.npy`.
pub(super) static DRIVER: KindDriver = KindDriver {
    operations: operate::OPERATIONS,
    operate: operate::operate,
    agree: |before, after, _| file_parts::agree(before, after),
    ..KindDriver::new(Format::Npy.name(), valid::whole, &[breakers::BREAKERS])
};
