//! IDV streams in zip archives: found, addressed, checked; and archives that were made to hurt.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

#[path = "support/allocations.rs"]
mod allocations;
mod support;

use allocations::peak_of;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use ndbytes::archive as rules;
use ndbytes::{
    Archive, Array, Checked, Checker, Depth, Error, Format, Input, Limits, Profile, Report, Rule, Severity, Verdict,
    idv,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use support::tool::{self, Ended, command_in};
use tempfile::TempDir;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// An IDV stream by hand: one column of nine flags, whose name is one letter.
fn stream(column: u8) -> Vec<u8> {
    let mut bytes = b"CML\0DVB\0".to_vec();
    bytes.extend([6, 0, 1, 0, 1, 0, 1, 0].repeat(2)); // version, and the lowest that can read it: 1.1.1.6
    bytes.extend(274_u64.to_le_bytes()); // the table of columns
    bytes.extend(303_u64.to_le_bytes()); // the tail
    bytes.extend(9_u64.to_le_bytes()); // rows
    bytes.extend(1_u32.to_le_bytes()); // columns
    bytes.resize(256, 0);
    bytes.extend([0x16, 0x01]); // the block
    bytes.extend(256_u64.to_le_bytes()); // the lookup table: where the block stands, its length stored and unpacked
    bytes.extend([2, 0, 0, 0, 2, 0, 0, 0]);
    bytes.extend([1, column]); // the column's name
    bytes.extend(b"\x07Boolean\0");
    bytes.extend([0, 9]); // not compressed, nine rows in a block
    bytes.extend(258_u64.to_le_bytes()); // the lookup table
    bytes.extend(0_u64.to_le_bytes()); // no annotations
    bytes.extend(b"\0BVD\0LMC");
    bytes
}

/// The stream behind its length, as some of ML.NET's loaders save it.
fn prefixed(stream: &[u8]) -> Vec<u8> {
    [&(stream.len() as i32).to_le_bytes(), stream].concat()
}

fn deflate(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn crc(content: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(content);
    crc.sum()
}

/// An entry of an archive, with everything that can be wrong about it.
#[derive(Clone)]
struct Entry {
    name: Vec<u8>,
    /// The name in the entry's own header.
    own_name: Vec<u8>,
    data: Vec<u8>,
    method: u16,
    own_method: u16,
    flags: u16,
    crc: u32,
    packed: u64,
    length: u64,
    /// Where the directory says that it begins, if not where it does.
    start: Option<u32>,
    /// Whether the lengths stand in the extra field of large archives.
    is_large: bool,
}

impl Entry {
    fn new(name: impl AsRef<[u8]>, content: &[u8], method: u16) -> Self {
        let name = name.as_ref().to_vec();
        let data = if method == STORED { content.to_vec() } else { deflate(content) };
        let (packed, length) = (data.len() as u64, content.len() as u64);
        Entry {
            own_name: name.clone(),
            name,
            data,
            method,
            own_method: method,
            flags: 0,
            crc: crc(content),
            packed,
            length,
            start: None,
            is_large: false,
        }
    }

    fn deflated(name: impl AsRef<[u8]>, content: &[u8]) -> Self {
        Entry::new(name, content, DEFLATED)
    }

    fn but(mut self, change: impl FnOnce(&mut Entry)) -> Self {
        change(&mut self);
        self
    }

    /// What stands in both headers: flags to lengths.
    fn shared(&self, method: u16) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend([20, 0]); // version that is needed
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(method.to_le_bytes());
        bytes.extend([0; 4]); // time and date
        bytes.extend(self.crc.to_le_bytes());
        let lengths = [self.packed, self.length].map(|length| if self.is_large { u32::MAX } else { length as u32 });
        bytes.extend(lengths.into_iter().flat_map(u32::to_le_bytes));
        bytes
    }

    fn extra(&self) -> Vec<u8> {
        if !self.is_large {
            return Vec::new();
        }
        let mut bytes = vec![1, 0, 16, 0];
        bytes.extend([self.length, self.packed].into_iter().flat_map(u64::to_le_bytes));
        bytes
    }

    fn own(&self) -> Vec<u8> {
        let (name, extra) = (&self.own_name, self.extra());
        let lengths = [(name.len() as u16).to_le_bytes(), (extra.len() as u16).to_le_bytes()].concat();
        [b"PK\x03\x04", &self.shared(self.own_method)[..], &lengths, name, &extra, &self.data].concat()
    }

    fn record(&self, start: u32) -> Vec<u8> {
        let (name, extra) = (&self.name, self.extra());
        let mut bytes = b"PK\x01\x02\x14\x00".to_vec();
        bytes.extend(self.shared(self.method));
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend((extra.len() as u16).to_le_bytes());
        bytes.extend([0; 10]); // comment, disk, attributes
        bytes.extend(self.start.unwrap_or(start).to_le_bytes());
        [bytes, name.clone(), extra].concat()
    }
}

/// An archive of these entries.
fn zip(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for entry in entries {
        directory.extend(entry.record(bytes.len() as u32));
        bytes.extend(entry.own());
    }
    finish(bytes, &directory, entries.len() as u64)
}

/// The entries, their directory, and the last record; of a large archive, with the two records before it.
fn finish(entries: Vec<u8>, directory: &[u8], number: u64) -> Vec<u8> {
    let (start, length) = (entries.len() as u64, directory.len() as u64);
    let mut bytes = [entries, directory.to_vec()].concat();
    let large = bytes.len() as u64;
    let is_large = number > 0xFFFF;
    if is_large {
        bytes.extend(b"PK\x06\x06");
        bytes.extend(44_u64.to_le_bytes());
        bytes.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([number, number, length, start].into_iter().flat_map(u64::to_le_bytes));
        bytes.extend(b"PK\x06\x07\0\0\0\0");
        bytes.extend(large.to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
    }
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([number.min(0xFFFF) as u16; 2].into_iter().flat_map(u16::to_le_bytes));
    let place = if is_large { [u32::MAX; 2] } else { [length as u32, start as u32] };
    bytes.extend(place.into_iter().flat_map(u32::to_le_bytes));
    bytes.extend([0; 2]); // comment
    bytes
}

const SCHEMA: &str = "Schema";
const TRAIN_SCHEMA: &str = "TransformerChain\\Transform_000\\TrainSchema";
const LOADER_SCHEMA: &str = "DataLoaderModel\\Loader\\Schema.idv";
const MAP: &str = "TransformerChain\\Transform_001\\DefaultMap.idv";

/// An archive as ML.NET makes them.
fn model() -> Vec<u8> {
    zip(&[
        Entry::deflated("TrainingInfo\\Version.txt", b"1.7.0\r\n"),
        Entry::deflated(SCHEMA, &stream(b'a')),
        Entry::deflated(TRAIN_SCHEMA, &stream(b'b')),
        Entry::deflated("TransformerChain\\Model.key", &[7; 300]),
        Entry::deflated(LOADER_SCHEMA, &prefixed(&stream(b'c'))),
        Entry::new(MAP, &stream(b'd'), STORED),
    ])
}

/// A folder with files.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn address(folder: &TempDir, archive: &str, entry: &str) -> PathBuf {
    folder.path().join(format!("{archive}!{entry}"))
}

fn open(bytes: &[u8]) -> ndbytes::Result<Archive<'_>> {
    open_within(bytes, Limits::default())
}

