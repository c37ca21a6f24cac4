//! Opening b2nd arrays.

use super::array::Array;
use super::structure::examine_structure;
use crate::blosc2::SuperChunk;
use crate::bytes::input::Input;
use crate::envelope::gzip::admit_opened;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::options::{Handle, OpenOptions, Settings};
use std::io::Read;
use std::path::Path;

/// Opens an array: a file, or the folder of a sparse frame. Its structure is read and checked now, its chunks when their
/// items are requested.
///
/// # Errors
/// [`Error::Invalid`](crate::error::Error::Invalid) if the structure breaks a rule of severity error,
/// [`Error::Limit`](crate::error::Error::Limit), [`Error::Io`](crate::error::Error::Io).
pub fn open(path: impl AsRef<Path>) -> Result<Array<'static>> {
    Options::new().open(path)
}

/// Reads an array that is in memory.
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

/// How to read b2nd arrays: [`OpenOptions`] has the methods.
///
/// [`Limits`](crate::Limits) hold each time that items are read: for them, and for the memory that it takes to decode them.
pub type Options = OpenOptions<Array<'static>>;

impl Handle for Array<'static> {
    type Of<'a> = Array<'a>;

    fn read_with<'a>(input: Input<'a>, settings: &Settings) -> Result<Array<'a>> {
        let mut examined = examine_structure(super::ROOM.opened(input, settings)?)?;
        if let Some(error) = examined.limit {
            return Err(error);
        }
        let is_tolerated = |finding: &Finding| settings.tolerates(finding.rule);
        let (passed_over, warnings) = admit_opened(&mut examined.input, examined.findings, is_tolerated)?;
        let (Some(frame), Some(layer)) = (examined.frame, examined.layer) else {
            // The tolerated violation prevents reading.
            return Err(passed_over.into_iter().next().expect("what could not be read is an error").into());
        };
        let tolerated = settings.tolerated.clone();
        let container = SuperChunk { input: examined.input, frame, passed_over, warnings, tolerated };
        Array::new(container, layer)
    }
}
