//! The target of a conversion.

use std::io::Write;
use std::path::Path;

/// The place of the result.
#[non_exhaustive]
pub enum Target<'t> {
    /// A file that appears whole or not at all.
    File(&'t Path),
    /// A stream.
    Stream(&'t mut dyn Write),
}
