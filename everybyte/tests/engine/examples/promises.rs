//! The functions of a format that the tests call, so that one list can contain all formats.

use super::snapshots::Snapshot;
use everybyte::arbitrary::Arbitrary;
use everybyte::forge::{Choices, Editor, Mutation, Of, Repair, Session};
use everybyte::map::spans;
use everybyte::{Format, Source, check, explain, forge::edit, fuzzing, map::Value, read, write};
use std::collections::HashMap;

/// The number of files that are generated of each format.
pub const MADE_UP: u64 = 60;

/// A format as a set of functions.
pub struct Promises {
    /// The name of the example.
    pub name: &'static str,
    /// Returns what prevents a file from being explained completely and written back.
    pub broken: fn(&[u8]) -> Option<String>,
    /// The values of a file by their paths.
    pub values: fn(&[u8]) -> HashMap<String, Value>,
    /// Checks the promises of a format on `MADE_UP` generated files. Returns the number of valid files.
    pub made_up: fn() -> u64,
    /// A generated file.
    pub file: fn(u64) -> Option<Vec<u8>>,
    /// A mutant of a file.
    pub mutant: fn(&[u8], Repair, u64) -> Vec<u8>,
    /// A file with a field set to another value; `None` if it is refused.
    pub edited: fn(&[u8], &str, &str) -> Option<Vec<u8>>,
    /// A file with all derived fields corrected; `None` if it is refused.
    pub fixed: fn(&[u8]) -> Option<Vec<u8>>,
    /// The number of findings of a file.
    pub findings: fn(&[u8]) -> usize,
    /// The hashes of files and mutants.
    pub hashes: fn(&str) -> String,
    /// The definition for Kaitai Struct.
    pub definition: fn(&'static str) -> String,
    pub snapshots: [Snapshot; 4],
    /// The names and values of a file's fields, except for bytes, to compare structures; `None` if there are findings.
    pub structure: fn(&[u8]) -> Option<Vec<String>>,
}

impl Promises {
    pub fn of<F: Format + for<'a> Arbitrary<'a>>(name: &'static str) -> Self {
        Promises {
            name,
            broken: broken::<F>,
            values: values::<F>,
            made_up: || fuzzing::any_values::<F>(MADE_UP),
            file: fuzzing::file::<F>,
            mutant: mutant::<F>,
            edited: |file, path, value| edit::<F>(file).set(path, value).and_then(Editor::write).ok(),
            fixed: |file| edit::<F>(file).fix().write().ok(),
            findings: |file| check::<F>(file).len(),
            hashes: super::determinism::hashes::<F>,
            definition: super::snapshots::definition::<F>,
            snapshots: super::snapshots::of::<F>(),
            structure: structure::<F>,
        }
    }
}

fn broken<F: Format>(file: &[u8]) -> Option<String> {
    let explained = explain::<F>(file);
    if let Some(finding) = explained.findings.first() {
        return Some(finding.to_string());
    }
    if !explained.to_string().ends_with("every byte accounted for\n") {
        return Some("not every byte is accounted for".to_owned());
    }
    if let Some(finding) = check::<F>(file).first() {
        return Some(format!("only `check` finds {finding}"));
    }
    let value: F = match read(Source::new(file), F::BYTE_ORDER.of(file), ()) {
        Ok(value) => value,
        Err(error) => return Some(format!("only `read` refuses it: {error}")),
    };
    match write(&value, F::BYTE_ORDER.of(file)) {
        Ok(written) if written == file => None,
        Ok(written) => {
            let first = written.iter().zip(file).position(|(one, other)| one != other);
            Some(format!("other bytes are written from {first:?} on: {} of {}", written.len(), file.len()))
        }
        Err(error) => Some(format!("it is not written: {error}")),
    }
}

fn values<F: Format>(file: &[u8]) -> HashMap<String, Value> {
    spans(&explain::<F>(file).spaces).into_iter().map(|span| (span.path, span.node.value())).collect()
}

pub fn mutant<F: Format>(file: &[u8], repair: Repair, seed: u64) -> Vec<u8> {
    let grammar = Of::<F>::new();
    let how = Mutation { repair, ..Mutation::default() };
    Session::new(&grammar).mutate(file, &how, &mut Choices::seeded(seed)).bytes
}

fn structure<F: Format>(file: &[u8]) -> Option<Vec<String>> {
    let explained = explain::<F>(file);
    explained.findings.is_empty().then(|| {
        let spans = spans(&explained.spaces).into_iter().map(|span| span.node);
        let shown = spans.filter(|node| !matches!(node.value(), Value::Bytes(..)));
        shown.map(|node| format!("{} {}", node.name(), node.value())).collect()
    })
}
