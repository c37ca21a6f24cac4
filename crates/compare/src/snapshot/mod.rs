//! Files as text: two texts differ where the files do, in lines that a person can review.
//!
//! git shows it in place of "Binary files differ", and a test keeps it beside the code with a snapshot library such as insta:
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/surface.ra");
//! let text = ndbytes_compare::snapshot::text(path).to_string();
//! assert!(text.starts_with("RawArray, 160 bytes, blake3 "));
//! assert!(text.contains("\narray <f4 4×6 F\n"));
//! assert!(text.contains("\neltype: float\n"));
//! ```
//!
//! # Form 1
//!
//! The text begins with format, size and digest of all bytes: a change may be small, but never invisible. Then come the
//! findings, the fields, the digest of the stored bytes if these are encoded, and the values.
//!
//! * Offsets, lengths, checksums, counts that agree, and copies that agree are left out: they only follow from the rest. No
//!   path stands in it.
//! * A field that most elements of a list have alike is one line: `chunks[*].header.typesize: 2 (3)`.
//! * Values of up to 4,096 items and two axes stand row by row, tables of up to 1,024 rows a row a line. Larger ones are
//!   folded: each line has the hash of 2^k rows. An array that grows keeps its folds until it has twice as many rows.
//! * A line has at most 2,000 characters, the text at most 256 KiB. What is unseen or steers a terminal is escaped.
//!
//! The same bytes give the same text on every machine. Another text for the same bytes would be another form.

mod array;
mod asserts;
mod facts;
mod item;
mod json;
mod measure;
mod page;
mod table;
mod text;
mod unknown;

pub use asserts::{assert_identical_structure, assert_same_values};
pub use everybyte::diff::{Pattern, PatternError};
use ndbytes::{Input, Limits, Result};
use std::fmt;
use std::path::{Path, PathBuf};

/// The forms of the text that there are, the newest last.
pub const FORMS: [u32; 1] = [1];

/// The bytes that a snapshot is made of.
#[derive(Debug)]
#[non_exhaustive]
pub enum Source<'s> {
    /// A file, an entry of an archive, or a folder: whatever [`Input::open`] opens.
    Path(&'s Path),
    /// The bytes of a file.
    Bytes(&'s [u8]),
    /// An opened input.
    Input(&'s Input<'s>),
}

/// A file as text. It is made when it is displayed.
///
/// # Panics
/// Its `to_string` panics if the file cannot be read, and if a redaction matches nothing. [`Snapshot::render`] does not.
#[derive(Debug)]
pub struct Snapshot<'s> {
    source: Source<'s>,
    choices: Choices,
}

/// The choices of a snapshot.
#[derive(Debug)]
struct Choices {
    fields: Fields,
    values: Values,
    redacted: Vec<Pattern>,
    is_without_sizes: bool,
    is_without_writer: bool,
    limits: Limits,
}

/// The fields that a snapshot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Fields {
    /// Those that do not follow from others. Those that are alike in a list are one line.
    #[default]
    Facts,
    /// Offsets, lengths and counts as well, each field with its offset.
    WithOffsets,
    /// Every field, with offset, length, type and role.
    Everything,
}

/// The values that a snapshot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Values {
    /// The values of small files, and hashes of runs of rows of larger ones.
    #[default]
    Folded,
    /// A digest.
    Hash,
    /// None.
    None,
    /// The values of files of at most this many items, or rows of a table, however many axes there are. Larger ones are
    /// folded.
    AtMost(u64),
}

/// The text of form 1 of a file, or of bytes. Broken files have a text, and so have files of no known format.
///
/// ```
/// let text = ndbytes_compare::snapshot::text(b"\0\0\x08\x01\0\0\0\x03\x01\x02").to_string();
/// assert!(text.contains("finding error idx/truncated-payload at payload"));
/// ```
pub fn text<'s>(source: impl Into<Source<'s>>) -> Snapshot<'s> {
    Snapshot {
        source: source.into(),
        choices: Choices {
            fields: Fields::default(),
            values: Values::default(),
            redacted: Vec::new(),
            is_without_sizes: false,
            is_without_writer: false,
            limits: Limits::default(),
        },
    }
}

