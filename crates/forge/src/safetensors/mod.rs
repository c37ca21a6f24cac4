//! safetensors: tensors after a JSON header.

mod breakers;
mod file_parts;
mod valid;

use super::kind_driver::KindDriver;
use ndbytes::Format;

/// The driver of safetensors.
pub(super) static DRIVER: KindDriver = KindDriver::new(Format::Safetensors.name(), valid::whole, &[breakers::BREAKERS]);
