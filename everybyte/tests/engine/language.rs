//! Declarations that state more than their fields: computed numbers, texts, sizes, checksums and rules.

use everybyte::bits::*;
use everybyte::sums::{adler32, crc32};
use everybyte::{
    Endian, Finding, Format, Source,
    bytes::Bytes,
    check,
    error::Problem,
    examination::Examination,
    explain,
    finding::Severity,
    format::rewrite,
    fuzzing, layout,
    list::filling,
    read,
    text::{Ascii, Latin1, Padded, Text},
    view::ByteOrder,
    write,
};
use std::collections::HashSet;

/// Returns the rules and the fields of findings.
fn rules(findings: &[Finding]) -> Vec<(&str, &str)> {
    findings.iter().map(|finding| (finding.rule.as_str(), finding.path.as_str())).collect()
}

/// A list of names, and where it is.
#[layout]
#[brw(little, magic = b"NAME")]
struct Names {
    /// Bytes of the file.
    #[br(temp)]
    #[layout(extent = "magic..names")]
    length: u32,
    /// The offset of the names.
    #[br(temp)]
    #[layout(place = names)]
    offset: u16,
    /// Bytes after the count.
    #[br(temp)]
    #[layout(place = names, after = count)]
    distance: u8,
    #[br(temp)]
    #[brw(big)]
    #[layout(extent = names)]
    size: u16,
    #[br(temp)]
    count: u16,
    author: Text<Latin1, Padded<6, b' '>>,
    #[br(count = count)]
    names: Vec<Name>,
}

#[layout]
struct Name {
    #[br(temp)]
    length: u8,
    #[br(count = length)]
    name: Text,
}

impl Format for Names {
    const NAME: &'static str = "names";
}

const NAMES: &[u8] = b"NAME\x1b\0\0\0\x15\0\x06\0\x06\x02\0J\xf6rg  \x02ab\x02\xc3\xa9";

fn names() -> Names {
    let names = ["ab", "é"].map(|name| Name { name: name.into() });
    Names { author: "Jörg".try_into().unwrap(), names: names.into() }
}

#[test]
fn a_value_is_written_with_lengths_places_and_counts_that_follow() {
    let written = write(&names(), Endian::Big).unwrap();
    assert_eq!(written, NAMES);
    assert_eq!(check::<Names>(&written), []);
    assert_eq!(read::<Names>(Source::new(&written), Endian::Big, ()).unwrap(), names());
    assert!(explain::<Names>(&written).to_string().contains("\"Jörg\""));
}

#[test]
fn a_value_is_written_as_it_was_read() {
    // Padding of another kind is kept.
    let mut file = NAMES.to_vec();
    file[19] = b'\0';
    let value: Names = read(Source::new(&file), Endian::Little, ()).unwrap();
    assert_eq!(write(&value, Endian::Little).unwrap(), file);
    assert_eq!(rewrite::<Names>(&file).unwrap(), file);
}

#[test]
fn a_number_that_is_computed_has_room_or_is_an_error() {
    let long = "x".repeat(256);
    let name = Name { name: long.as_str().into() };
    let error = write(&name, Endian::Little).unwrap_err();
    assert!(error.to_string().contains("256 does not fit into `length`"), "{error}");
}

#[test]
fn a_text_of_other_bytes_is_a_finding_and_is_kept() {
    let mut file = NAMES.to_vec();
    file[25] = b'x';
    file[26] = 0xff;
    assert_eq!(rules(&check::<Names>(&file[..])), [("encoding", "names[1].name")]);
    let value: Names = read(Source::new(&file), Endian::Little, ()).unwrap();
    assert_eq!((value.names[1].name.text(), value.names[1].name.bytes()), (None, &b"x\xff"[..]));
    assert_eq!(write(&value, Endian::Little).unwrap(), file);
}

#[test]
fn a_text_refuses_what_does_not_fit() {
    let refused = Text::<Ascii>::try_from("é").unwrap_err();
    assert_eq!(refused.to_string(), "\"é\" has characters that ASCII cannot encode");
    let refused = Text::<Latin1, Padded<2, 0>>::try_from("abc").unwrap_err();
    assert_eq!(refused.to_string(), "\"abc\" takes 3 bytes, but there is room for 2");
    assert_eq!(Text::<Latin1, Padded<2, 0>>::default().bytes(), [0, 0]);
}

/// Chunks up to the end of the file.
#[layout]
#[brw(big)]
struct Chunks {
    #[br(parse_with = filling(u64::MAX))]
    chunks: Vec<Chunk>,
}

