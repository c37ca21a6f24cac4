//! Opening b2nd arrays.

use super::array::Array;
use super::examine::examine_structure;
use super::rules;
use crate::finding::admit;
use crate::input::Input;
use crate::{Limits, Result, Rule};
use std::io::Read;
use std::path::Path;

/// Opens an array: a file, or the folder of a sparse frame. Its structure is read and checked; chunks are, when their
/// items are asked for.
///
/// # Errors
/// [`Error::Invalid`](crate::Error::Invalid) if the structure breaks a rule of severity error,
/// [`Error::Limit`](crate::Error::Limit), [`Error::Io`](crate::Error::Io).
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

/// Whether an array that breaks the rule can be read nevertheless, if that is [tolerated](Options::tolerate).
pub fn is_tolerable(rule: &Rule) -> bool {
    TOLERABLE.contains(&rule)
}

/// The errors that leave the items readable.
static TOLERABLE: [&Rule; 20] = [
    &rules::MAGIC,
    &rules::WRONG_MARKER,
    &rules::HEADER_LENGTH,
    &rules::FRAME_VERSION,
    &rules::VARIABLE_CHUNKS,
    &rules::FILTER_SLOTS,
    &rules::DEFAULT_FILTER,
    &rules::METALAYER_COUNT,
    &rules::METALAYER_OFFSET,
    &rules::METALAYER_NAME,
    &rules::TRAILER_LENGTH,
    &rules::TRAILER_VERSION,
    &rules::INDEX_PLACE,
    &rules::CHUNK_FILE,
    &rules::OTHER_OBJECT,
    &rules::LAYER_LENGTH,
    &rules::LAYER_VERSION,
    &rules::DTYPE_FORMAT,
    &rules::DTYPE,
    &rules::CHUNK_ITEM_SIZE,
];

/// How to read b2nd arrays.
#[derive(Debug, Clone, Default)]
pub struct Options {
    limits: Limits,
    is_mapped: bool,
    tolerated: Vec<&'static Rule>,
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets what the array may cost: each time that items are read, they and the memory that it takes to decode them.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Maps a file when it is opened, instead of reading of it what is asked for: small pieces at random places come
    /// faster. What was looked at counts as memory of the process, and if somebody cuts the file short meanwhile, the
    /// system ends the process. Files of chunks beside a sparse frame are read as ever.
    #[must_use]
    pub fn mapped(self) -> Self {
        Options { is_mapped: true, ..self }
    }

    /// Reads arrays that break the rule nevertheless, where they can be read at all: see [`is_tolerable`].
    #[must_use]
    pub fn tolerate(mut self, rule: &'static Rule) -> Self {
        self.tolerated.push(rule);
        self
    }

    /// Opens an array, as [`open`] does.
    ///
    /// # Errors
    /// As for [`open`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Array<'static>> {
        let input = Input::open(path, self.limits)?;
        if self.is_mapped {
            input.bytes()?;
        }
        self.read(input)
    }

    /// Reads an array that is in memory.
    ///
    /// # Errors
    /// As for [`open`].
    #[allow(clippy::wrong_self_convention, reason = "the options say how to read from a slice")]
    pub fn from_slice<'a>(&self, bytes: &'a [u8]) -> Result<Array<'a>> {
        self.read(Input::from_slice(bytes, self.limits))
    }

    /// Reads a stream to its end.
    ///
    /// # Errors
    /// As for [`open`].
    #[allow(clippy::wrong_self_convention, reason = "the options say how to read from a stream")]
    pub fn from_reader(&self, reader: impl Read) -> Result<Array<'static>> {
        self.read(Input::from_reader(reader, self.limits)?)
    }

    /// Reads something that was opened.
    ///
    /// # Errors
    /// As for [`open`].
    pub fn read<'a>(&self, input: Input<'a>) -> Result<Array<'a>> {
        let examined = examine_structure(input)?;
        if let Some(error) = examined.limit {
            return Err(error);
        }
        let (passed_over, warnings) = admit(examined.findings, |finding| self.tolerated.contains(&finding.rule))?;
        let (Some(frame), Some(layer)) = (examined.frame, examined.layer) else {
            // A rule was tolerated without which nothing can be read.
            return Err(passed_over.into_iter().next().expect("what could not be read is an error").into());
        };
        let tolerated = self.tolerated.clone();
        Ok(Array::new(examined.input, frame, layer, passed_over, warnings, tolerated))
    }
}
