//! Files as text. Two texts differ where the files do, in lines that a person can review.
//!
//! git shows the text in place of "Binary files differ", and a test stores it next to the code with a snapshot library such as insta:
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/surface.ra");
//! let text = ndbytes_compare::snapshot::text(path).to_string();
//! assert!(text.starts_with("RawArray, 160 bytes, blake3 "));
//! assert!(text.contains("\narray <f4 4×6 F\n"));
//! assert!(text.contains("\neltype: float\n"));
//! ```
//!
//! # Form 2
//!
//! The text begins with the format, size and digest of all bytes, so even the smallest change is visible. Then come the
//! findings, the fields, the digest of the stored bytes if they are encoded, and the values.
//!
//! * Offsets, lengths, checksums, and consistent counts and copies are left out, because they follow from the rest. The text contains no
//!   paths.
//! * A field with the same value in most elements of a list is one line: `chunks[*].header.typesize: 2 (3)`.
//! * Arrays of up to 4,096 items and two axes are printed row by row, and tables of up to 1,024 rows with one row per
//!   line. Rows have no numbers, so an inserted row is one new line. Larger arrays and tables are folded, so each line
//!   has the hash of 2^k rows. An array that grows keeps its folds until it has twice as many rows.
//! * Small members of an archive are shown with their values, larger ones with a digest.
//! * A line has at most 2,000 characters, and the text at most 256 KiB. Invisible characters, and those that control a
//!   terminal, are escaped.
//!
//! The same bytes produce the same text on every machine. Any change of the text for existing bytes is a new form: in
//! form 1, each row of an array begins with its index, and every member of an archive is shown with only a digest.

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

/// All forms of the text, the newest last.
pub const FORMS: [u32; 2] = [1, 2];

/// The source of a snapshot.
///
/// ```
/// use ndbytes_compare::snapshot::{Source, text};
///
/// // Paths, bytes and inputs are converted automatically.
/// let file = [0_u8, 0, 8, 1, 0, 0, 0, 1, 7];
/// assert_eq!(text(&file).to_string(), text(Source::Bytes(&file)).to_string());
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Source<'s> {
    /// A file, an archive member, or a directory: anything that [`Input::open`] opens.
    Path(&'s Path),
    /// The bytes of a file.
    Bytes(&'s [u8]),
    /// An opened input.
    Input(&'s Input<'s>),
}

/// A file as text. It is computed when it is displayed.
///
/// ```
/// let text = ndbytes_compare::snapshot::text("../../samples/surface.ra").redact("eltype").render()?;
/// assert!(text.contains("\neltype: [redacted]\n"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Panics
/// `to_string` panics if the file cannot be read, or if a redaction does not match anything. [`Snapshot::render`] returns an error instead.
#[derive(Debug)]
pub struct Snapshot<'s> {
    source: Source<'s>,
    choices: Choices,
}

/// The choices of a snapshot.
#[derive(Debug)]
struct Choices {
    form: u32,
    fields: Fields,
    values: Values,
    redacted: Vec<Pattern>,
    is_without_sizes: bool,
    is_without_writer: bool,
    limits: Limits,
}

/// The fields that a snapshot shows.
///
/// ```
/// use ndbytes_compare::snapshot::{Fields, text};
///
/// let lines = |fields| text("../../samples/surface.ra").fields(fields).to_string().lines().count();
/// assert!(lines(Fields::Facts) < lines(Fields::WithOffsets));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Fields {
    /// Fields that do not follow from others. Elements of a list with equal values share a line.
    #[default]
    Facts,
    /// Also offsets, lengths and counts, each field with its offset.
    WithOffsets,
    /// Every field, with its offset, length, type and role.
    Everything,
}

/// The values that a snapshot shows.
///
/// ```
/// use ndbytes_compare::snapshot::{Values, text};
///
/// let file = [0_u8, 0, 8, 1, 0, 0, 0, 3, 11, 22, 33];
/// let lines = |values| text(&file).values(values).to_string().lines().count();
/// assert!(lines(Values::Hash) < lines(Values::Small)); // without 11, 22 and 33
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Values {
    /// The values of small files; for larger ones, hashes of runs of rows.
    #[default]
    Folded,
    /// The values of small files, and a digest of larger ones.
    Small,
    /// A digest.
    Hash,
    /// None.
    None,
    /// The values of files of at most this many items, or table rows, however many axes there are. Larger ones are
    /// folded.
    AtMost(u64),
}

/// The text of a file, or of bytes, in the newest form. Broken files and files in unknown formats also have a text.
///
/// ```
/// let text = ndbytes_compare::snapshot::text(b"\0\0\x08\x01\0\0\0\x03\x01\x02").to_string();
/// assert!(text.contains("finding error idx/truncated-payload at payload"));
/// ```
pub fn text<'s>(source: impl Into<Source<'s>>) -> Snapshot<'s> {
    Snapshot {
        source: source.into(),
        choices: Choices {
            form: FORMS[FORMS.len() - 1],
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
    /// Selects one of [`FORMS`], for texts that were stored in an older form.
    #[must_use]
    pub fn form(mut self, form: u32) -> Self {
        self.choices.form = form;
        self
    }

    /// Selects which fields to show.
    #[must_use]
    pub fn fields(mut self, fields: Fields) -> Self {
        self.choices.fields = fields;
        self
    }

    /// Selects which values to show.
    #[must_use]
    pub fn values(mut self, values: Values) -> Self {
        self.choices.values = values;
        self
    }

    /// Limits the cost of the file.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.choices.limits = limits;
        self
    }

    /// Replaces the values of the fields whose keys match a [`Pattern`], such as `chunks[*].header.*`, by `[redacted]`.
    /// If a pattern does not match any shown field, rendering fails, so that a renamed field does not silently disable
    /// the redaction.
    ///
    /// # Panics
    /// Panics if the text is not a valid pattern.
    #[must_use]
    pub fn redact(mut self, pattern: &str) -> Self {
        let parsed = Pattern::new(pattern);
        let parsed = parsed.unwrap_or_else(|error| panic!("the redaction {pattern:?} is not a key pattern: {error}"));
        self.choices.redacted.push(parsed);
        self
    }

    /// Leaves out the length of the file, stored lengths, and all digests of stored bytes, for codecs whose output differs between
    /// versions. The digest of the values stays.
    #[must_use]
    pub fn redact_sizes(mut self) -> Self {
        self.choices.is_without_sizes = true;
        self
    }

    /// Leaves out fields that describe the writer but not the content: numbers of threads, times and systems.
    #[must_use]
    pub fn redact_writer(mut self) -> Self {
        self.choices.is_without_writer = true;
        self
    }

    /// Renders the text.
    ///
    /// # Errors
    /// [`Error::Io`](ndbytes::Error::Io) if the file cannot be read; [`Error::Time`](ndbytes::Error::Time);
    /// [`Error::Unmatched`](ndbytes::Error::Unmatched) if a redaction does not match anything.
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
            Err(error) => panic!("the file has no snapshot: {error}"),
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

/// Returns the beginning of a hash: 16 hexadecimal digits.
fn short(hash: &[u8; 32]) -> String {
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