#[layout]
#[brw(big)]
struct Chunk {
    /// Bytes of the body.
    #[br(temp)]
    length: u16,
    #[layout(fact)]
    kind: u8,
    #[br(args(kind))]
    #[layout(size = length)]
    body: Body,
    #[br(temp)]
    #[layout(check_of = "kind..body", sum = crc32)]
    crc: u32,
}

#[layout]
#[brw(big)]
#[br(import(kind: u8))]
enum Body {
    #[br(pre_assert(kind == 0))]
    Header {
        #[layout(rule("chunks/width", error, width > 0, "a width of {width} has no pixels"))]
        width: u16,
        #[layout(rule("chunks/depth", warning, depth.is_power_of_two(), "a depth of {} is unusual", depth))]
        #[layout(rule("chunks/deep", error, u16::from(depth) <= width, "it is deeper than wide"))]
        depth: u8,
    },
    #[br(pre_assert(kind == 1))]
    List {
        #[br(parse_with = filling(u64::MAX))]
        chunks: Vec<Chunk>,
    },
    #[br(pre_assert(kind > 1))]
    Other {
        #[br(parse_with = filling(u64::MAX))]
        bytes: Vec<u8>,
    },
}

impl Format for Chunks {
    const NAME: &'static str = "chunks";

    const BYTE_ORDER: ByteOrder = ByteOrder::Big;
}

fn chunks() -> Chunks {
    let header = |width, depth| Chunk { kind: 0, body: Body::Header { width, depth } };
    let list = Body::List { chunks: vec![header(500, 2), header(7, 1)] };
    let other = Body::Other { bytes: b"more".to_vec() };
    Chunks { chunks: vec![header(3, 2), Chunk { kind: 1, body: list }, Chunk { kind: 9, body: other }] }
}

#[test]
fn a_structure_of_a_stated_size_is_written_with_its_size_and_its_sum() {
    let file = write(&chunks(), Endian::Big).unwrap();
    assert_eq!(file[..6], [0, 3, 0, 0, 3, 2]);
    assert_eq!(file[6..10], crc32(&[0, 0, 3, 2]).to_be_bytes());
    assert_eq!(check::<Chunks>(&file), []);
    assert_eq!(read::<Chunks>(Source::new(&file), Endian::Big, ()).unwrap(), chunks());
    assert_eq!(rewrite::<Chunks>(&file).unwrap(), file);
    let map = explain::<Chunks>(&file).to_string();
    assert!(map.contains("chunks[1].body.chunks[0].body.width"), "{map}");
}

#[test]
fn surplus_bytes_of_a_structure_are_a_finding_and_have_no_place_in_a_value() {
    let mut file = vec![0, 5, 0, 0, 3, 2, b'?', b'!'];
    file.extend(crc32(&file[2..]).to_be_bytes());
    let findings = check::<Chunks>(&file);
    assert_eq!(rules(&findings), [("surplus", "chunks[0].body.surplus")]);
    assert_eq!((findings[0].bytes.clone(), findings[0].severity), (6..8, Severity::Error));
    assert_eq!(findings[0].message, "`body` takes 3 of its 5 bytes");
    let explained = explain::<Chunks>(&file);
    let surplus = explained.spaces[0].nodes.all().find(|node| node.name() == "surplus").unwrap();
    assert_eq!((surplus.type_name(), surplus.meaning().as_ref()), ("bytes", "2 bytes"));
    let problem = rewrite::<Chunks>(&file).unwrap_err().problem;
    assert_eq!(problem, Problem::Invalid("`body` takes 3 of its 5 bytes".into()));
}

#[test]
fn a_structure_that_needs_more_than_its_size_is_an_error() {
    let file = [0, 2, 0, 0, 3, 2, 1, 1, 1, 1, 1, 1];
    let findings = check::<Chunks>(&file);
    assert_eq!(rules(&findings), [("truncated", "chunks[0].body.depth")]);
    assert_eq!(findings[0].message, "1 byte is needed here, but of the size around it only 0 bytes are left");
    let error = read::<Chunks>(Source::new(&file), Endian::Big, ()).unwrap_err();
    assert_eq!((error.path.as_str(), error.problem), ("chunks[0].body.depth", Problem::Beyond { needed: 1, left: 0 }));
    // A size that exceeds the space.
    assert_eq!(rules(&check::<Chunks>(&[0, 9, 0, 0, 3, 2])), [("too-many", "chunks[0].body")]);
}

