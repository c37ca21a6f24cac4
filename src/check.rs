//! Checking any file against all rules, and mapping its bytes.

use crate::archive::{self, Archive, Contents};
use crate::bytemap::{ByteMap, Space};
use crate::gzip::is_gzip;
use crate::input::Input;
use crate::rule::UNKNOWN_FORMAT;
use crate::{Error, Finding, Format, Limits, Profile, Report, Result, b2nd, foreign, format, idv, idx, rawarray};
use std::io::Read;
use std::path::{Path, PathBuf};

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

/// What the check of a path came to.
#[derive(Debug)]
pub enum Checked {
    /// The report on a file, or on an entry of an archive.
    File(Report),
    /// The reports on the IDV streams of an archive, each with its address.
    Archive(Vec<(PathBuf, Result<Report>)>),
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

    /// Checks a file, or an entry of an archive.
    ///
    /// # Errors
    /// As for [`check`].
    pub fn check(&self, path: impl AsRef<Path>) -> Result<Report> {
        match Input::open(path, self.limits) {
            Ok(input) => self.check_input(input),
            Err(error) => self.refused(error, None, 0),
        }
    }

    /// Checks a file or, of a zip archive with IDV streams, each of these.
    ///
    /// # Errors
    /// As for [`check`].
    pub fn check_path(&self, path: impl AsRef<Path>) -> Result<Checked> {
        let mut input = match Input::open(path, self.limits) {
            Ok(input) => input,
            Err(error) => return self.refused(error, None, 0).map(Checked::File),
        };
        if archive::is_archive(&input) {
            let size = input.length();
            let archive = match Archive::read(input, self.limits) {
                Ok(archive) => archive,
                Err(error) => return self.refused(error, None, size).map(Checked::File),
            };
            if !archive.streams().is_empty() {
                return Ok(Checked::Archive(self.check_archive(&archive).collect()));
            }
            input = archive.into_input();
        }
        self.check_input(input).map(Checked::File)
    }

    /// Checks every IDV stream of an archive, each under its address. A stream that cannot be unpacked is a finding.
    pub fn check_archive(&self, archive: &Archive<'_>) -> impl Iterator<Item = (PathBuf, Result<Report>)> {
        // What is kept among what is freed again would tear the heap to pieces: it comes first.
        let addresses: Vec<PathBuf> = archive.streams().iter().map(|stream| archive.address(stream)).collect();
        addresses.into_iter().zip(archive.load_each()).map(|(address, (stream, loaded))| {
            let report = match loaded {
                Ok(input) => self.check_input(input),
                Err(error) => self.refused(error, stream.format(), stream.length()),
            };
            (address, report)
        })
    }

    /// The report on what cannot be opened for what it contains.
    fn refused(&self, error: Error, format: Option<Format>, size: u64) -> Result<Report> {
        let finding = match error {
            Error::Invalid(finding) => *finding,
            error @ Error::Limit { .. } => Finding::limit(&error),
            error => return Err(error),
        };
        Ok(Report::new(format, size, vec![finding], self.profile))
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
            Err(error) => self.refused(error, None, self.limits.memory),
        }
    }

    /// Checks something that was opened.
    ///
    /// # Errors
    /// As for [`check`].
    pub fn check_input(&self, mut input: Input<'_>) -> Result<Report> {
        let (size, mut all) = (input.length(), input.take_findings());
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
            Some(Format::Idv) => (Some(Format::Idv), idv::findings(input, self.depth)?),
            Some(Format::B2nd) => (Some(Format::B2nd), b2nd::findings(input, self.depth)?),
            None => (None, vec![unknown_format(&input)?]),
        };
        all.extend(findings);
        Ok(Report::new(format, size, all, self.profile))
    }

    /// Maps every byte of something that was opened: of a broken file, everything up to and around the break.
    ///
    /// # Errors
    /// [`Error::Archive`] if it is an archive with IDV streams, [`Error::Io`] if it cannot be read.
    pub fn byte_map(&self, input: Input<'_>) -> Result<ByteMap> {
        match known_format(&input) {
            Some(Format::Idx) => idx::byte_map(input, self.depth, self.limits),
            Some(Format::RawArray) => rawarray::byte_map(input, self.depth),
            Some(Format::Idv) => idv::byte_map(input, self.depth),
            Some(Format::B2nd) => b2nd::byte_map(input, self.depth),
            None => match choice(&input)? {
                Some(choice) => Err(choice),
                None => Ok(ByteMap::new(None, vec![Space::new(0, "file", &input, Vec::new())?])),
            },
        }
    }
}

/// The format whose room takes the input; IDX looks into gzip.
pub(crate) fn known_format(input: &Input<'_>) -> Option<Format> {
    let head = input.head();
    if is_gzip(head) { Some(Format::Idx) } else { format::detect(head, input.length()) }
}

/// Why something of no known format is refused.
pub(crate) fn refusal(input: &Input<'_>) -> Error {
    match choice(input) {
        Ok(Some(error)) | Err(error) => error,
        Ok(None) => unknown_format(input).map_or_else(|error| error, Into::into),
    }
}

/// The streams to choose from, if it is an archive that has any.
fn choice(input: &Input<'_>) -> Result<Option<Error>> {
    if !archive::is_archive(input) {
        return Ok(None);
    }
    match Contents::read(input).map(|contents| contents.addresses(input.path())) {
        Ok((streams, more)) => Ok((!streams.is_empty()).then_some(Error::Archive { streams, more })),
        // What is wrong with the archive is for its check to say.
        Err(Error::Invalid(_) | Error::Limit { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What is wrong with something of no known format.
///
/// # Errors
/// [`Error::Io`].
fn unknown_format(input: &Input<'_>) -> Result<Finding> {
    let head = input.head();
    let shown = head.len().min(16);
    let finding = match (foreign::recognise(head), shown) {
        (Some((what, help)), _) => {
            let mut finding = Finding::new(&UNKNOWN_FORMAT, "", 0..shown as u64, format!("this is {what}")).help(help);
            if archive::is_archive(input) {
                match Contents::read(input) {
                    Ok(contents) => finding = finding.help(contents.help()),
                    Err(Error::Invalid(found)) => finding = *found,
                    Err(error @ Error::Limit { .. }) => finding = Finding::limit(&error),
                    Err(error) => return Err(error),
                }
            }
            return Ok(finding);
        }
        (None, 0) => Finding::new(&UNKNOWN_FORMAT, "", 0..0, "the file is empty"),
        (None, _) => {
            Finding::new(&UNKNOWN_FORMAT, "", 0..shown as u64, "the content is of no format that ndbytes reads")
        }
    };
    let known = Format::ALL.map(Format::title).join(", ");
    Ok(finding.help(format!("formats are told by content, not by name; known are {known}")))
}
