//! Writes chunks, metalayers and attributes.

pub mod chunk;
pub mod contents;
pub mod filters;
pub mod frame;
pub mod streams;

use crate::error::Error;
use crate::format::Format;

/// The error for content that the format cannot express.
pub fn inexpressible(what: String) -> Error {
    Error::Inexpressible { format: Format::B2nd.title(), what }
}