fn open_within(bytes: &[u8], limits: Limits) -> ndbytes::Result<Archive<'_>> {
    Archive::read(Input::from_slice(bytes, limits), limits)
}

/// Every stream of an archive: its name, and its bytes or the rule that stands in the way.
fn contents(bytes: &[u8]) -> Vec<(String, Result<Vec<u8>, &'static str>)> {
    let archive = open(bytes).unwrap();
    let load = |(stream, loaded): (&ndbytes::archive::Stream, ndbytes::Result<Input<'static>>)| {
        let loaded = loaded.map(|input| input.bytes().unwrap().to_vec());
        (stream.name().to_owned(), loaded.map_err(|error| error.finding().unwrap_or_else(|| panic!("{error}")).rule.id))
    };
    archive.load_each().map(load).collect()
}

fn reports(path: &Path) -> Vec<(String, Report)> {
    match Checker::new().check_path(path).unwrap() {
        Checked::File(report) => vec![(path.display().to_string(), report)],
        Checked::Archive(reports) => {
            reports.into_iter().map(|(address, report)| (address.display().to_string(), report.unwrap())).collect()
        }
    }
}

fn rules_of(report: &Report) -> Vec<&'static str> {
    report.findings().iter().map(|finding| finding.rule.id).collect()
}

#[test]
fn streams_are_found_by_content() {
    let model = model();
    let found = contents(&model);
    let expected = [(SCHEMA, b'a'), (TRAIN_SCHEMA, b'b'), (LOADER_SCHEMA, b'c'), (MAP, b'd')];
    assert_eq!(found, expected.map(|(name, column)| (name.to_owned(), Ok(stream(column)))));
    let archive = open(&model).unwrap();
    assert!(archive.streams().iter().all(|found| found.length() == stream(b'a').len() as u64));
    assert_eq!(archive.address(&archive.streams()[0]), Path::new(SCHEMA));
    assert_eq!(archive.into_input().length(), model.len() as u64);

    // Names are not looked at, where the content says what it is.
    let odd = zip(&[Entry::deflated("weights.bin", &stream(b'a')), Entry::deflated("data.idv", b"text, not a table")]);
    assert_eq!(contents(&odd), [("weights.bin".to_owned(), Ok(stream(b'a')))]);
}

#[test]
fn a_stream_behind_its_length_is_taken_out() {
    for (prefix, is_stream) in [(311, true), (310, false), (312, false), (-311, false), (0, false), (i32::MIN, false)] {
        let content = [&i32::to_le_bytes(prefix), &stream(b'a')[..]].concat();
        assert_eq!(stream(b'a').len(), 311);
        for method in [STORED, DEFLATED] {
            let bytes = zip(&[Entry::new("table", &content, method)]);
            let expected = if is_stream { vec![("table".to_owned(), Ok(stream(b'a')))] } else { vec![] };
            assert_eq!(contents(&bytes), expected, "{prefix}");
            // What is asked for by name is had, with what stands before it.
            let folder = folder(&[("a.zip", &bytes)]);
            let input = Input::open(address(&folder, "a.zip", "table"), Limits::default()).unwrap();
            assert_eq!(input.bytes().unwrap(), if is_stream { stream(b'a') } else { content.clone() });
        }
    }
}

#[test]
fn what_stands_at_an_address_is_like_a_file() {
    let folder = folder(&[("model.zip", &model())]);
    for name in [TRAIN_SCHEMA.to_owned(), TRAIN_SCHEMA.replace('\\', "/"), TRAIN_SCHEMA.replacen('\\', "/", 1)] {
        let address = address(&folder, "model.zip", &name);
        let input = Input::open(&address, Limits::default()).unwrap();
        assert_eq!(input.bytes().unwrap(), stream(b'b'));
        // The path is that of the entry, as it is called in the archive.
        let path = input.path().unwrap().to_str().unwrap();
        assert!(path.ends_with(&format!("model.zip!{TRAIN_SCHEMA}")), "{path}");

        let report = Checker::new().check(&address).unwrap();
        assert_eq!((report.format, report.size, report.verdict()), (Some(Format::Idv), 311, Verdict::Ok));
        let table = idv::open(&address).unwrap();
        assert_eq!((table.rows(), table.columns().next().unwrap().name().as_str()), (9, "b"));
        let info = ndbytes::info(Input::open(&address, Limits::default()).unwrap(), &Limits::default()).unwrap();
        assert_eq!((info.size, info.table.unwrap().rows), (311, 9));
        let map = Checker::new().byte_map(Input::open(&address, Limits::default()).unwrap()).unwrap();
        let from_slice = Checker::new().byte_map(Input::from_slice(&stream(b'b'), Limits::default())).unwrap();
        assert_eq!(map, from_slice);
        assert!(matches!(ndbytes::open(&address, &Limits::default()), Err(Error::NoArray { format: Format::Idv })));
    }
}

