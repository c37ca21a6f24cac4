//! The target of a conversion.

use std::io::Write;
use std::path::Path;

/// Where the result is written.
///
/// ```
/// use ndbytes_convert::{ArraySource, FileKind, Options, Source, Target, convert};
///
/// let surface = ndbytes::open("../../samples/surface.ra")?.into_array()?;
/// let mut npy = Vec::new();
/// let sources = [Source::Array(ArraySource::new("surface", &surface))];
/// convert(&sources, FileKind::Npy, Target::Stream(&mut npy), &Options::new())?;
/// assert!(npy.starts_with(b"\x93NUMPY"));
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[non_exhaustive]
pub enum Target<'t> {
    /// A file that appears completely or not at all.
    File(&'t Path),
    /// A stream.
    Stream(&'t mut dyn Write),
}
