//! Checks a file of any format against all rules and maps its bytes.
//!
//! A check works from the outside in: first the archive, then gzip, and then the format. The register of formats provides the
//! driver for the content, which answers a `Question` (for findings, a map, or both) in one pass. Findings that depend on the
//! context are added last:
//!
//! * The name of the file promises another format: [`Binding`].
//! * The decoded length exceeds the caller's limits.
//! * All bytes were altered in transit, such as by line-ending conversion: [`altered`]. This cause can explain a dozen other
//!   findings.
//!
//! Finally, [`Report::new`] applies the profile to the findings. Only system errors are returned as errors. Every problem with the
//! content is in the report, including an exceeded limit.

mod archive;
mod reader;

use super::altered;
use super::decoded;
use super::drivers::{driver_of, unknown_format};
use super::gzip;
use super::named::{Binding, not_compressed};
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::bytes::map::ByteMap;
use crate::bytes::map::MapBudget;
use crate::bytes::source::ReadRanges;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::general::MISNAMED;
use crate::findings::report::Report;
use crate::findings::rule::{Depth, Profile, Reference};
use crate::format::Format;
use crate::format_driver::{Examined, Question};
use crate::gzip::is_packed;
use crate::zip::content::content_at_head;
use crate::zip::{Archive, Member, is_archive, map};
use everybyte::map::Node;
use everybyte::map::{Nodes, Space};
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

/// The number of members of an archive that are mapped in separate spaces. In the archive's own map, all further members appear
/// only as compressed bytes.
const SHOWN_MEMBERS: usize = 16;

/// The maximum length of a member that is mapped, which requires unpacking it.
const LARGEST_SHOWN: u64 = 16 << 20;

/// Checks a file of any format, or every member of an archive or store, strictly and completely.
///
/// # Validate a file
///
/// ```
/// use ndbytes::{Limits, Verdict, check};
///
/// let report = check("samples/digits-idx3-ubyte.gz", &Limits::default())?;
/// assert_eq!(report.verdict(), Verdict::Ok);
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// [`Checker`] has options, and also accepts bytes in memory, streams and sources.
///
/// # Errors
/// [`Error::Io`] if the file cannot be read. Problems with its content are in the report.
pub fn check(path: impl AsRef<Path>, limits: &Limits) -> Result<Report> {
    Checker::new().limits(*limits).check(path)
}

/// Checks files with the given options.
///
/// # Validate an upload
///
/// ```
/// use ndbytes::{Checker, Limits, Verdict};
/// use std::time::Duration;
///
/// let limits = Limits::default().memory(64 << 20).decoded(1 << 30).time(Duration::from_secs(5));
/// let upload = std::fs::read("samples/temperatures.b2nd").unwrap();
/// let report = Checker::new().limits(limits).check_slice(&upload)?;
/// if report.verdict() == Verdict::Error {
///     // Refuse it. Each of `report.findings()` names the rule, the field and the bytes, and becomes JSON by serde.
/// }
/// # assert_eq!(report.verdict(), Verdict::Ok);
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// `examples/uploads`, a handler for axum, uses it in a web server.
///
/// # Look at many files quickly
///
/// The cost of checking only the structure does not depend on the size of the payload:
///
/// ```
/// use ndbytes::{Checker, Depth};
///
/// let checker = Checker::new().depth(Depth::Structure);
/// for path in ["samples/surface.ra", "samples/trees.idv"] {
///     assert!(checker.check(path)?.findings().is_empty());
/// }
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Checker {
    profile: Profile,
    depth: Depth,
    limits: Limits,
    frames: bool,
}

impl Checker {
    /// Creates a strict and complete checker with the default limits.
    pub fn new() -> Self {
        Checker::default()
    }

