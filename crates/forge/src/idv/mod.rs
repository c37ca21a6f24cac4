//! IDV: the table format of ML.NET.

mod agree;
mod assemble;
mod broken;
mod codecs;
mod file_parts;
mod inside;
mod operate;
mod rows;
mod stream;
mod table;
mod valid;
mod values;

use super::kind_driver::KindDriver;
use ndbytes::Format;

/// The driver of IDV.
pub(super) static DRIVER: KindDriver = KindDriver {
    content: inside::content,
    pack: inside::packed,
    operations: &operate::NAMES,
    operate: operate::operate,
    agree: |before, after, _| agree::agree(before, after),
    ..KindDriver::new(Format::Idv.name(), valid::valid, &broken::BREAKERS)
};
