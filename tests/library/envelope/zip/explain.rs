//! The byte maps of archives, valid and broken.

use ndbytes::{ByteMap, Checker, Depth, GAP, Input, Limits, Profile, Report, Verdict};
use ndbytes_testkit::allocations::peak_of;
use ndbytes_testkit::archives::{LOADER_SCHEMA, MAP, SCHEMA, TRAIN_SCHEMA, explain, model, rules_of, stream};
use ndbytes_testkit::corpus;
use ndbytes_testkit::share::is_whole;
use ndbytes_testkit::zip::{Entry, STORED, finish};
use std::collections::HashSet;

/// The archives in which every bit is flipped. The others are similar, so only a sample of bits is tried, which differs
/// from file to file, unless the run covers every position.
const CLOSELY: [&str; 2] = ["descriptor", "zip64"];

/// The memory limit for each archive, beyond its own length.
const MEMORY: u64 = 1 << 20;

#[test]
fn maps_of_archives_have_a_field_for_every_record_and_every_data() {
    let (report, map) = explain(&model(), Limits::default());
    assert_eq!((report.verdict(), report.parts().count()), (Verdict::Ok, 4));
    let spans = map.spans();
    let names: Vec<String> = spans
        .iter()
        .filter(|span| span.path.starts_with("directory") && span.path.ends_with(".name"))
        .map(|span| span.node.value().to_string())
        .collect();
    let quoted = |name: &str| format!("{name:?}");
    assert_eq!(
        names,
        ["TrainingInfo\\Version.txt", SCHEMA, TRAIN_SCHEMA, "TransformerChain\\Model.key", LOADER_SCHEMA, MAP]
            .map(quoted)
    );
    for number in 0..6 {
        for field in ["members[N].magic", "members[N].data", "directory[N].header_offset"] {
            let path = field.replace('N', &number.to_string());
            assert_eq!(spans.iter().filter(|span| span.path == path).count(), 1, "{path}");
        }
    }
    let data = |path| &spans.iter().find(|span| span.path == path).unwrap().node;
    assert_eq!(data("members[5].data").meaning(), "311 bytes: IDV");
    assert!(data("members[1].data").meaning().ends_with(" bytes, deflated, 311 bytes unpacked: IDV"));
    let own: Vec<_> = spans.iter().filter(|span| span.space == 0).collect();
    assert_eq!(own.last().unwrap().path, "end.comment_length");
    // Each member is in its own space, mapped as under its address.
    let titles: Vec<&str> = map.spaces[1..].iter().map(|space| space.title.as_str()).collect();
    assert_eq!(titles, [SCHEMA, TRAIN_SCHEMA, LOADER_SCHEMA, MAP]);
    let alone = Checker::new().byte_map(Input::from_slice(&stream(b'b'), Limits::default())).unwrap();
    assert_eq!(map.spaces[2].nodes, alone.spaces[0].nodes);
    assert_eq!(data("members[5].data").opens(), Some(4), "the data of an entry opens the space of its content");
    let checker = Checker::new().depth(Depth::Structure);
    let (_, structure) = checker.explain(&Input::from_slice(&model(), Limits::default())).unwrap();
    let own = |map: &ByteMap| -> Vec<(String, u64, u64)> {
        let spans = map.spans().into_iter().filter(|span| span.space == 0);
        spans.map(|span| (span.path, span.node.start(), span.node.end())).collect()
    };
    assert_eq!((structure.spaces.len(), own(&structure)), (1, own(&map)));
}

#[test]
fn an_archive_without_its_end_is_explained_up_to_the_break() {
    let bytes = model();
    let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    for length in [4, 20, 100, directory / 2, directory] {
        let (report, map) = explain(&bytes[..length], Limits::default());
        assert_eq!(rules_of(&report), ["zip/bad-directory"]);
        let spans = map.spans();
        assert!(spans[0].path.starts_with("members[0]"), "{}", spans[0].path);
        assert!(spans.iter().all(|span| span.node.name() != GAP), "{length}");
    }
}

/// Asks all questions about some bytes.
fn examine(bytes: &[u8], turn: usize, what: &dyn Fn() -> String) {
    let limits = Limits::default().memory(MEMORY);
    let (report, peak) = peak_of(|| explain(bytes, limits).0);
    assert!(peak <= 2 * MEMORY + 8 * bytes.len() as u64, "{}: {peak} bytes were allocated", what());
    for finding in report.findings().iter().filter(|finding| finding.rule.id.starts_with("zip/")) {
        assert!(finding.offset <= bytes.len() as u64, "{}: {finding:?}", what());
        assert!(finding.offset.checked_add(finding.length).is_some(), "{}: {finding:?}", what());
    }
    if turn.is_multiple_of(4) {
        // Anything that the format allows can be a finding only in profile reference.
        let rules = |report: &Report| -> Vec<_> {
            let rules = report.findings().iter().map(|finding| finding.rule);
            rules.filter(|rule| rule.severity.is_some()).map(|rule| rule.id).collect()
        };
        for depth in [Depth::Structure, Depth::Payload] {
            let checker = Checker::new().limits(limits).profile(Profile::Reference).depth(depth);
            let again = checker.check_slice(bytes).unwrap();
            assert!(depth == Depth::Structure || rules(&again) == rules(&report), "{}", what());
        }
    }
}

#[test]
fn archives_of_the_corpus_cut_everywhere() {
    for sample in corpus::samples().into_iter().filter(|sample| sample.format.is_none()) {
        let begins_as_archive = |bytes: &[u8]| bytes.len() >= 4;
        for length in (0..=sample.bytes.len()).filter(|&length| begins_as_archive(&sample.bytes[..length])) {
            examine(&sample.bytes[..length], length, &|| format!("{sample} cut to {length} bytes"));
        }
    }
}

#[test]
fn archives_of_the_corpus_with_bits_turned() {
    let samples = corpus::samples().into_iter().filter(|sample| sample.format.is_none());
    for (number, sample) in samples.enumerate() {
        let mut bytes = sample.bytes.clone();
        let is_close = CLOSELY.contains(&&*sample.name) || is_whole();
        let step = if is_close { 1 } else { 11 };
        // Without its first bytes, it is not an archive.
        for bit in (8 * 4..8 * bytes.len()).skip(number % step).step_by(step) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            examine(&bytes, bit / 8 + bit, &|| format!("{sample} with bit {} of byte {} turned", bit % 8, bit / 8));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn a_map_of_100000_entries_stays_within_the_limits() {
    let (mut entries, mut directory) = (Vec::new(), Vec::new());
    for number in 0..100_000_u32 {
        let empty = Entry::new(format!("{number:06}"), b"", STORED);
        directory.extend(empty.record(entries.len() as u32));
        entries.extend(empty.own());
    }
    let bytes = finish(entries, &directory, 100_000);
    let granted = 128 << 20;
    let ((report, map), peak) = peak_of(|| explain(&bytes, Limits::default().memory(granted)));
    assert_eq!(rules_of(&report), ["zip/too-many-entries"]);
    let spans = map.spans();
    assert!(spans.len() <= 1 << 16, "{} fields", spans.len());
    let shared: HashSet<&str> =
        spans.iter().map(|span| span.path.as_str()).filter(|path| path.contains("..")).collect();
    assert_eq!(shared.len(), 2, "{shared:?}");
    assert!(peak < granted, "{peak} bytes were allocated");
    // With little memory, there are fewer fields.
    for memory in [0, 1 << 10, 1 << 16, 1 << 20] {
        explain(&bytes, Limits::default().memory(memory));
    }
}