#[test]
fn a_file_of_that_name_comes_first() {
    let folder = folder(&[
        ("model.zip", &model()),
        ("model.zip!Schema", &stream(b'f')),
        ("with!mark.zip", &model()),
        ("text!", b"text"),
        ("text", b"text"),
    ]);
    let bytes = |archive, entry| {
        Input::open(address(&folder, archive, entry), Limits::default()).map(|input| input.bytes().unwrap().to_vec())
    };
    assert_eq!(bytes("model.zip", "Schema").unwrap(), stream(b'f'));
    assert_eq!(bytes("with!mark.zip", "Schema").unwrap(), stream(b'a'));
    // The last mark behind which something fits: here the first one, and there is no such entry.
    let error = bytes("model.zip", "Schema!Schema").unwrap_err();
    assert!(matches!(&error, Error::NoEntry { entry, .. } if entry == "Schema!Schema"), "{error}");
    // What is not an archive has no entries.
    for (archive, entry) in [("text", "x"), ("text!", "x"), ("none.zip", "x"), ("", "x")] {
        let error = bytes(archive, entry).unwrap_err();
        assert!(
            matches!(&error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound),
            "{archive}: {error}"
        );
    }
}

#[test]
fn an_entry_that_is_not_there_is_a_choice_of_those_that_are() {
    let folder = folder(&[("model.zip", &model()), ("text.zip", &zip(&[Entry::deflated("a", b"text")]))]);
    for entry in ["schema", "", "TransformerChain", "Schema\\", "\\Schema", "."] {
        let Err(Error::NoEntry { entry: missing, streams, more }) =
            Input::open(address(&folder, "model.zip", entry), Limits::default())
        else {
            panic!("{entry} is there");
        };
        assert_eq!((missing.as_str(), streams.len(), more), (entry, 4, 0));
        assert_eq!(streams[1], address(&folder, "model.zip", TRAIN_SCHEMA));
    }
    let error = Input::open(address(&folder, "text.zip", "b"), Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "the archive has no entry \"b\": there is no IDV stream in it");

    let path = folder.path().join("model.zip");
    let read = |input: Input<'static>| -> Vec<Error> {
        let again = || Input::open(&path, Limits::default()).unwrap();
        vec![
            ndbytes::info(input, &Limits::default()).unwrap_err(),
            Array::read(again(), Limits::default()).unwrap_err(),
            Checker::new().byte_map(again()).unwrap_err(),
        ]
    };
    for error in read(Input::open(&path, Limits::default()).unwrap()) {
        assert!(matches!(&error, Error::Archive { streams, more: 0 } if streams.len() == 4), "{error}");
    }
    let report = Checker::new().check(&path).unwrap();
    assert_eq!(rules_of(&report), ["unknown-format"], "the check of one file is not the check of an archive");
}

#[test]
fn many_streams_are_not_all_listed() {
    let entries: Vec<Entry> =
        (0..100).map(|number| Entry::deflated(format!("{number}\\Schema"), &stream(b'a'))).collect();
    let folder = folder(&[("model.zip", &zip(&entries))]);
    let error = ndbytes::open(folder.path().join("model.zip"), &Limits::default()).unwrap_err();
    assert!(matches!(&error, Error::Archive { streams, more: 84 } if streams.len() == 16), "{error}");
    assert!(error.to_string().ends_with(" and 84 more"), "{error}");
    assert_eq!(reports(&folder.path().join("model.zip")).len(), 100);
}

#[test]
fn every_stream_of_an_archive_is_checked() {
    let mut broken = stream(b'b');
    broken.push(0);
    let bytes = zip(&[
        Entry::deflated("a\\Schema", &stream(b'a')),
        Entry::deflated("b\\Schema", &broken),
        Entry::deflated("c\\Schema", &stream(b'c')).but(|entry| entry.crc ^= 1),
        Entry::deflated("d.txt", b"text").but(|entry| entry.crc ^= 1),
    ]);
    let folder = folder(&[("model.zip", &bytes)]);
    let path = folder.path().join("model.zip");
    let found = reports(&path);
    let of = |name: &str| format!("{}!{name}", path.display());
    let summary: Vec<(&str, Vec<&str>)> =
        found.iter().map(|(address, report)| (address.as_str(), rules_of(report))).collect();
    assert_eq!(summary[0], (of("a\\Schema").as_str(), vec![]));
    assert_eq!(summary[1].0, of("b\\Schema"));
    assert!(summary[1].1.iter().all(|rule| rule.starts_with("idv/")) && !summary[1].1.is_empty(), "{summary:?}");
    assert_eq!(summary[2], (of("c\\Schema").as_str(), vec!["zip/crc"]));
    assert_eq!(summary.len(), 3, "what is no stream is not checked");
    assert!(found.iter().all(|(_, report)| report.format == Some(Format::Idv)));
    // By its address, each gets the same verdict.
    for (address, report) in &found {
        let alone = Checker::new().check(address).unwrap();
        assert_eq!(rules_of(&alone), rules_of(report), "{address}");
    }
}

#[test]
fn an_archive_without_streams_is_of_no_known_format() {
    let text = zip(&[Entry::deflated("a.txt", b"text"), Entry::new("b", b"", STORED), Entry::deflated("c/", b"")]);
    let closed = zip(&[Entry::deflated(SCHEMA, &stream(b'a')).but(|entry| entry.flags = 1)]);
    let folder = folder(&[("text.zip", &text), ("closed.zip", &closed), ("empty.zip", &zip(&[]))]);
    for (name, help) in [
        ("text.zip", "there is no IDV stream in it: unpack it first"),
        ("closed.zip", "there is no IDV stream in it, but 1 of its entries cannot be looked into"),
    ] {
        let path = folder.path().join(name);
        let found = reports(&path);
        assert_eq!(found.len(), 1);
        assert_eq!(rules_of(&found[0].1), ["unknown-format"]);
        assert_eq!(found[0].1.findings()[0].message, "this is a zip archive");
        assert_eq!(found[0].1.findings()[0].help.as_deref(), Some(help));
        let error = ndbytes::open(&path, &Limits::default()).unwrap_err();
        assert_eq!(error.finding().unwrap().rule.id, "unknown-format");
        assert!(Checker::new().byte_map(Input::open(&path, Limits::default()).unwrap()).is_ok());
    }
    // An archive of nothing begins with its end, and is not told from other files.
    assert_eq!(rules_of(&reports(&folder.path().join("empty.zip"))[0].1), ["unknown-format"]);
}

