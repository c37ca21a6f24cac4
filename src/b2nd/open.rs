//! Opening b2nd arrays.

use super::array::Array;
use super::structure::examine_structure;
use crate::blosc2::SuperChunk;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::gzip::admit_opened;
use crate::options::{Handle, OpenOptions, Settings};
use std::io::Read;
use std::path::Path;

/// Opens an array: a file, or the directory of a sparse frame. Its structure is read and checked immediately. Chunks are not read
/// until their items are requested.
///
/// # Errors
/// [`Error::Invalid`](crate::error::Error::Invalid) if the structure breaks a rule of severity error;
/// [`Error::Limit`](crate::error::Error::Limit); [`Error::Io`](crate::error::Error::Io).
pub fn open(path: impl AsRef<Path>) -> Result<Array<'static>> {
    Options::new().open(path)
}

/// Reads an array from memory.
///
/// # Errors
/// As for [`open`].
pub fn from_slice(bytes: &[u8]) -> Result<Array<'_>> {
    Options::new().from_slice(bytes)
}

/// Reads a stream to its end.
///
/// # Errors
/// As for [`open`].
pub fn from_reader(reader: impl Read) -> Result<Array<'static>> {
    Options::new().from_reader(reader)
}

/// Options for reading b2nd arrays: [`OpenOptions`] has the methods.
///
/// [`Limits`](crate::Limits) apply to each read, including the memory needed to decode the items.
pub type Options = OpenOptions<Array<'static>>;

impl Handle for Array<'static> {
    type Of<'a> = Array<'a>;

    fn read_with<'a>(input: Input<'a>, settings: &Settings) -> Result<Array<'a>> {
        let mut examined = examine_structure(super::DRIVER.opened(input, settings)?)?;
        if let Some(error) = examined.limit {
            return Err(error);
        }
        let is_tolerated = |finding: &Finding| settings.tolerates(finding.rule);
        let (passed_over, warnings) = admit_opened(&mut examined.input, examined.findings, is_tolerated)?;
        let (Some(frame), Some(mut layer)) = (examined.frame, examined.layer) else {
            // The tolerated violation prevents reading.
            return Err(passed_over.into_iter().next().expect("what could not be read is an error").into());
        };
        layer.item_type = settings.typed(layer.item_type)?;
        let tolerated = settings.tolerated.clone();
        let container = SuperChunk { input: examined.input, frame, passed_over, warnings, tolerated };
        Array::new(container, layer)
    }
}