#[test]
fn a_wrong_sum_is_a_finding_wherever_it_stands() {
    let file = write(&chunks(), Endian::Big).unwrap();
    let mut wrong = file.clone();
    wrong[8] ^= 1;
    let last = wrong.len() - 1;
    wrong[last] ^= 1;
    let findings = check::<Chunks>(&wrong);
    assert_eq!(rules(&findings), [("checksum", "chunks[0].crc"), ("checksum", "chunks[2].crc")]);
    assert_eq!(findings[0].bytes, 6..10);
    assert_eq!(findings[0].message, format!("the crc32 of 4 bytes is {:#x}", crc32(&[0, 0, 3, 2])));
    // Writing corrects it.
    assert_eq!(rewrite::<Chunks>(&wrong).unwrap(), file);
}

#[test]
fn rules_and_sums_hold_for_elements_without_nodes_of_their_own() {
    let chunk = |depth| Chunk { kind: 0, body: Body::Header { width: 9, depth } };
    let many: Vec<Chunk> = (0..100).map(|place| chunk(if place == 90 { 3 } else { 4 })).collect();
    let mut file = write(&Chunks { chunks: many }, Endian::Big).unwrap();
    file[80 * 10 + 9] ^= 1;
    let findings = check::<Chunks>(&file);
    assert_eq!(rules(&findings), [("checksum", "chunks"), ("chunks/depth", "chunks")]);
    assert_eq!((findings[0].bytes.start, findings[1].bytes.clone()), (80 * 10 + 6, 905..906));
}

#[test]
fn rules_of_fields_are_findings_with_their_severity() {
    let header = Chunk { kind: 0, body: Body::Header { width: 0, depth: 3 } };
    let file = write(&Chunks { chunks: vec![header] }, Endian::Big).unwrap();
    let findings = check::<Chunks>(&file);
    let found: Vec<_> =
        findings.iter().map(|it| (it.rule.as_str(), it.path.as_str(), it.severity, it.message.as_str())).collect();
    let (width, depth) = ("chunks[0].body.width", "chunks[0].body.depth");
    assert_eq!(
        found,
        [
            ("chunks/width", width, Severity::Error, "a width of 0 has no pixels"),
            ("chunks/depth", depth, Severity::Warning, "a depth of 3 is unusual"),
            ("chunks/deep", depth, Severity::Error, "it is deeper than wide"),
        ]
    );
    assert_eq!(findings[0].bytes, 3..5);
    // Violations do not stop a plain read.
    assert!(read::<Chunks>(Source::new(&file), Endian::Big, ()).is_ok());
}

/// A sum before its bytes, a sum of a sum, and a number that the value has: a lie, if need be.
#[layout]
#[brw(big)]
struct Summed {
    #[br(temp)]
    #[brw(little)]
    #[layout(check_of = "inner..body", sum = adler32)]
    outer: u32,
    #[br(temp)]
    #[layout(check_of = body, sum = crc32)]
    inner: u32,
    #[layout(extent = body)]
    length: u8,
    #[br(count = 3)]
    body: Vec<u8>,
}

#[test]
fn a_sum_of_a_sum_comes_after_it_and_a_number_of_the_value_is_written_as_it_is() {
    let file = write(&Summed { length: 77, body: b"abc".to_vec() }, Endian::Big).unwrap();
    assert_eq!(file[4..8], crc32(b"abc").to_be_bytes());
    assert_eq!(file[..4], adler32(&file[4..]).to_le_bytes());
    assert_eq!(file[8..], *b"\x4dabc");
}

/// A sum over bytes that the value does not have.
#[layout]
#[brw(big)]
struct Unowned {
    #[br(args { length: 3 })]
    body: Bytes,
    #[br(temp)]
    #[layout(check_of = body, sum = crc32)]
    crc: u32,
}

#[test]
fn a_sum_of_bytes_that_the_value_does_not_have_is_not_written() {
    let value: Unowned = read(Source::new(b"abc\0\0\0\0"), Endian::Big, ()).unwrap();
    let error = write(&value, Endian::Big).unwrap_err();
    assert!(error.to_string().contains("the bytes of a checksum are not in the value"), "{error}");
}

/// An assertion, a code, a condition, a count, an optional field and bytes that are not loaded.
#[layout]
#[brw(little, magic = b"MADE")]
struct Made {
    #[br(assert(version == 3, "version {version} is not known"))]
    version: u16,
    unit: Unit,
    has_name: u8,
    #[br(if(has_name == 1))]
    name: Option<Counted>,
    #[layout(rule("made/level", error, (10..20).contains(&level), "a level of {level} is none"))]
    level: u16,
    length: u8,
    #[br(args { length: length.into() })]
    bytes: Bytes,
    #[br(parse_with = filling(u64::MAX))]
    chunks: Vec<Chunk>,
}

#[layout]
struct Counted {
    #[br(temp)]
    length: u8,
    #[br(count = length)]
    text: Text,
}