#[test]
fn what_is_under_the_name_of_a_stream_has_to_be_one() {
    // Without a stream beside it, it may be anything.
    let other = Entry::deflated("x\\TrainSchema", b"something else, not a table");
    let folder = folder(&[
        ("other.zip", &zip(std::slice::from_ref(&other))),
        ("model.zip", &zip(&[Entry::deflated(SCHEMA, &stream(b'a')), other])),
        (
            "locked.zip",
            &zip(&[
                Entry::deflated(SCHEMA, &stream(b'a')),
                Entry::deflated("x\\Schema", &stream(b'b')).but(|entry| entry.flags = 1),
            ]),
        ),
    ]);
    let rules = |name: &str| -> Vec<Vec<&str>> {
        reports(&folder.path().join(name)).iter().map(|(_, report)| rules_of(report)).collect()
    };
    assert_eq!(rules("other.zip"), [vec!["unknown-format"]]);
    assert_eq!(rules("model.zip"), [vec![], vec!["unknown-format"]]);
    assert_eq!(rules("locked.zip"), [vec![], vec!["zip/encrypted"]]);
}

#[test]
fn other_formats_are_read_by_their_address() {
    let idx = [0, 0, 8, 1, 0, 0, 0, 2, 10, 11];
    let inner = model();
    let bytes = zip(&[
        Entry::deflated("labels", &idx),
        Entry::deflated("a.txt", b"text, and nothing else"),
        Entry::new("inner.zip", &inner, STORED),
        Entry::deflated(SCHEMA, &stream(b'a')),
    ]);
    let folder = folder(&[("a.zip", &bytes)]);
    let array = ndbytes::open(address(&folder, "a.zip", "labels"), &Limits::default()).unwrap();
    assert_eq!(*array.bytes().unwrap(), [10, 11]);
    let text = Checker::new().check(address(&folder, "a.zip", "a.txt")).unwrap();
    assert_eq!((text.format, rules_of(&text)), (None, vec!["unknown-format"]));
    // An archive in an archive is not looked into, wherever it stands.
    let path = address(&folder, "a.zip", "inner.zip");
    let found = reports(&path);
    assert_eq!(rules_of(&found[0].1), ["unknown-format"]);
    assert!(found[0].1.findings()[0].help.as_ref().unwrap().contains("archives that are files"));
    let nested = Input::open(address(&folder, "a.zip", "inner.zip!Schema"), Limits::default());
    assert!(matches!(nested, Err(Error::NoEntry { entry, .. }) if entry == "inner.zip!Schema"));
    assert_eq!(reports(&folder.path().join("a.zip")).len(), 1);
}

#[test]
fn names_are_only_names() {
    let names: [&[u8]; 9] = [
        b"..\\..\\..\\..\\Schema",
        b"../../../../etc/Schema",
        b"/etc/Schema",
        b"C:\\Windows\\Schema",
        b"\x1b[31mred\n",
        "Gr\u{fc}n\u{301}".as_bytes(),
        b"Gr\xfcn",
        b"a!b",
        b" ",
    ];
    let entries: Vec<Entry> =
        names.iter().zip(b'a'..).map(|(name, column)| Entry::deflated(name, &stream(column))).collect();
    let folder = folder(&[("model.zip", &zip(&entries))]);
    let path = folder.path().join("model.zip");
    let archive = Archive::open(&path, Limits::default()).unwrap();
    assert_eq!(archive.streams().len(), names.len());
    for ((found, name), column) in archive.streams().iter().zip(names).zip(b'a'..) {
        let expected = str::from_utf8(name).map_or_else(|_| "Gr\u{fc}n".to_owned(), str::to_owned);
        assert_eq!(found.name(), expected);
        let input = Input::open(archive.address(found), Limits::default()).unwrap();
        assert_eq!(input.bytes().unwrap(), stream(column));
    }
    assert!(reports(&path).iter().all(|(_, report)| report.verdict() == Verdict::Ok));
    // Nothing was written, and nothing steers a terminal.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let ended = run_in(&folder, &["info", "model.zip"]);
    assert!(!ended.stdout.contains('\x1b') && ended.stdout.lines().count() == 3 + names.len(), "{}", ended.stdout);
    let ended = run_in(&folder, &["cat", "model.zip"]);
    assert!(!ended.stderr.contains('\x1b'), "{}", ended.stderr);
    // A name without letters cannot be told from a missing one, but can be asked for.
    let nameless = zip(&[Entry::deflated("", &stream(b'z'))]);
    fs::write(&path, nameless).unwrap();
    assert_eq!(Input::open(address(&folder, "model.zip", ""), Limits::default()).unwrap().length(), 311);
}

#[test]
fn of_entries_with_one_name_the_last_one_counts() {
    let bytes = zip(&[
        Entry::deflated("a\\Schema", &stream(b'a')),
        Entry::deflated("b\\Schema", &stream(b'b')),
        Entry::deflated("a/Schema", &stream(b'c')),
        Entry::deflated("table", &stream(b'd')),
        Entry::deflated("table", b"something else"),
    ]);
    let folder = folder(&[("model.zip", &bytes)]);
    let found = reports(&folder.path().join("model.zip"));
    let rules: Vec<_> = found.iter().map(|(_, report)| (report.verdict(), rules_of(report))).collect();
    assert_eq!(rules, [(Verdict::Ok, vec![]), (Verdict::Warning, vec!["zip/duplicate-name"])]);
    assert!(found[1].0.ends_with("!a/Schema"));
    for name in ["a\\Schema", "a/Schema"] {
        let address = address(&folder, "model.zip", name);
        let input = Input::open(&address, Limits::default()).unwrap();
        assert_eq!(input.bytes().unwrap(), stream(b'c'));
        assert_eq!(rules_of(&Checker::new().check_input(input).unwrap()), ["zip/duplicate-name"]);
        assert_eq!(idv::open(&address).unwrap().columns().next().unwrap().name(), "c");
    }
}