impl Snapshot<'_> {
    /// Chooses the fields.
    #[must_use]
    pub fn fields(mut self, fields: Fields) -> Self {
        self.choices.fields = fields;
        self
    }

    /// Chooses the values.
    #[must_use]
    pub fn values(mut self, values: Values) -> Self {
        self.choices.values = values;
        self
    }

    /// Sets what the file may cost.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.choices.limits = limits;
        self
    }

    /// Replaces the values of the fields whose keys match a [`Pattern`], such as `chunks[*].header.*`, by `[redacted]`.
    /// A pattern that matches no field that is shown is an error when the text is made. A field that gets another name
    /// must not turn the redaction off unseen.
    ///
    /// # Panics
    /// If the text is no pattern.
    #[must_use]
    pub fn redact(mut self, pattern: &str) -> Self {
        let parsed = Pattern::new(pattern);
        let parsed = parsed.unwrap_or_else(|error| panic!("the redaction {pattern:?} is no pattern of keys: {error}"));
        self.choices.redacted.push(parsed);
        self
    }

    /// Leaves out the length of the file, those of what is stored, and all digests of stored bytes: for codecs whose output
    /// differs between versions. The digest of the values stays.
    #[must_use]
    pub fn redact_sizes(mut self) -> Self {
        self.choices.is_without_sizes = true;
        self
    }

    /// Leaves out the notes of the writer that have no effect on the content: numbers of threads, times, systems.
    #[must_use]
    pub fn redact_writer(mut self) -> Self {
        self.choices.is_without_writer = true;
        self
    }

    /// Makes the text.
    ///
    /// # Errors
    /// [`Error::Io`](ndbytes::Error::Io) if the file cannot be read; [`Error::Time`](ndbytes::Error::Time); [`Error::Unmatched`](ndbytes::Error::Unmatched) if a
    /// redaction matches nothing.
    pub fn render(&self) -> Result<String> {
        let Choices { limits, .. } = self.choices;
        match &self.source {
            Source::Path(path) => text::of(&Input::open(path, limits)?, &self.choices),
            Source::Bytes(bytes) => text::of(&Input::from_slice(bytes, limits), &self.choices),
            Source::Input(input) => text::of(&input.again(limits)?, &self.choices),
        }
    }
}

impl fmt::Display for Snapshot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.render() {
            Ok(text) => f.write_str(&text),
            Err(error) => panic!("there is no snapshot of the file: {error}"),
        }
    }
}

impl<'s> From<&'s Path> for Source<'s> {
    fn from(path: &'s Path) -> Self {
        Source::Path(path)
    }
}

impl<'s> From<&'s PathBuf> for Source<'s> {
    fn from(path: &'s PathBuf) -> Self {
        Source::Path(path)
    }
}

impl<'s> From<&'s str> for Source<'s> {
    fn from(path: &'s str) -> Self {
        Source::Path(Path::new(path))
    }
}

impl<'s> From<&'s String> for Source<'s> {
    fn from(path: &'s String) -> Self {
        Source::Path(Path::new(path))
    }
}

impl<'s> From<&'s [u8]> for Source<'s> {
    fn from(bytes: &'s [u8]) -> Self {
        Source::Bytes(bytes)
    }
}

impl<'s, const LENGTH: usize> From<&'s [u8; LENGTH]> for Source<'s> {
    fn from(bytes: &'s [u8; LENGTH]) -> Self {
        Source::Bytes(bytes)
    }
}

impl<'s> From<&'s Vec<u8>> for Source<'s> {
    fn from(bytes: &'s Vec<u8>) -> Self {
        Source::Bytes(bytes)
    }
}

impl<'s> From<&'s Input<'s>> for Source<'s> {
    fn from(input: &'s Input<'s>) -> Self {
        Source::Input(input)
    }
}

/// The beginning of a hash: 16 hexadecimal digits.
fn short(hash: &[u8; 32]) -> String {
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
