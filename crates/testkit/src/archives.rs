//! Archives of IDV streams as ML.NET writes them, and the expected findings about archives.

use crate::zip::{Entry, STORED, zip};
use ndbytes::{ByteMap, Checker, Finding, GAP, Input, Limits, Report, Verdict};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A handmade IDV stream of one column with nine flags and a name of one letter.
pub fn stream(column: u8) -> Vec<u8> {
    let mut bytes = b"CML\0DVB\0".to_vec();
    bytes.extend([6, 0, 1, 0, 1, 0, 1, 0].repeat(2)); // version, and the lowest compatible version: 1.1.1.6
    bytes.extend(274_u64.to_le_bytes()); // the table of columns
    bytes.extend(303_u64.to_le_bytes()); // the tail
    bytes.extend(9_u64.to_le_bytes()); // rows
    bytes.extend(1_u32.to_le_bytes()); // columns
    bytes.resize(256, 0);
    bytes.extend([0x16, 0x01]); // the block
    bytes.extend(256_u64.to_le_bytes()); // the lookup table: the offset of the block, its stored and unpacked length
    bytes.extend([2, 0, 0, 0, 2, 0, 0, 0]);
    bytes.extend([1, column]); // the column's name
    bytes.extend(b"\x07Boolean\0");
    bytes.extend([0, 9]); // not compressed, nine rows per block
    bytes.extend(258_u64.to_le_bytes()); // the lookup table
    bytes.extend(0_u64.to_le_bytes()); // no annotations
    bytes.extend(b"\0BVD\0LMC");
    bytes
}

/// The stream preceded by its length, as some of ML.NET's loaders save it.
pub fn prefixed(stream: &[u8]) -> Vec<u8> {
    [&(stream.len() as i32).to_le_bytes(), stream].concat()
}

pub const SCHEMA: &str = "Schema";

pub const TRAIN_SCHEMA: &str = "TransformerChain\\Transform_000\\TrainSchema";

pub const LOADER_SCHEMA: &str = "DataLoaderModel\\Loader\\Schema.idv";

pub const MAP: &str = "TransformerChain\\Transform_001\\DefaultMap.idv";

/// An archive as ML.NET writes it.
pub fn model() -> Vec<u8> {
    zip(&[
        Entry::deflated("TrainingInfo\\Version.txt", b"1.7.0\r\n"),
        Entry::deflated(SCHEMA, &stream(b'a')),
        Entry::deflated(TRAIN_SCHEMA, &stream(b'b')),
        Entry::deflated("TransformerChain\\Model.key", &[7; 300]),
        Entry::deflated(LOADER_SCHEMA, &prefixed(&stream(b'c'))),
        Entry::new(MAP, &stream(b'd'), STORED),
    ])
}

/// A directory with these files.
pub fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

pub fn address(folder: &TempDir, archive: &str, entry: &str) -> PathBuf {
    folder.path().join(format!("{archive}!{entry}"))
}

pub fn check(path: &Path) -> Report {
    Checker::new().check(path).unwrap()
}

pub fn rules_in(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.rule.id).collect()
}

pub fn rules_of(report: &Report) -> Vec<&'static str> {
    rules_in(report.findings())
}

pub fn explain(bytes: &[u8], limits: Limits) -> (Report, ByteMap) {
    let explained = Checker::new().limits(limits).explain(&Input::from_slice(bytes, limits)).unwrap();
    assert_tiled(&explained.1, bytes.len() as u64, &explained.0);
    explained
}

/// Asserts that fields have no gaps and no overlaps. Bytes that no field claims are reported.
fn assert_tiled(map: &ByteMap, length: u64, report: &Report) {
    assert_eq!((map.spaces[0].length, map.format, map.is_archive), (length, None, true));
    let spans = map.spans();
    for (id, space) in (0..).zip(&map.spaces) {
        assert_eq!(space.id, id);
        let mut position = 0;
        for span in spans.iter().filter(|span| span.space == id) {
            assert_eq!(span.node.start(), position, "{}", span.path);
            assert!(span.node.end() >= position, "{}", span.path);
            position = span.node.end();
            let is_unreported = span.node.name() == GAP && report.verdict() == Verdict::Ok;
            assert!(!is_unreported, "a gap at {position}");
        }
        assert_eq!(position, space.length);
    }
}