/// The finding that an entry of this archive breaks, by its address and with the whole archive.
fn broken(bytes: &[u8], profile: Profile) -> ndbytes::Finding {
    let folder = folder(&[("model.zip", bytes)]);
    let checker = Checker::new().profile(profile);
    let report = match checker.check_path(folder.path().join("model.zip")).unwrap() {
        Checked::File(report) => report,
        Checked::Archive(mut reports) => reports.pop().unwrap().1.unwrap(),
    };
    let alone = checker.check(address(&folder, "model.zip", "x\\Schema")).unwrap();
    let [finding] = report.findings() else { panic!("{:?}", report.findings()) };
    assert_eq!(rules_of(&alone), [finding.rule.id]);
    assert!(finding.offset <= bytes.len() as u64);
    finding.clone()
}

#[test]
fn every_rule_has_an_archive_that_breaks_it() {
    let good = || Entry::deflated("x\\Schema", &stream(b'a'));
    let with = |entry: Entry| zip(&[Entry::deflated(SCHEMA, &stream(b'b')), entry]);
    let first = Entry::deflated(SCHEMA, &stream(b'b')).own().len() as u32;
    let unended = {
        let mut data = deflate(&stream(b'a'));
        data.truncate(data.len() - 4);
        data
    };
    let cases: Vec<(&str, &Rule, Vec<u8>)> = vec![
        ("no directory", &rules::BAD_DIRECTORY, model()[..1000].to_vec()),
        ("another number of entries", &rules::BAD_DIRECTORY, {
            let mut bytes = with(good());
            let last = bytes.len() - 12;
            bytes[last] += 1;
            bytes
        }),
        ("a record with another signature", &rules::BAD_DIRECTORY, {
            let mut bytes = with(good());
            let record = bytes.len() - 22 - good().record(0).len();
            bytes[record + 2] = 3;
            bytes
        }),
        ("a record that is cut off", &rules::BAD_DIRECTORY, {
            let mut bytes = with(good());
            let comment = bytes.len() - 22 - good().record(0).len() + 32;
            bytes[comment] = 1;
            bytes
        }),
        ("too many entries", &rules::TOO_MANY_ENTRIES, {
            let one = good();
            finish(one.own(), &one.record(0).repeat(65_537), 65_537)
        }),
        ("no header", &rules::BAD_ENTRY, {
            let mut bytes = with(good());
            bytes[first as usize] = b'Q';
            bytes
        }),
        ("a header elsewhere", &rules::OVERLAP, with(good().but(|entry| entry.start = Some(first + 1)))),
        ("beyond the end", &rules::OVERLAP, with(good().but(|entry| entry.start = Some(1 << 20)))),
        ("another name", &rules::BAD_ENTRY, with(good().but(|entry| entry.own_name[0] = b'y'))),
        ("another method", &rules::BAD_ENTRY, with(good().but(|entry| entry.own_method = 0))),
        ("two records of one entry", &rules::OVERLAP, {
            let one = good();
            finish(one.own(), &one.record(0).repeat(2), 2)
        }),
        ("into the directory", &rules::OVERLAP, with(good().but(|entry| entry.packed += 1))),
        ("a longer header of its own", &rules::OVERLAP, {
            with(good().but(|entry| {
                entry.own_name.extend(b"longer");
                entry.data.truncate(entry.data.len() - 6);
            }))
        }),
        ("encrypted", &rules::ENCRYPTED, with(good().but(|entry| entry.flags = 1))),
        ("strongly encrypted", &rules::ENCRYPTED, with(good().but(|entry| entry.flags = 0x41))),
        ("AES", &rules::ENCRYPTED, with(good().but(|entry| (entry.method, entry.own_method) = (99, 99)))),
        ("deflate64", &rules::METHOD, with(good().but(|entry| (entry.method, entry.own_method) = (9, 9)))),
        ("zstd", &rules::METHOD, with(good().but(|entry| (entry.method, entry.own_method) = (93, 93)))),
        ("garbage at first", &rules::CORRUPT_STREAM, with(good().but(|entry| entry.data[0] = 0xFF))),
        ("garbage at last", &rules::CORRUPT_STREAM, {
            with(good().but(|entry| entry.data.iter_mut().skip(40).for_each(|byte| *byte = 0xFF)))
        }),
        ("cut off", &rules::CORRUPT_STREAM, {
            with(good().but(|entry| (entry.packed, entry.data) = (unended.len() as u64, unended)))
        }),
        ("shorter", &rules::LENGTH, with(good().but(|entry| entry.length += 1))),
        ("longer", &rules::LENGTH, with(good().but(|entry| entry.length -= 1))),
        ("impossible", &rules::LENGTH, with(good().but(|entry| entry.length = 1 << 20))),
        ("stored, shorter", &rules::LENGTH, {
            with(Entry::new("x\\Schema", &stream(b'a'), STORED).but(|entry| entry.length += 1))
        }),
        ("stored, longer", &rules::LENGTH, {
            with(Entry::new("x\\Schema", &stream(b'a'), STORED).but(|entry| entry.length -= 1))
        }),
        ("bytes behind the stream", &rules::LENGTH, {
            with(good().but(|entry| {
                entry.data.push(0);
                entry.packed += 1;
            }))
        }),
        ("a bomb", &rules::RATIO, {
            let mut bomb = stream(b'a');
            bomb.resize(17 << 20, 0);
            with(Entry::deflated("x\\Schema", &bomb))
        }),
        ("another check sum", &rules::CRC, with(good().but(|entry| entry.crc ^= 1 << 31))),
        ("stored, another check sum", &rules::CRC, {
            with(Entry::new("x\\Schema", &stream(b'a'), STORED).but(|entry| entry.crc = 0))
        }),
        ("twice", &rules::DUPLICATE_NAME, zip(&[good(), good()])),
    ];
    for (what, rule, bytes) in &cases {
        let finding = broken(bytes, Profile::Strict);
        assert_eq!((finding.rule, Some(finding.severity)), (*rule, rule.severity), "{what}: {finding}");
        let accepted = broken(bytes, Profile::Reference).severity == Severity::Warning;
        let accepts = rule.reference == ndbytes::Reference::Accepts || *what == "deflate64";
        assert_eq!(accepted, accepts, "{what}");
    }
    let broken: BTreeSet<&str> = cases.iter().map(|(_, rule, _)| rule.id).collect();
    let known: BTreeSet<&str> = ndbytes::rules().map(|rule| rule.id).filter(|id| id.starts_with("zip/")).collect();
    assert_eq!(broken, known);
}

