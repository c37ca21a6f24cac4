//! Converts arrays and tables between the formats of ndbytes and those of others.
//!
//! Values stay as they are, and so does their type. What a target cannot hold is refused by name, or left out by name if
//! [`Options::lossy`] asks for that. Arrays are read and written piece by piece: their size is not bounded by the memory.
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! # let out = folder.path().join("temperatures.npy");
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/temperatures.b2nd");
//! use ndbytes_convert::{Kind, Options, Part, Source, Target, convert};
//!
//! let array = ndbytes::open(path)?.into_array()?;
//! let sources = [Source::Array(Part::new("temperatures", &array))];
//! let options = Options::new().lossy(true);
//! let losses = convert(&sources, Kind::Npy, Target::File(&out), &options)?;
//! assert_eq!(losses[0].to_string(), ".npy cannot hold the metalayer \"places\" of temperatures, which is left out");
//! # Ok::<(), ndbytes_convert::Error>(())
//! ```

mod arrays;
mod containers;
mod error;
mod kind;
mod options;
#[cfg(feature = "png")]
mod pictures;
#[cfg(feature = "tables")]
mod tables;

pub use arrays::part::Part;
pub use containers::safetensors::Tensors;
pub use error::{Error, Loss, Result};
pub use kind::Kind;
pub use options::{Options, Progress};
#[cfg(feature = "png")]
pub use pictures::{Sheet, folder::Pictures};
#[cfg(feature = "tables")]
pub use tables::text;

use std::io::Write;
use std::path::Path;

/// Something that is converted.
#[derive(Debug)]
#[non_exhaustive]
pub enum Source<'s> {
    /// An array, or a part of one.
    Array(Part<'s>),
}

impl Source<'_> {
    /// Bytes of all values.
    pub fn length(&self) -> u64 {
        match self {
            Source::Array(part) => part.length(),
        }
    }
}

/// The place of the result.
#[non_exhaustive]
pub enum Target<'t> {
    /// A file that appears whole or not at all.
    File(&'t Path),
    /// A stream.
    Stream(&'t mut dyn Write),
}

/// Converts. Several arrays become one along their first axis, unless the target holds several by name. What was given up is returned: nothing, unless
/// [`Options::lossy`] allows it.
///
/// # Errors
/// [`Error::Refused`] if the target cannot hold the values, [`Error::Lossy`] if it cannot hold all that belongs to them,
/// [`Error::Unlike`] if several sources are no whole, and the errors of the library. No file is written then.
pub fn convert(sources: &[Source<'_>], kind: Kind, target: Target<'_>, options: &Options<'_>) -> Result<Vec<Loss>> {
    let parts: Vec<&Part<'_>> = sources.iter().map(|Source::Array(part)| part).collect();
    arrays::convert(&parts, kind, target, options)
}
