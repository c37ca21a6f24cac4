//! GGUF as a tensor format.

mod blocks;
mod judge;
mod lenient;
mod read;
pub(crate) mod rules;

pub(crate) use read::header;

use super::kind::Kind;
use crate::format::Format;

/// GGUF as a tensor format.
pub(super) static KIND: Kind = Kind { format: Format::Gguf, file: "GGUF file", read: read::read, fields: read::fields };