#[test]
fn archives_of_other_makers() {
    // Check sum and lengths behind the data, as whoever writes to a pipe has to do it.
    let descriptor = |entry: &mut Entry| {
        entry.flags = 8;
        let mut behind = b"PK\x07\x08".to_vec();
        behind.extend([entry.crc, entry.packed as u32, entry.length as u32].into_iter().flat_map(u32::to_le_bytes));
        entry.data.extend(behind);
    };
    let piped = Entry::deflated(SCHEMA, &stream(b'a')).but(descriptor);
    let large = Entry::deflated("large\\Schema", &stream(b'b')).but(|entry| entry.is_large = true);
    let utf8 = Entry::deflated("Grün\\Schema", &stream(b'c')).but(|entry| entry.flags = 1 << 11);
    let bytes = zip(&[piped, large, utf8, Entry::new("folder/", b"", STORED), Entry::new("empty", b"", DEFLATED)]);
    let columns: Vec<Vec<u8>> = contents(&bytes).into_iter().map(|(_, content)| content.unwrap()).collect();
    assert_eq!(columns, [stream(b'a'), stream(b'b'), stream(b'c')]);
    // A comment at the end, and something before the first entry that is counted or not.
    let mut commented = bytes.clone();
    let length = commented.len() - 2;
    commented[length] = 7;
    commented.extend(b"comment");
    assert_eq!(contents(&commented).len(), 3);
    let before = [b"PK\x03\x04 is not the beginning of an entry here".to_vec(), bytes].concat();
    assert_eq!(contents(&before).len(), 3);
}

#[test]
fn as_many_entries_as_are_looked_through() {
    let one = Entry::deflated(SCHEMA, &stream(b'a'));
    let (mut entries, mut directory) = (Vec::new(), Vec::new());
    for number in 0..65_535_u32 {
        let empty = Entry::new(number.to_le_bytes(), b"", STORED);
        directory.extend(empty.record(entries.len() as u32));
        entries.extend(empty.own());
    }
    directory.extend(one.record(entries.len() as u32));
    entries.extend(one.own());
    let bytes = finish(entries, &directory, 65_536);
    assert_eq!(contents(&bytes), [(SCHEMA.to_owned(), Ok(stream(b'a')))]);
    // What looking through them takes is granted, or it is not done.
    let little = open_within(&bytes, Limits::default().memory(1 << 20)).unwrap_err();
    assert!(matches!(little, Error::Limit { .. }), "{little}");
    let folder = folder(&[("model.zip", &bytes)]);
    let report = Checker::new().limits(Limits::default().memory(1 << 20)).check_path(folder.path().join("model.zip"));
    assert!(matches!(report.unwrap(), Checked::File(report) if rules_of(&report) == ["limit-exceeded"]));
}

#[test]
fn memory_is_granted_or_refused() {
    let mut long = stream(b'a');
    long.resize(1 << 20, 0x5A);
    let bytes = zip(&[Entry::deflated(SCHEMA, &long), Entry::deflated("x\\Schema", &stream(b'a'))]);
    let folder = folder(&[("model.zip", &bytes)]);
    let limits = Limits::default().memory(100_000);
    let checker = Checker::new().limits(limits);
    let Checked::Archive(found) = checker.check_path(folder.path().join("model.zip")).unwrap() else { panic!() };
    assert_eq!(rules_of(found[0].1.as_ref().unwrap()), ["limit-exceeded"]);
    assert_eq!(rules_of(found[1].1.as_ref().unwrap()), [] as [&str; 0]);
    let alone = address(&folder, "model.zip", SCHEMA);
    assert!(matches!(Input::open(&alone, limits), Err(Error::Limit { needed: 1_048_576, .. })));
    assert_eq!(rules_of(&checker.check(&alone).unwrap()), ["limit-exceeded"]);
    assert_eq!(Input::open(&alone, limits.memory(2 << 20)).unwrap().length(), 1 << 20);

    // Streams that are plausible one by one, and not together.
    let mut bomb = stream(b'a');
    bomb.resize(15 << 20, 0);
    let one = Entry::deflated("", &bomb);
    let entries: Vec<Entry> = (0..20)
        .map(|number| {
            one.clone().but(|entry| {
                entry.name = format!("{number}\\Schema").into_bytes();
                entry.own_name = entry.name.clone();
            })
        })
        .collect();
    let bytes = zip(&entries);
    let allowed = (bytes.len() * 100 / bomb.len()).max(1);
    let results: Vec<_> =
        contents(&bytes).into_iter().map(|(_, content)| content.map(|content| content.len())).collect();
    assert!(allowed < 20 && results[..allowed].iter().all(|result| *result == Ok(bomb.len())), "{results:?}");
    assert!(results[allowed..].iter().all(|result| *result == Err("zip/ratio")), "{results:?}");
}

/// Looks at everything that an archive has, with little memory.
fn examine(bytes: &[u8], granted: u64) -> (ndbytes::Result<Vec<(String, Report)>>, u64) {
    let limits = Limits::default().memory(granted);
    let checker = Checker::new().limits(limits).depth(Depth::Payload);
    let (found, peak) = peak_of(|| {
        let archive = open_within(bytes, limits)?;
        let check =
            |(address, report): (PathBuf, ndbytes::Result<Report>)| (address.display().to_string(), report.unwrap());
        Ok(checker.check_archive(&archive).map(check).collect::<Vec<_>>())
    });
    (found, peak)
}

const MEMORY: u64 = 1 << 20;

/// A small archive with each kind of stream.
fn small() -> Vec<u8> {
    zip(&[
        Entry::deflated("a\\Schema", &stream(b'a')),
        Entry::deflated("a.txt", b"text"),
        Entry::new("b\\TrainSchema", &stream(b'b'), STORED),
        Entry::deflated("c\\Schema.idv", &prefixed(&stream(b'c'))).but(|entry| entry.is_large = true),
    ])
}

#[test]
fn cut_at_every_length() {
    let bytes = small();
    for length in 0..bytes.len() {
        let (found, peak) = examine(&bytes[..length], MEMORY);
        let error = found.unwrap_err();
        assert_eq!(error.finding().unwrap().rule, &rules::BAD_DIRECTORY, "{length}: {error}");
        assert!(peak < MEMORY, "{length}: {peak} bytes were allocated");
    }
    let folder = folder(&[]);
    for length in (0..bytes.len()).step_by(97).chain([4, bytes.len() - 1]) {
        let path = folder.path().join("model.zip");
        fs::write(&path, &bytes[..length]).unwrap();
        let expected = if length < 4 { "unknown-format" } else { "zip/bad-directory" };
        assert_eq!(rules_of(&reports(&path)[0].1), [expected], "{length}");
    }
}