    /// Sets the profile, which determines the severity of findings.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        Checker { profile, ..self }
    }

    /// Sets the depth of the check.
    #[must_use]
    pub fn depth(self, depth: Depth) -> Self {
        Checker { depth, ..self }
    }

    /// Sets the limits on the cost of checking a file.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Checker { limits, ..self }
    }

    /// Accepts Blosc2 frames that are not arrays. Everything else about the frame and its chunks is still checked.
    #[must_use]
    pub fn frames(self, accepted: bool) -> Self {
        Checker { frames: accepted, ..self }
    }

    /// Checks a file, an entry of an archive, or each member of an archive or store: see [`Report::parts`].
    ///
    /// # Errors
    /// As for [`check`].
    pub fn check(&self, path: impl AsRef<Path>) -> Result<Report> {
        let path = path.as_ref();
        match Input::find(path, self.limits) {
            Ok(Some(input)) => self.check_input(input),
            Ok(None) => match Archive::folder(path, self.limits) {
                Ok(archive) => self.check_archive(&archive),
                Err(error) => self.refused(error, None, 0),
            },
            Err(error) => self.refused(error, None, 0),
        }
    }

    /// Checks every member of an archive or store, and the structure of the archive. A member that cannot be unpacked is reported
    /// as a finding.
    ///
    /// # Errors
    /// As for [`check`].
    pub fn check_archive(&self, archive: &Archive<'_>) -> Result<Report> {
        let mut report = self.judge_archive(archive)?;
        if let Some(input) = archive.input() {
            self.react(input, archive.content(), &mut report)?;
        }
        Ok(report)
    }

    /// Checks every member of an archive, without the reaction of its reader.
    fn judge_archive(&self, archive: &Archive<'_>) -> Result<Report> {
        // The rules of such archives apply to the whole file.
        if let Some(file) = archive.file_of_tensors() {
            return self.check_file(file.again(self.limits)?);
        }
        // All members share one time limit.
        let checker = Checker { limits: self.limits.started(), ..*self };
        let mut report = Report::new(None, archive.length(), Vec::new(), self.profile);
        for (number, (member, loaded)) in archive.load_all(true).enumerate() {
            if let Err(error) = checker.limits.ensure_time().and_then(|()| archive.budget().ensure_time()) {
                report.add_finding(Finding::limit(&error), self.profile);
                break;
            }
            if number >= archive.members().len() {
                // This file is not a member, so findings about it belong to the archive.
                if let Err(Error::Invalid(flaw)) = loaded {
                    report.add_finding(archive.as_read(member, *flaw)?.0, self.profile);
                }
                continue;
            }
            let part = checker.check_member(archive, member, loaded)?;
            // A hostile archive has many members, each with many findings.
            if let Err(error) = archive.budget().take(part.held(), "the findings in an archive") {
                report.add_finding(Finding::limit(&error), self.profile);
                break;
            }
            report.add_part(member.shared_name(), part);
        }
        if let Some(input) = archive.input() {
            let own = if archive.is_foreign() { vec![unknown_format(input)?] } else { Vec::new() };
            let own = match Binding::of(input) {
                Some(binding) => binding.bind_all(own),
                None => own,
            };
            let own = own.into_iter().chain(not_compressed(input));
            own.for_each(|finding| report.add_finding(archive.weighed(finding), self.profile));
        }
        archive.findings().iter().for_each(|finding| report.add_finding(finding.clone(), self.profile));
        Ok(report)
    }

    /// Checks a member of an archive. If it breaks a rule of archives but the archive's reader accepts its content, the
    /// content is also checked.
    fn check_member(&self, archive: &Archive<'_>, member: &Member, loaded: Result<Input<'static>>) -> Result<Report> {
        let (flaw, content) = match loaded {
            Ok(input) => (None, Some(input)),
            Err(Error::Invalid(flaw)) => match archive.as_read(member, *flaw) {
                Ok((flaw, content)) => (Some(flaw), content),
                Err(error) => return self.refused(error, member.format(), member.length()),
            },
            Err(error) => return self.refused(error, member.format(), member.length()),
        };
        let Some(input) = content else {
            return Ok(Report::new(member.format(), member.length(), flaw.into_iter().collect(), self.profile));
        };
        let is_foreign = archive.takes_as_bytes(&input);
        let mut report = self.check_file(input)?;
        if is_foreign {
            report = report.accepted(self.profile);
        }
        if let Some(flaw) = flaw {
            report.add_finding(flaw, self.profile);
        }
        Ok(report)
    }

    /// Checks a zip archive.
    fn check_zip(&self, input: Input<'_>) -> Result<Report> {
        let size = input.length();
        let again = match input.again(self.limits) {
            Ok(again) => again,
            Err(error) => return self.refused(error, None, size),
        };
        match Archive::look(again.within(self.limits), self.limits) {
            Ok(archive) => self.check_archive(&archive),
            Err(error) => {
                let mut report = self.refused(error, None, size)?;
                self.react(&input, content_at_head(&input), &mut report)?;
                Ok(report)
            }
        }
    }

    /// The report for an input that cannot be opened because of its content.
    fn refused(&self, error: Error, format: Option<Format>, size: u64) -> Result<Report> {
        let finding = match error {
            Error::Invalid(finding) => *finding,
            error @ (Error::Limit { .. } | Error::Time { .. }) => Finding::limit(&error),
            error => return Err(error),
        };
        Ok(Report::new(format, size, vec![finding], self.profile))
    }

    /// Checks a file or an archive in memory.
    ///
    /// ```
    /// # use ndbytes::Checker;
    /// let cut = &std::fs::read("samples/surface.ra").unwrap()[..100];
    /// let report = Checker::new().check_slice(cut)?;
    /// let finding = &report.findings()[0];
    /// assert_eq!((finding.rule.id, finding.field.as_str(), finding.offset), ("rawarray/truncated-payload", "data", 100));
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    ///
    /// # Errors
    /// Never fails because of the content.
    pub fn check_slice(&self, bytes: &[u8]) -> Result<Report> {
        self.check_input(Input::from_slice(bytes, self.limits))
    }

    /// Checks a stream to its end.
    ///
    /// # Errors
    /// As for [`check`]. A stream that exceeds the limits is reported as a finding.
    pub fn check_reader(&self, reader: impl Read) -> Result<Report> {
        match Input::from_reader(reader, self.limits) {
            Ok(input) => self.check_input(input),
            Err(error) => self.refused(error, None, self.limits.memory),
        }
    }

    /// Checks a file by reading ranges of it.
    ///
    /// # Errors
    /// As for [`check`].
    pub fn check_source(&self, source: impl ReadRanges + 'static) -> Result<Report> {
        self.check_input(Input::from_source(source, self.limits)?)
    }

    /// Checks an open input, like [`Checker::check`].
    ///
    /// # Errors
    /// As for [`check`].
    pub fn check_input(&self, input: Input<'_>) -> Result<Report> {
        if is_archive(&input) {
            return self.check_zip(input);
        }
        self.check_file(input)
    }

    /// Checks a file that is not an archive, or an archive without members.
    fn check_file(&self, input: Input<'_>) -> Result<Report> {
        let size = input.length();
        match self.examine(input.within(self.limits), false) {
            Ok((report, _)) => Ok(report),
            Err(error) => self.refused(error, None, size),
        }
    }

    /// Checks an input that is not an archive and, on request, maps it.
    fn examine(&self, mut input: Input<'_>, map: bool) -> Result<(Report, Option<Result<Vec<Space>>>)> {
        let (size, mut findings, binding) = (input.length(), input.take_findings(), Binding::of(&input));
        findings.extend(not_compressed(&input));
        let excess = decoded::excess(&input, self.limits)?;
        let question = self.question(true, map);
        // Opening a second handle takes a third as long as checking a tiny file, so it is done only if the input is consumed.
        let is_used_up = map || is_packed(&input) && altered::may_be_altered(&input);
        let (mut examined, kept) = match is_used_up && self.depth == Depth::Payload {
            true => (self.answer(input.again(self.limits)?, question)?, Some(&input)),
            false => (self.answer(input, question)?, None),
        };
        findings.extend(excess);
        findings.extend(match binding {
            Some(binding) => binding.bind_all(examined.findings),
            None => examined.findings,
        });
        let returned = examined.input.take();
        // If python-blosc2 chooses how to read a file from its name, the file is not judged as a frame.
        if self.depth == Depth::Payload
            && findings.iter().any(|finding| finding.rule == &MISNAMED && finding.reference == Reference::Unforeseen)
            && let Some(suspect) = kept.or(returned.as_ref())
        {
            self.settle_by_name(suspect, &mut findings)?;
        }
        if self.depth == Depth::Payload
            && findings.iter().any(Finding::is_error)
            && let Some(suspect) = kept.or(returned.as_ref())
        {
            altered::explain(&suspect.again(self.limits)?, examined.format, &mut findings);
        }
        Ok((Report::new(examined.format, size, findings, self.profile), examined.spaces))
    }

    /// The request to a format: whether findings and a map are needed.
    fn question(&self, findings: bool, map: bool) -> Question {
        Question { findings, map, frames: self.frames }
    }

    /// Examines an input with the functions of its container or format.
    fn answer<'i>(&self, input: Input<'i>, question: Question) -> Result<Examined<'i>> {
        input.budget().ensure_time()?;
        if is_packed(&input) {
            return gzip::answer(input, self.depth, self.limits, question, &|input, question| {
                self.answer(input, question)
            });
        }
        if let Some(driver) = driver_of(&input) {
            return (driver.examine)(input, self.depth, self.limits, question);
        }
        Ok(Examined {
            format: None,
            findings: if question.findings { vec![unknown_format(&input)?] } else { Vec::new() },
            spaces: question.map.then(|| Ok(vec![input.space(0, "file", Nodes::new())?])),
            input: Some(input),
        })
    }

    /// Checks and maps an open input in a single pass. For an archive, the report has several parts, as in
    /// [`Checker::check`]. The map covers the archive's own bytes, with its first members as separate spaces.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read; [`Error::Limit`] if the map exceeds the memory limit.
    pub fn explain(&self, input: &Input<'_>) -> Result<(Report, ByteMap)> {
        if is_archive(input) {
            let report = self.check_zip(input.again(self.limits)?)?;
            return Ok((report, self.byte_map(input.again(self.limits)?)?));
        }
        let input = input.again(self.limits)?;
        let (report, spaces) = self.examine(input, true)?;
        let map = ByteMap::new(report.format, spaces.expect("a map was requested")?);
        Ok((report, map))
    }

    /// Maps every byte of an open input. A broken file is mapped up to and around the broken part.
    ///
    /// ```
    /// # use ndbytes::{Checker, Input, Limits};
    /// let input = Input::open("samples/digits-idx1-ubyte", Limits::default())?;
    /// let map = Checker::new().byte_map(input)?;
    /// let spans = map.spans();
    /// let fields: Vec<_> = spans.iter().map(|span| (span.path.as_str(), span.node.place())).collect();
    /// assert_eq!(fields[3..], [("dims[0]", 4..8), ("payload", 8..18)]);
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read.
    pub fn byte_map(&self, input: Input<'_>) -> Result<ByteMap> {
        let input = input.within(self.limits);
        if is_archive(&input) {
            return self.map_archive(&input);
        }
        let examined = self.answer(input, self.question(false, true))?;
        Ok(ByteMap::new(examined.format, examined.spaces.expect("a map was requested")?))
    }

    /// Maps an archive, with its first members as separate spaces.
    fn map_archive(&self, input: &Input<'_>) -> Result<ByteMap> {
        let mut room = MapBudget::new(input.budget());
        let mut spaces = vec![map::space(input, &mut room)?];
        if self.depth == Depth::Payload {
            self.map_members(input, &mut room, &mut spaces)?;
        }
        Ok(ByteMap::of_archive(spaces))
    }

    /// Adds the maps of the first members of an archive, unless they are too large. They share the memory left by the archive's
    /// map.
    fn map_members(&self, input: &Input<'_>, room: &mut MapBudget<'_>, spaces: &mut Vec<Space>) -> Result<()> {
        // The members share the memory that the archive's own map leaves.
        let limits = self.limits.memory(input.budget().left().saturating_sub(input.granted()));
        let checker = Checker { limits, ..*self };
        let archive = match Archive::read(input.again(limits)?, limits) {
            Ok(archive) => archive,
            Err(Error::Invalid(_) | Error::Limit { .. }) => return Ok(()),
            Err(error) => return Err(error),
        };
        let shown = archive.members().iter().filter(|member| member.length() <= LARGEST_SHOWN).take(SHOWN_MEMBERS);
        for member in shown {
            input.budget().ensure_time()?;
            let mapped = archive.load(member).and_then(|loaded| {
                checker.answer(loaded, checker.question(false, true))?.spaces.expect("a map was requested")
            });
            let mapped = match mapped {
                Ok(mapped) => mapped,
                Err(Error::Invalid(_) | Error::Limit { .. }) => continue,
                Err(error) => return Err(error),
            };
            if !mapped.iter().flat_map(|space| &space.nodes).all(|node| room.admit(node)) {
                break;
            }
            let opened = spaces.len() as u32;
            let ids: HashMap<u32, u32> = mapped.iter().zip(opened..).map(|(space, id)| (space.id, id)).collect();
            for mut space in mapped {
                space.title = match space.id {
                    0 => member.name().to_owned(),
                    _ => format!("{}, {}", member.name(), space.title),
                };
                space.renumber(&ids);
                spaces.push(space);
            }
            let Some(packed) = member.packed() else { continue };
            let archive = &mut spaces[0].nodes;
            let is_packed = |node: &Node<'_>| node.name() == "data" && node.start() == packed.start;
            let data = archive.iter().flat_map(Node::children).find(is_packed).map(Node::id);
            if let Some(data) = data {
                archive.edit(data).opens(opened);
            }
        }
        Ok(())
    }
}
