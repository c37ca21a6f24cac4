//! What holds for any bytes, whatever format they are of.

use crate::{limits, scratch};
use ndbytes::{Array, ByteMap, Checker, Depth, Input, Limits, Profile, Report, Verdict, info};
use std::collections::BTreeMap;
use std::io::Read;

/// How much of a file is read when it is opened; only beyond that, a path is read in another way than a slice.
const HEAD: usize = 4096;

/// Checks, maps, describes and reads bytes in every way there is, and compares. Returns the strict report.
pub fn examine(bytes: &[u8]) -> Report {
    let checker = Checker::new().limits(limits());
    let structure = judge(&checker.depth(Depth::Structure), bytes);
    let report = judge(&checker, bytes);
    assert!(structure.verdict() <= report.verdict(), "{structure:?} {report:?}");
    map(Depth::Structure, limits(), bytes);
    map(Depth::Payload, limits(), bytes);
    confine(&report, bytes);

    let read = Array::read(Input::from_slice(bytes, limits()), limits());
    assert_eq!(read.is_ok(), is_accepted(&report), "{report:?} but {read:?}");
    compare_info(&structure, &report, read.ok().as_ref(), bytes);
    report
}

/// Whether nothing stands in the way of reading.
pub fn is_accepted(report: &Report) -> bool {
    report.verdict() < Verdict::Error
}

fn is_limited(report: &Report) -> bool {
    report.findings().iter().any(|finding| finding.rule.id == "limit-exceeded")
}

/// A slice, a stream and a path are found to be the same; the profiles differ in what counts, and how much.
fn judge(checker: &Checker, bytes: &[u8]) -> Report {
    let slice = checker.check_slice(bytes).expect("bytes in memory can be read");
    for finding in slice.findings() {
        assert!(!finding.to_string().is_empty());
        assert!(finding.offset.checked_add(finding.length).is_some(), "{finding:?}");
        assert!(finding.space > 0 || finding.offset <= bytes.len() as u64, "{finding:?}");
    }
    let stream = checker.check_reader(Trickle(bytes)).expect("bytes in memory can be read");
    // What a stream takes is debited, so it has less left for its content.
    match (is_limited(&slice), is_limited(&stream)) {
        (false, false) => assert_eq!(slice, stream),
        (slice, stream) => assert!(!slice || stream),
    }
    if bytes.len() > HEAD {
        let path = scratch::path();
        std::fs::write(&path, bytes).expect("scratch files can be written");
        assert_eq!(slice, checker.check(&path).expect("a file that was written can be read"));
    }
    let reference = checker.profile(Profile::Reference).check_slice(bytes).expect("bytes in memory can be read");
    let rules = |report: &Report| report.findings().iter().map(|finding| finding.rule.id).collect::<Vec<_>>();
    let (strict, reference) = (rules(&slice), rules(&reference));
    assert!(strict.iter().all(|rule| reference.contains(rule)), "{strict:?} {reference:?}");
    slice
}

/// A stream that gives few bytes at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(999);
        self.0.read(&mut buffer[..length])
    }
}

/// The byte map of bytes; the leaves of every space tile it.
pub fn map(depth: Depth, limits: Limits, bytes: &[u8]) -> ByteMap {
    let checker = Checker::new().depth(depth).limits(limits);
    let map = checker.byte_map(Input::from_slice(bytes, limits)).expect("bytes in memory can be read");
    let mut ends: BTreeMap<u32, u64> = map.spaces.iter().map(|space| (space.id, 0)).collect();
    assert_eq!(ends.len(), map.spaces.len(), "every space has a number of its own");
    for span in map.spans() {
        let end = ends.get_mut(&span.space).expect("every leaf stands in a space that there is");
        assert_eq!(span.node.start, *end, "a hole or an overlap before {} in space {}", span.path, span.space);
        assert!(span.node.end >= span.node.start, "{} ends before it begins", span.path);
        *end = span.node.end;
    }
    for space in &map.spaces {
        assert_eq!(ends[&space.id], space.length, "space {} ends where its leaves do", space.id);
    }
    assert_eq!(map.spaces[0].length, bytes.len() as u64);
    map
}

/// With next to no memory, the findings are the same, or one of them is that there is not enough.
fn confine(report: &Report, bytes: &[u8]) {
    let limits = Limits::default().memory(1 << 10);
    let confined = Checker::new().limits(limits).check_slice(bytes).expect("bytes in memory can be read");
    assert!(is_limited(&confined) || confined == *report, "{confined:?} {report:?}");
    map(Depth::Payload, limits, bytes);
    let read = Array::read(Input::from_slice(bytes, limits), limits);
    assert_eq!(read.is_ok(), is_accepted(&confined), "{confined:?} but {read:?}");
}

/// `info` describes what can be read, and refuses what has a broken structure.
fn compare_info(structure: &Report, report: &Report, array: Option<&Array<'_>>, bytes: &[u8]) {
    let info = info(Input::from_slice(bytes, limits()), &limits());
    assert_eq!(info.is_ok(), is_accepted(structure), "{structure:?}");
    let (Ok(info), Some(array)) = (info, array) else { return };
    let described = info.array.expect("both formats hold arrays");
    let shape: Vec<u64> = array.shape().iter().map(|&extent| extent as u64).collect();
    assert_eq!(described.shape, shape);
    assert_eq!(described.dtype, array.dtype().descr());
    assert_eq!((Some(info.format), info.size), (report.format, report.size));
}