#[test]
fn with_every_bit_turned() {
    let bytes = small();
    let whole = contents(&bytes);
    let mut unnoticed = 0;
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut turned = bytes.clone();
            turned[place] ^= 1 << bit;
            let (found, peak) = examine(&turned, MEMORY);
            assert!(peak < 3 * MEMORY, "{place}.{bit}: {peak} bytes were allocated");
            let Ok(found) = found else { continue };
            if found.iter().all(|(_, report)| report.verdict() == Verdict::Ok) {
                // What is not noticed makes no difference.
                assert_eq!(contents(&turned), whole, "{place}.{bit}");
                unnoticed += 1;
            }
        }
    }
    // Times, versions, attributes, what the headers of the entries repeat, and the entry that is no stream.
    assert!(unnoticed < bytes.len() * 8 / 4, "{unnoticed} of {} bits", bytes.len() * 8);
}

#[test]
fn with_every_field_at_its_limits() {
    let bytes = small();
    for place in 0..bytes.len() - 3 {
        for value in [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, u32::MAX] {
            let mut changed = bytes.clone();
            changed[place..place + 4].copy_from_slice(&value.to_le_bytes());
            let (_, peak) = examine(&changed, MEMORY);
            assert!(peak < 3 * MEMORY, "{place}, {value}: {peak} bytes were allocated");
        }
    }
}

#[test]
fn bombs_are_refused_at_once() {
    let started = Instant::now();
    let granted = 64 << 20;
    let check = |what: &str, bytes: &[u8], expected: &str| {
        let began = Instant::now();
        let (found, peak) = examine(bytes, granted);
        match found {
            Ok(found) => assert_eq!(rules_of(&found.last().unwrap().1), [expected], "{what}"),
            Err(error) => assert_eq!(error.finding().map(|finding| finding.rule.id), Some(expected), "{what}: {error}"),
        }
        assert!(peak < granted, "{what}: {peak} bytes were allocated");
        assert!(began.elapsed() < Duration::from_secs(5), "{what}: {:?}", began.elapsed());
    };
    let mut content = stream(b'a');
    content.resize(64 << 20, 0);
    let bomb = Entry::deflated("x\\Schema", &content);
    check("a bomb", &zip(std::slice::from_ref(&bomb)), "zip/ratio");
    check("a bomb that says it is none", &zip(&[bomb.clone().but(|entry| entry.length = 311)]), "zip/length");
    let one = Entry::deflated("x\\Schema", &stream(b'a'));
    let claims = |length| zip(&[one.clone().but(|entry| (entry.is_large, entry.length) = (true, length))]);
    check("more than the memory of any machine", &claims(1 << 62), "zip/ratio");
    check("all that a number can hold", &claims(u64::MAX), "zip/ratio");
    check("one entry, many records", &finish(bomb.own(), &bomb.record(0).repeat(65_535), 65_535), "zip/overlap");
    check("a million records", &finish(one.own(), &one.record(0).repeat(1_000_000), 1_000_000), "zip/too-many-entries");
    check(
        "a million records, and one announced",
        &finish(one.own(), &one.record(0).repeat(1_000_000), 1),
        "zip/too-many-entries",
    );
    check("as many records as can be said", &finish(one.own(), &one.record(0), u64::MAX), "zip/too-many-entries");
    // Each entry quotes the header of the next one, and goes on as that one does.
    let (mut data, mut quoting) = (bomb.data.clone(), Vec::new());
    for number in (0..200).rev() {
        let entry = bomb.clone().but(|entry| {
            (entry.name, entry.data) = (format!("{number:03}\\Schema").into_bytes(), data.clone());
            (entry.own_name, entry.packed) = (entry.name.clone(), data.len() as u64);
        });
        let own = entry.own();
        let length = (own.len() - data.len()) as u16;
        data = [&[0], &length.to_le_bytes()[..], &(!length).to_le_bytes(), &own].concat();
        quoting.push((entry, own));
    }
    let (_, whole) = quoting.last().unwrap().clone();
    let directory: Vec<u8> =
        quoting.iter().rev().flat_map(|(entry, own)| entry.record((whole.len() - own.len()) as u32)).collect();
    check("entries that quote each other", &finish(whole, &directory, 200), "zip/overlap");
    // Empty deflate blocks: much to read, nothing to see.
    let idle = one.clone().but(|entry| {
        entry.data = [[0, 0, 0, 0xFF, 0xFF].repeat(1 << 20), entry.data.clone()].concat();
        entry.packed = entry.data.len() as u64;
    });
    assert_eq!(contents(&zip(&[idle])), [], "what begins with nothing is no stream");
    assert!(started.elapsed() < Duration::from_secs(60));
}

