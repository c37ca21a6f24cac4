//! IDV streams in zip archives: found, addressed, checked; and archives that were made to hurt.

mod explain;
mod hostile;
mod rules;
mod streams;
mod tool;

use crate::support::allocations::peak_of;
use crate::support::zip::{Entry, STORED, zip};
use ndbytes::{Archive, Checker, Depth, Finding, Input, Limits, Part, Report};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

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

/// The stream after its length, as some of ML.NET's loaders save it.
fn prefixed(stream: &[u8]) -> Vec<u8> {
    [&(stream.len() as i32).to_le_bytes(), stream].concat()
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
    let load = |(stream, loaded): (&ndbytes::archive::Member, ndbytes::Result<Input<'static>>)| {
        let loaded = loaded.map(|input| input.bytes().unwrap().to_vec());
        (stream.name().to_owned(), loaded.map_err(|error| error.finding().unwrap_or_else(|| panic!("{error}")).rule.id))
    };
    archive.load_each().map(load).collect()
}

/// Each part of a report, with its address.
fn parts<'r>(path: &Path, report: &'r Report) -> Vec<(String, Part<'r>)> {
    let address = |part: &Part<'_>| match part.member {
        Some(name) => format!("{}!{name}", path.display()),
        None => path.display().to_string(),
    };
    report.parts().map(|part| (address(&part), part)).collect()
}

fn check(path: &Path) -> Report {
    Checker::new().check(path).unwrap()
}

fn rules_in(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.rule.id).collect()
}

fn rules_of(report: &Report) -> Vec<&'static str> {
    rules_in(report.findings())
}

/// Looks at everything that an archive has, with little memory.
fn examine(bytes: &[u8], granted: u64) -> (ndbytes::Result<Report>, u64) {
    let limits = Limits::default().memory(granted);
    let checker = Checker::new().limits(limits).depth(Depth::Payload);
    peak_of(|| checker.check_archive(&open_within(bytes, limits)?))
}

const MEMORY: u64 = 1 << 20;
