//! The guarantees for arbitrary bytes, whatever their format.

use crate::bounds::limits;
use crate::scratch;
use crate::share::{Question, Share};
use ndbytes::idv::{self, Table};
use ndbytes::{
    Array, ByteMap, Checker, Depth, Error, Finding, Format, Info, Input, Limits, Options, Profile, Report, Scope,
    Verdict, info,
};
use std::collections::BTreeMap;
use std::io::Read;

/// The number of bytes read when a file is opened. Only beyond that does reading a path differ from reading a slice.
pub const HEAD: usize = 4096;

/// Checks and reads bytes, and maps and describes a share of inputs. Returns the strict report.
pub fn examine(bytes: &[u8]) -> Report {
    examine_share(bytes, Share::of(bytes))
}

/// The same, but with the given share.
pub fn examine_share(bytes: &[u8], share: Share) -> Report {
    let checker = Checker::new().limits(limits());
    let report = judge(&checker, bytes, share);
    // An archive is judged member by member, and may have no members. There is no common map.
    if report.format.is_none() && is_archive(bytes, &report) {
        return report;
    }
    if share.asks(Question::Map) {
        map(Depth::Structure, limits(), bytes);
        place(&report, &map(Depth::Payload, limits(), bytes));
    }
    if share.asks(Question::Confined) {
        confine(&report, bytes);
    }
    if share.asks(Question::Structure) {
        let structure = checker.depth(Depth::Structure).check_slice(bytes).expect("bytes in memory can be read");
        assert!(structure.verdict() <= report.verdict(), "{structure:?} {report:?}");
        let content = open(limits(), &structure, &report, bytes);
        if share.asks(Question::Info) {
            compare_info(&structure, &report, content.as_ref(), bytes);
        }
    }
    report
}

/// Returns whether bytes without a format are an archive that can be opened. A request for its array is answered with
/// as many members as were checked. Everything else without a format has an error, and is refused. Members of a refused
/// archive are checked if a reader finds them nevertheless; the refusal is then one of the findings.
fn is_archive(bytes: &[u8], report: &Report) -> bool {
    let checked = report.parts().filter(|part| part.member.is_some()).count();
    let read = Array::read(Input::from_slice(bytes, limits()), &Options::new().limits(limits()));
    if let Err(Error::Archive { members, more }) = &read {
        assert!(members.len() + more == checked || is_limited(report), "{report:?} but {read:?}");
        return true;
    }
    let is_found = |rule: &str| report.findings().iter().any(|finding| finding.rule.id == rule);
    let is_told = checked == 0 || matches!(&read, Err(Error::Invalid(finding)) if is_found(finding.rule.id));
    assert!(read.is_err() && is_told && !is_accepted(report), "{report:?} but {read:?}");
    false
}

/// The opened content of a file.
enum Content<'a> {
    Array(Box<Array<'a>>),
    Table(Box<Table<'a>>),
}

/// Asserts that an array can be read if and only if there is no error. A table or a chunked array is opened if its
/// structure has no error.
fn open<'a>(limits: Limits, structure: &Report, report: &Report, bytes: &'a [u8]) -> Option<Content<'a>> {
    let array = Array::read(Input::from_slice(bytes, limits), &Options::new().limits(limits));
    assert!(!matches!(array, Err(Error::Archive { .. })), "{report:?} but {array:?}");
    if report.format != Some(Format::Idv) {
        let report = if report.format == Some(Format::B2nd) { structure } else { report };
        assert_eq!(array.is_ok(), is_accepted(report), "{report:?} but {array:?}");
        return array.ok().map(Box::new).map(Content::Array);
    }
    // The error of a refused envelope comes first.
    let is_of_envelope = |finding: &Finding| {
        let is_found = report.findings().iter().any(|found| found.rule.id == finding.rule.id);
        finding.rule.scope == Scope::Gzip && is_found
    };
    match &array {
        Err(Error::NoArray { format: Format::Idv }) => {}
        Err(Error::Invalid(finding)) if is_of_envelope(finding) => {}
        _ => panic!("{array:?}"),
    }
    let table = idv::Options::new().limits(limits).from_slice(bytes);
    assert_eq!(table.is_ok(), is_accepted(structure), "{structure:?} but {table:?}");
    table.ok().map(Box::new).map(Content::Table)
}

/// Asserts that findings are inside their spaces, if the spaces are mapped.
fn place(report: &Report, map: &ByteMap) {
    for finding in report.findings() {
        let space = map.spaces.iter().find(|space| space.id == finding.space);
        assert!(space.is_none_or(|space| finding.offset <= space.length), "{finding:?}");
    }
}

/// Returns whether nothing prevents reading.
pub fn is_accepted(report: &Report) -> bool {
    report.verdict() < Verdict::Error
}

/// Returns whether there was not enough memory for everything.
pub fn is_limited(report: &Report) -> bool {
    report.findings().iter().any(|finding| finding.rule.id == "limit-exceeded")
}