fn run_in(folder: &TempDir, arguments: &[&str]) -> Ended {
    let output = command_in(folder.path(), arguments).output().unwrap();
    Ended {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

#[test]
fn the_tool_lists_streams() {
    let broken = zip(&[
        Entry::deflated(SCHEMA, &stream(b'a')),
        Entry::deflated("b\\Schema", &stream(b'b')).but(|entry| entry.crc ^= 1),
    ]);
    let folder = folder(&[("model.zip", &model()), ("broken.zip", &broken)]);
    let ended = run_in(&folder, &["info", "model.zip"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let last = ended.stdout.lines().last().unwrap();
    assert_eq!(last.split_whitespace().collect::<Vec<_>>(), ["9", "1", "311", &format!("model.zip!{MAP}")]);
    assert_eq!(ended.stdout.lines().count(), 3 + 4, "{}", ended.stdout);

    let ended = run_in(&folder, &["info", "--json", "model.zip"]);
    let objects = lines(&ended.stdout);
    let paths: Vec<&str> = objects.iter().map(|object| object["path"].as_str().unwrap()).collect();
    assert_eq!(paths, [SCHEMA, TRAIN_SCHEMA, LOADER_SCHEMA, MAP].map(|name| format!("model.zip!{name}")));
    assert!(objects.iter().all(|object| object["format"] == "idv" && object["size"] == 311));
    // The address gives the same object.
    assert_eq!(lines(&run_in(&folder, &["info", "--json", paths[2]]).stdout), objects[2..3]);

    let ended = run_in(&folder, &["info", "--json", "broken.zip"]);
    assert_eq!(ended.status, 1);
    let objects = lines(&ended.stdout);
    assert_eq!((objects.len(), &objects[1]["finding"]["rule"]), (2, &Value::from("zip/crc")));
    let ended = run_in(&folder, &["info", "broken.zip"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stdout.contains("error[zip/crc]") && ended.stdout.contains("of the archive"), "{}", ended.stdout);
}

#[test]
fn the_tool_checks_streams() {
    let broken = zip(&[
        Entry::deflated(SCHEMA, &stream(b'a')),
        Entry::deflated("b\\Schema", &stream(b'b')).but(|entry| entry.crc ^= 1),
    ]);
    let text = zip(&[Entry::deflated("a.txt", b"text")]);
    let folder = folder(&[
        ("a.idv", &stream(b'a')),
        ("broken.zip", &broken),
        ("cut.zip", &broken[..300]),
        ("model.zip", &model()),
        ("text.zip", &text),
    ]);
    let ended = run_in(&folder, &["check", "--json", "."]);
    assert_eq!(ended.status, 1);
    let found: Vec<(String, String, Option<String>)> = lines(&ended.stdout)
        .iter()
        .map(|object| {
            let rule = object["findings"][0]["rule"].as_str().map(str::to_owned);
            let path = object["path"].as_str().unwrap().trim_start_matches("./").trim_start_matches(".\\").to_owned();
            (path, object["verdict"].as_str().unwrap().to_owned(), rule)
        })
        .collect();
    let ok = |path: String| (path, "ok".to_owned(), None);
    let error = |path: &str, rule: &str| (path.to_owned(), "error".to_owned(), Some(rule.to_owned()));
    let mut expected = vec![
        ok("a.idv".into()),
        ok("broken.zip!Schema".into()),
        error("broken.zip!b\\Schema", "zip/crc"),
        error("cut.zip", "zip/bad-directory"),
    ];
    expected.extend([SCHEMA, TRAIN_SCHEMA, LOADER_SCHEMA, MAP].map(|name| ok(format!("model.zip!{name}"))));
    expected.push(error("text.zip", "unknown-format"));
    assert_eq!(found, expected);

    let ended = run_in(&folder, &["check", "model.zip"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "4 files: 4 ok\n"));
    let ended = run_in(&folder, &["check", "broken.zip!b/Schema"]);
    assert_eq!(ended.status, 1);
    // The bytes of the archive are shown.
    assert!(
        ended.stdout.contains("error[zip/crc]") && ended.stdout.contains("^^^^^^^^^^^ expected"),
        "{}",
        ended.stdout
    );
    let ended = run_in(&folder, &["check", "--json", "broken.zip!b/Schema"]);
    assert_eq!(lines(&ended.stdout)[0]["findings"][0]["rule"], "zip/crc");
    assert_eq!(run_in(&folder, &["check", "model.zip!none"]).status, 2);
}

#[test]
fn the_tool_shows_bytes_of_a_stream() {
    let mut broken = stream(b'a');
    broken[303] = b'X';
    let folder = folder(&[("model.zip", &zip(&[Entry::deflated(SCHEMA, &broken)])), ("a.idv", &broken)]);
    let (entry, file) = (run_in(&folder, &["check", "model.zip!Schema"]), run_in(&folder, &["check", "a.idv"]));
    assert_eq!(entry.stdout.replace("model.zip!Schema", "a.idv"), file.stdout);
    assert!(file.stdout.contains("^^"), "{}", file.stdout);
    let (entry, file) = (run_in(&folder, &["explain", "model.zip!Schema"]), run_in(&folder, &["explain", "a.idv"]));
    assert_eq!(entry.stdout.replace("model.zip!Schema", "a.idv"), file.stdout);
}

#[test]
fn the_tool_asks_which_stream() {
    let folder = folder(&[("model.zip", &model())]);
    for arguments in [&["explain", "model.zip"][..], &["cat", "model.zip"], &["export", "model.zip", "out.npy"]] {
        let ended = run_in(&folder, arguments);
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{arguments:?}");
        let expected: Vec<String> =
            [SCHEMA, TRAIN_SCHEMA, LOADER_SCHEMA, MAP].iter().map(|name| format!("  model.zip!{name}")).collect();
        let lines: Vec<&str> = ended.stderr.lines().collect();
        assert_eq!(lines[0], "error: model.zip is a zip archive: name one of the IDV streams in it");
        assert_eq!(lines[1..], expected);
    }
    let ended = run_in(&folder, &["cat", "--json", &format!("model.zip!{MAP}")]);
    assert_eq!(ended.status, 0);
    assert!(ended.stdout.contains("\"rowCount\":9"), "{}", ended.stdout);
    let ended = run_in(&folder, &["explain", "--json", "model.zip!Schema"]);
    let object = &lines(&ended.stdout)[0];
    assert_eq!((&object["path"], &object["size"]), (&Value::from("model.zip!Schema"), &Value::from(311)));
    let ended = run_in(&folder, &["info", "model.zip!schema"]);
    assert_eq!(ended.status, 2);
    assert!(
        ended.stderr.starts_with("error: model.zip!schema: the archive has no entry \"schema\"\n  model.zip!Schema\n")
    );
}

#[test]
fn a_stream_of_bytes_is_not_looked_into() {
    for command in ["check", "info", "cat", "explain"] {
        let ended = tool::run_with_input(&[command, "-"], &model());
        assert_eq!(ended.status, 1, "{command}");
        assert!(ended.stdout.contains("this is a zip archive"), "{}", ended.stdout);
        assert!(ended.stdout.contains("save it, or unpack it first"), "{}", ended.stdout);
    }
    assert_eq!(rules_of(&Checker::new().check_slice(&model()).unwrap()), ["unknown-format"]);
    // Whoever has the bytes may look.
    assert_eq!(open(&model()).unwrap().streams().len(), 4);
}
