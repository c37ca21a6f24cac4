//! Checking any file against all rules, and mapping its bytes.

use crate::bytemap::{ByteMap, Space};
use crate::gzip::is_gzip;
use crate::input::Input;
use crate::rule::UNKNOWN_FORMAT;
use crate::{Error, Finding, Format, Limits, Profile, Report, Result, foreign, format, idx, rawarray};
use std::io::Read;
use std::path::Path;

/// How much of a file is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Depth {
    /// The structure only: what that costs does not depend on the size of the payload.
    Structure,
    /// The payload too: everything is decoded.
    #[default]
    Payload,
}

/// Checks a file of any format, strictly and in full.
///
/// # Errors
/// [`Error::Io`] if the file cannot be read. Whatever is wrong with its content is in the report.
pub fn check(path: impl AsRef<Path>, limits: &Limits) -> Result<Report> {
    Checker::new().limits(*limits).check(path)
}

/// How to check files.
#[derive(Debug, Clone, Copy, Default)]
pub struct Checker {
    profile: Profile,
    depth: Depth,
    limits: Limits,
}

impl Checker {
    /// Strict, in full, within the default limits.
    pub fn new() -> Self {
        Checker::default()
    }

    /// Chooses whose judgement counts.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        Checker { profile, ..self }
    }

    /// Chooses how much is looked at.
    #[must_use]
    pub fn depth(self, depth: Depth) -> Self {
        Checker { depth, ..self }
    }

    /// Sets what a file may cost.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Checker { limits, ..self }
    }

    /// Checks a file.
    ///
    /// # Errors
    /// As for [`check`].
    pub fn check(&self, path: impl AsRef<Path>) -> Result<Report> {
        self.check_input(Input::open(path, self.limits)?)
    }

    /// Checks a file that is in memory.
    ///
    /// # Errors
    /// None that comes from the bytes.
    pub fn check_slice(&self, bytes: &[u8]) -> Result<Report> {
        self.check_input(Input::from_slice(bytes, self.limits))
    }

    /// Checks a stream, to its end.
    ///
    /// # Errors
    /// As for [`check`]. A stream that is longer than the limits allow is a finding.
    pub fn check_reader(&self, reader: impl Read) -> Result<Report> {
        match Input::from_reader(reader, self.limits) {
            Ok(input) => self.check_input(input),
            Err(error @ Error::Limit { .. }) => {
                Ok(Report::new(None, self.limits.memory, vec![Finding::limit(&error)], self.profile))
            }
            Err(error) => Err(error),
        }
    }

    /// Checks something that was opened.
    ///
    /// # Errors
    /// As for [`check`].
    pub fn check_input(&self, input: Input<'_>) -> Result<Report> {
        let size = input.length();
        let (format, findings) = match known_format(&input) {
            Some(Format::Idx) => {
                let gzip = is_gzip(input.head());
                let options = idx::Options::new().limits(self.limits);
                let examined = idx::examine(input, &options, self.depth)?;
                // Whatever is inside gzip is of a format only if it is IDX.
                let known = !gzip || examined.header.is_some();
                (known.then_some(Format::Idx), examined.findings)
            }
            Some(Format::RawArray) => (Some(Format::RawArray), rawarray::examine(input, self.depth)?.findings),
            None => (None, vec![unknown_format(&input)]),
        };
        Ok(Report::new(format, size, findings, self.profile))
    }

    /// Maps every byte of something that was opened: of a broken file, everything up to and around the break.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read.
    pub fn byte_map(&self, input: Input<'_>) -> Result<ByteMap> {
        match known_format(&input) {
            Some(Format::Idx) => idx::byte_map(input, self.depth, self.limits),
            Some(Format::RawArray) => rawarray::byte_map(input, self.depth),
            None => Ok(ByteMap::new(None, vec![Space::new(0, "file", &input, Vec::new())?])),
        }
    }
}

/// The format whose room takes the input; IDX looks into gzip.
pub(crate) fn known_format(input: &Input<'_>) -> Option<Format> {
    let head = input.head();
    if is_gzip(head) { Some(Format::Idx) } else { format::detect(head, input.length()) }
}

pub(crate) fn unknown_format(input: &Input<'_>) -> Finding {
    let head = input.head();
    let shown = head.len().min(16);
    let finding = match (foreign::recognise(head), shown) {
        (Some((what, help)), _) => {
            return Finding::new(&UNKNOWN_FORMAT, "", 0..shown as u64, format!("this is {what}")).help(help);
        }
        (None, 0) => Finding::new(&UNKNOWN_FORMAT, "", 0..0, "the file is empty"),
        (None, _) => {
            Finding::new(&UNKNOWN_FORMAT, "", 0..shown as u64, "the content is of no format that ndbytes reads")
        }
    };
    let known = Format::ALL.map(Format::title).join(", ");
    finding.help(format!("formats are told by content, not by name; known are {known}"))
}
