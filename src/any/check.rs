//! Checking any file against all rules, and mapping its bytes.

use super::altered;
use super::decoded;
use super::gzip;
use super::named::{Binding, not_compressed};
use super::rooms::{room_of, unknown_format};
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::bytes::map::ByteMap;
use crate::bytes::map::MapBudget;
use crate::bytes::source::ReadRanges;
use crate::envelope::gzip::is_packed;
use crate::envelope::zip::{Archive, is_archive, map};
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::report::Report;
use crate::findings::rule::{Depth, Profile};
use crate::format::Format;
use crate::room::{Examined, Question};
use everybyte::Node;
use everybyte::map::{Nodes, Space};
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

/// The number of members of an archive that are mapped in spaces of their own: a reader looks at the first ones. The others are in
/// the archive's own map, as compressed bytes.
const SHOWN_MEMBERS: usize = 16;

/// The maximum number of bytes of a member that is mapped so, since it is unpacked for that.
const LARGEST_SHOWN: u64 = 16 << 20;

/// Checks a file of any format, or every member of an archive or of a store, strictly and in full.
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
/// [`Checker`] has the options, and takes bytes in memory, streams and sources as well.
///
/// # Errors
/// [`Error::Io`] if the file cannot be read. Flaws of its content are in the report.
pub fn check(path: impl AsRef<Path>, limits: &Limits) -> Result<Report> {
    Checker::new().limits(*limits).check(path)
}

