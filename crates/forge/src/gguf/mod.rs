//! GGUF.

mod breakers;
mod file_parts;
mod valid;

use super::kind_driver::KindDriver;
use ndbytes::Format;

/// The driver of GGUF.
pub(super) static DRIVER: KindDriver = KindDriver::new(Format::Gguf.name(), valid::whole, &[breakers::BREAKERS]);