#[layout]
#[brw(repr = u8)]
enum Unit {
    Number = 1,
    Seconds = 2,
}

impl Format for Made {
    const NAME: &'static str = "made";
}

#[test]
fn files_that_are_made_of_a_declaration_are_valid_nine_times_of_ten() {
    fuzzing::values::<Made>(300);
    fuzzing::values::<Chunks>(300);
    fuzzing::values::<Names>(300);
}

#[test]
fn files_that_are_made_of_a_declaration_differ_and_have_all_that_it_knows() {
    let files: Vec<Vec<u8>> = (1..=100).filter_map(fuzzing::file::<Made>).collect();
    assert_eq!(fuzzing::file::<Made>(1), fuzzing::file::<Made>(1));
    let distinct: HashSet<&Vec<u8>> = files.iter().collect();
    assert!(distinct.len() > 90, "{}", distinct.len());
    let read: Vec<Made> = files.iter().map(|file| read(Source::new(file), Endian::Little, ()).unwrap()).collect();
    let all = |test: &dyn Fn(&Made) -> bool| read.iter().filter(|made| test(made)).count();
    for (what, found) in [
        ("names", all(&|made| made.name.is_some())),
        ("no names", all(&|made| made.name.is_none())),
        ("bytes", all(&|made| made.length > 0)),
        ("headers", all(&|made| made.chunks.iter().any(|chunk| matches!(chunk.body, Body::Header { .. })))),
        ("lists", all(&|made| made.chunks.iter().any(|chunk| matches!(chunk.body, Body::List { .. })))),
        ("others", all(&|made| made.chunks.iter().any(|chunk| matches!(chunk.body, Body::Other { .. })))),
    ] {
        assert!(found > 5, "{what}: {found} of {}", read.len());
    }
}

/// A rule about two fields that are hardly ever equal.
#[layout]
struct Unmet {
    first: u64,
    second: u64,
}

impl Format for Unmet {
    const NAME: &'static str = "unmet";

    fn examine(&self, file: &mut Examination<'_>) {
        if self.first != self.second {
            file.finding("unmet/equal", "second", "it is not the first");
        }
    }
}

#[test]
#[should_panic(expected = "only 5 of 20 files that were made are valid")]
fn values_fails_if_files_are_hardly_ever_valid() {
    fuzzing::values::<Unmet>(20);
}

/// A header whose bits rules say, and a code among them.
#[layout]
#[brw(big)]
struct Signal {
    channels: u8,
    #[layout(rule("signal/sync", error, head.sync() == 0x2ABC && head.channels() == channels & 3, "no head"))]
    #[layout(rule("signal/order", error, head.order() == Order::SWAPPED || head.order().name().is_none(), "no order"))]
    head: Head,
}

/// Bits.
#[layout(bits = 24)]
struct Head {
    channels: B2,
    order: Order,
    spare: B6,
    sync: B14,
}

everybyte::codes! {
    /// The order of two samples.
    struct Order(u8) in 2 bits {
        /// As they came.
        PLAIN = 0 => "plain";
        /// The second one first.
        SWAPPED = 1 => "swapped";
    }
}

impl Format for Signal {
    const NAME: &'static str = "signal";
}

#[test]
fn runs_of_bits_that_rules_ask_for_are_made() {
    for seed in 1..=100 {
        let file = fuzzing::file::<Signal>(seed).unwrap();
        assert_eq!(check::<Signal>(&file), [], "seed {seed}");
        let signal: Signal = read(Source::new(&file), Endian::Big, ()).unwrap();
        assert_eq!((signal.head.sync(), signal.head.channels()), (0x2ABC, signal.channels & 3));
    }
}

/// A text with a grammar that is not declared.
#[layout]
#[brw(big)]
struct Formula {
    #[br(temp)]
    length: u16,
    #[layout(examples("1+1", "2*(3+4)"), examples("x"))]
    #[layout(rule("formula/grammar", error, text.bytes().ends_with(b"1") || text.bytes().ends_with(b")"), "no formula"))]
    #[br(count = length)]
    text: Text,
}

impl Format for Formula {
    const NAME: &'static str = "formula";
}

#[test]
fn texts_of_which_there_are_examples_are_made() {
    let files: HashSet<Vec<u8>> = (1..=100).map(|seed| fuzzing::file::<Formula>(seed).unwrap()).collect();
    for text in ["1+1", "2*(3+4)"] {
        assert!(files.contains(&[&[0, text.len() as u8], text.as_bytes()].concat()), "{files:?}");
    }
    assert!(files.iter().all(|file| check::<Formula>(file).is_empty()), "{files:?}");
}