/// A checker of files, with its options.
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
/// The guide has such a check in a web server: `examples/uploads` is a handler of axum.
///
/// # Look at many files quickly
///
/// The structure alone is checked at a cost that does not depend on the payload:
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
    /// Strict, in full, within the default limits.
    pub fn new() -> Self {
        Checker::default()
    }

    /// Chooses the profile that findings are weighed by.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        Checker { profile, ..self }
    }

    /// Chooses the scope of the check.
    #[must_use]
    pub fn depth(self, depth: Depth) -> Self {
        Checker { depth, ..self }
    }

    /// Sets limits on the cost of a file.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Checker { limits, ..self }
    }

    /// Takes a Blosc2 frame that is not an array for what it is: that it is not one is no finding. Everything else about the
    /// frame and its chunks is checked.
    #[must_use]
    pub fn frames(self, accepted: bool) -> Self {
        Checker { frames: accepted, ..self }
    }

    /// Checks a file, an entry of an archive, or each member of an archive or of a store: see [`Report::parts`].
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

    /// Checks every member of an archive, or of a store, and the structure of the archive. A member that cannot be unpacked
    /// is a finding.
    ///
    /// # Errors
    /// As for [`check`].
    pub fn check_archive(&self, archive: &Archive<'_>) -> Result<Report> {
        // All members together have one time.
        let checker = Checker { limits: self.limits.started(), ..*self };
        let mut report = Report::new(None, archive.length(), Vec::new(), self.profile);
        for (member, loaded) in archive.load_each() {
            if let Err(error) = checker.limits.ensure_time().and_then(|()| archive.budget().ensure_time()) {
                report.add_finding(Finding::limit(&error), self.profile);
                break;
            }
            let part = match loaded {
                Ok(input) => checker.check_file(input)?,
                Err(error) => self.refused(error, member.format(), member.length())?,
            };
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
            own.into_iter().chain(not_compressed(input)).for_each(|finding| report.add_finding(finding, self.profile));
        }
        archive.findings().iter().for_each(|finding| report.add_finding(finding.clone(), self.profile));
        Ok(report)
    }

    /// Checks a zip archive.
    fn check_zip(&self, input: Input<'_>) -> Result<Report> {
        let size = input.length();
        match Archive::read(input.within(self.limits), self.limits) {
            Ok(archive) => self.check_archive(&archive),
            Err(error) => self.refused(error, None, size),
        }
    }

    /// The report on an input whose content prevents opening it.
    fn refused(&self, error: Error, format: Option<Format>, size: u64) -> Result<Report> {
        let finding = match error {
            Error::Invalid(finding) => *finding,
            error @ (Error::Limit { .. } | Error::Time { .. }) => Finding::limit(&error),
            error => return Err(error),
        };
        Ok(Report::new(format, size, vec![finding], self.profile))
    }

    /// Checks a file, or an archive, that is in memory.
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

    /// Checks a file by way of its ranges.
    ///
    /// # Errors
    /// As for [`check`].
    pub fn check_source(&self, source: impl ReadRanges + 'static) -> Result<Report> {
        self.check_input(Input::from_source(source, self.limits)?)
    }

    /// Checks an open input, as [`Checker::check`] does.
    ///
    /// # Errors
    /// As for [`check`].
    pub fn check_input(&self, input: Input<'_>) -> Result<Report> {
        if is_archive(&input) {
            return self.check_zip(input);
        }
        self.check_file(input)
    }

    /// Checks what is no archive, or none that has members.
    fn check_file(&self, input: Input<'_>) -> Result<Report> {
        let size = input.length();
        match self.examine(input.within(self.limits), false) {
            Ok((report, _)) => Ok(report),
            Err(error) => self.refused(error, None, size),
        }
    }

    /// Checks and, if that is requested, maps an input that is not an archive.
    fn examine(&self, mut input: Input<'_>, map: bool) -> Result<(Report, Option<Result<Vec<Space>>>)> {
        let (size, mut findings, binding) = (input.length(), input.take_findings(), Binding::of(&input));
        findings.extend(not_compressed(&input));
        let excess = decoded::excess(&input, self.limits)?;
        let is_suspect = self.depth == Depth::Payload && altered::may_be_altered(&input);
        let question = self.question(true, map);
        let (examined, suspect) = match is_suspect {
            true => (self.answer(input.again(self.limits)?, question)?, Some(&input)),
            false => (self.answer(input, question)?, None),
        };
        findings.extend(excess);
        findings.extend(match binding {
            Some(binding) => binding.bind_all(examined.findings),
            None => examined.findings,
        });
        if let Some(suspect) = suspect {
            altered::explain(suspect, examined.format, &mut findings);
        }
        Ok((Report::new(examined.format, size, findings, self.profile), examined.spaces))
    }

    fn question(&self, findings: bool, map: bool) -> Question {
        Question { findings, map, frames: self.frames }
    }

    fn answer(&self, input: Input<'_>, question: Question) -> Result<Examined> {
        input.budget().ensure_time()?;
        if is_packed(&input) {
            let content = |input: Input<'_>, question: Question| self.answer(input, question);
            return gzip::answer(input, self.depth, self.limits, question, &content);
        }
        if let Some(room) = room_of(&input) {
            return (room.examine)(input, self.depth, self.limits, question);
        }
        Ok(Examined {
            format: None,
            findings: if question.findings { vec![unknown_format(&input)?] } else { Vec::new() },
            spaces: question.map.then(|| Ok(vec![input.space(0, "file", Nodes::new())?])),
        })
    }

    /// Checks and maps an open input, in one go: the file is examined once. Of an archive, the report is that of
    /// [`Checker::check`], in parts. The map is that of its own bytes, and of its first members in spaces of their own.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read, [`Error::Limit`] if there is no memory for the map.
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

    /// Maps every byte of an open input. A broken file is mapped up to and around the break.
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

    /// Maps an archive, and its first members in spaces of their own.
    fn map_archive(&self, input: &Input<'_>) -> Result<ByteMap> {
        let mut room = MapBudget::new(input.budget());
        let mut spaces = vec![map::space(input, &mut room)?];
        if self.depth == Depth::Payload {
            self.map_members(input, &mut room, &mut spaces)?;
        }
        Ok(ByteMap::of_archive(spaces))
    }

    fn map_members(&self, input: &Input<'_>, room: &mut MapBudget<'_>, spaces: &mut Vec<Space>) -> Result<()> {
        // The members have what memory the map of the archive leaves.
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