/// Asserts that a slice, a stream and a path have the same findings. The profiles may differ in severities.
fn judge(checker: &Checker, bytes: &[u8], share: Share) -> Report {
    let slice = checker.check_slice(bytes).expect("bytes in memory can be read");
    for finding in slice.findings() {
        assert!(finding.offset.checked_add(finding.length).is_some(), "{finding:?}");
    }
    if share.asks(Question::Stream) {
        let stream = checker.check_reader(Trickle(bytes)).expect("bytes in memory can be read");
        // The bytes of a stream are debited, so less memory is left for its content.
        match (is_limited(&slice), is_limited(&stream)) {
            (false, false) => assert_eq!(slice, stream),
            (slice, stream) => assert!(!slice || stream),
        }
    }
    if bytes.len() > HEAD && share.asks(Question::Path) {
        let path = scratch::path();
        std::fs::write(&path, bytes).expect("scratch files can be written");
        let path = checker.check(&path).expect("a file that was written can be read");
        // Chunks that are not in memory yet are copied, and debited.
        let is_copied = slice.format == Some(Format::B2nd) && is_limited(&path);
        assert!(slice == path || is_copied, "{slice:?} but {path:?}");
    }
    if share.asks(Question::Reference) {
        slice.findings().iter().for_each(|finding| assert!(!finding.to_string().is_empty()));
        let reference = checker.profile(Profile::Reference).check_slice(bytes).expect("bytes in memory can be read");
        let rules = |report: &Report| report.findings().iter().map(|finding| finding.rule.id).collect::<Vec<_>>();
        let (strict, reference) = (rules(&slice), rules(&reference));
        assert!(strict.iter().all(|rule| reference.contains(rule)), "{strict:?} {reference:?}");
    }
    slice
}

/// A stream that returns a few bytes at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(999);
        self.0.read(&mut buffer[..length])
    }
}

/// Maps bytes and asserts that the leaves of every space cover it.
pub fn map(depth: Depth, limits: Limits, bytes: &[u8]) -> ByteMap {
    let checker = Checker::new().depth(depth).limits(limits);
    let map = checker.byte_map(Input::from_slice(bytes, limits)).expect("bytes in memory can be read");
    tile(&map);
    assert_eq!(map.spaces[0].length, bytes.len() as u64);
    map
}

/// Asserts that the leaves of every space cover it without gaps or overlaps.
pub fn tile(map: &ByteMap) {
    let mut ends: BTreeMap<u32, u64> = map.spaces.iter().map(|space| (space.id, 0)).collect();
    assert_eq!(ends.len(), map.spaces.len(), "every space has a number of its own");
    for span in map.spans() {
        let end = ends.get_mut(&span.space).expect("every leaf stands in a space that there is");
        assert_eq!(span.node.start(), *end, "a hole or an overlap before {} in space {}", span.path, span.space);
        assert!(span.node.end() >= span.node.start(), "{} ends before it begins", span.path);
        *end = span.node.end();
    }
    for space in &map.spaces {
        assert_eq!(ends[&space.id], space.length, "space {} ends where its leaves do", space.id);
    }
}

/// Asserts that with very little memory, the findings are the same, or one of them is that the limit is exceeded.
/// If there is no memory to trace a structure or to read a name, a finding covers more bytes and is less precise.
fn confine(report: &Report, bytes: &[u8]) {
    let limits = Limits::default().memory(1 << 10);
    let checker = Checker::new().limits(limits);
    let check = |depth| checker.depth(depth).check_slice(bytes).expect("bytes in memory can be read");
    let (structure, confined) = (check(Depth::Structure), check(Depth::Payload));
    assert!(is_limited(&confined) || is_as_precise(&confined, report), "{confined:?} {report:?}");
    map(Depth::Payload, limits, bytes);
    open(limits, &structure, &confined, bytes);
}

/// Returns whether two reports have the same findings, except that findings in the first may cover more bytes.
fn is_as_precise(confined: &Report, report: &Report) -> bool {
    let about =
        |finding: &Finding| (finding.rule, finding.severity, finding.reference, finding.space, finding.field.clone());
    let agree = |(confined, other): (&Finding, &Finding)| {
        let (end, other_end) = (confined.offset + confined.length, other.offset + other.length);
        about(confined) == about(other) && confined.offset <= other.offset && end >= other_end
    };
    confined.findings().len() == report.findings().len() && confined.findings().iter().zip(report.findings()).all(agree)
}

/// Asserts that `info` describes readable files, and refuses broken structures and files that exceed the memory limit.
fn compare_info(structure: &Report, report: &Report, content: Option<&Content<'_>>, bytes: &[u8]) {
    let info = info(Input::from_slice(bytes, limits()), &limits());
    let is_limited = matches!(info, Err(Error::Limit { .. }));
    assert!(info.is_ok() == is_accepted(structure) || is_limited, "{info:?}, but {structure:?}");
    let (Ok(info), Some(content)) = (info, content) else { return };
    assert_eq!((Some(info.format), info.size), (report.format, report.size));
    match content {
        Content::Array(array) => describe_array(&info, array),
        Content::Table(table) => describe_table(&info, table),
    }
}

fn describe_array(info: &Info, array: &Array<'_>) {
    let described = info.array.as_ref().expect("the file holds an array");
    let shape: Vec<u64> = array.shape().iter().map(|&extent| extent as u64).collect();
    assert_eq!(described.shape, shape);
    assert_eq!(described.dtype, array.item_type().to_string());
}

fn describe_table(info: &Info, table: &Table<'_>) {
    let described = info.table.as_ref().expect("the file holds a table");
    assert_eq!((described.rows, described.columns.len()), (table.rows(), table.columns().len()));
    for (described, column) in described.columns.iter().zip(table.columns()) {
        assert_eq!((&described.name, described.readable), (&column.name(), column.is_readable()));
        assert_eq!((described.hidden, described.blocks), (column.is_hidden(), column.block_count() as u64));
        assert_eq!(described.annotations.len(), column.annotations().len());
    }
}
