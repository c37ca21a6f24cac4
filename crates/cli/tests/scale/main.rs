//! Files of several megabytes that consist of the smallest parts of a format. Their cost, as counted by an allocator
//! over all threads, stays within the bound in the README. The library and the tool answer all questions about them,
//! individually and in pairs.
//!
//! This is a separate program, because the allocations of all threads are counted, so nothing else may run at the same time.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

#[path = "../it/support/cli.rs"]
mod cli;
// The inputs of `convert`.
#[cfg(feature = "convert")]
mod foreign;
mod smallest_parts;
mod specifications;
#[cfg(feature = "convert")]
mod steps;
mod table;
mod texts;

use cli::{Streams, run};
use ndbytes::everybyte::Endian;
use ndbytes::schemas::rawarray::RawArray;
use ndbytes::{Array, Checker, Depth, Input, Limits, Options, b2nd, idv, idx, rawarray};
use ndbytes_compare::diff::{self, diff};
use ndbytes_testkit::allocations::peak_of_all;
use smallest_parts::{Table, gzip_members, one_block, slot_names, zip};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

/// The memory allowed in addition to the limits and the length of the file.
const CONSTANT: u64 = 16 << 20;

/// A budget with which most files are refused midway, and one with which most can be read.
const BUDGETS: [u64; 2] = [1 << 20, (SCALE as u64) * (13 << 20)];

/// Without optimisation, files have a tenth of the size: 100 KB to 400 KB.
const SCALE: usize = if cfg!(debug_assertions) { 1 } else { 10 };

/// Allocations of all threads are counted, so only one test runs at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Counts the printed bytes.
#[derive(Default)]
struct Printed(u64);

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Asks all questions about a file and fails if any exceeds its bound.
fn stays_in_bounds(name: &str, make: impl Fn() -> Vec<u8>) {
    // Allocations of other tests that make their files must not be counted either.
    let _alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let bytes = &*make();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let mut failures = Vec::new();
    for budget in BUDGETS {
        let mut ask_of = |files: u64, what: &str, question: &dyn Fn()| {
            let granted = files * (budget + bytes.len() as u64) + CONSTANT;
            let ((), peak) = peak_of_all(question);
            println!("{name}, {} bytes, budget {budget}: {what}: {peak}", bytes.len());
            if peak > granted {
                failures.push(format!("{what} with {budget}: {peak} bytes were allocated, {granted} granted"));
            }
        };
        let limits = Limits::default().memory(budget);
        compare(bytes, limits, &mut |what, question| ask_of(2, what, question));
        let mut ask = |what: &str, question: &dyn Fn()| ask_of(1, what, question);
        let checker = Checker::new().limits(limits);
        let input = || Input::from_slice(bytes, limits);
        ask("check of the structure", &|| drop(checker.depth(Depth::Structure).check_slice(bytes)));
        ask("check", &|| drop(checker.check_slice(bytes)));
        ask("check of a stream", &|| drop(checker.check_reader(bytes)));
        ask("byte map", &|| drop(checker.byte_map(input())));
        ask("byte map of a file", &|| drop(Input::open(&path, limits).and_then(|input| checker.byte_map(input))));
        ask("info", &|| drop(ndbytes::info(input(), &limits)));
        ask("read", &|| read(bytes, &path, limits));
        for arguments in [
            &["info"][..],
            &["info", "--json"],
            &["check"],
            &["check", "--json"],
            &["explain"],
            &["explain", "--json"],
            &["explain", "--html=-"],
            &["cat"],
            &["cat", "--json"],
        ] {
            ask(&arguments.join(" "), &|| {
                let (mut out, mut err) = (Printed::default(), Printed::default());
                let memory = budget.to_string();
                let first = ["ndbytes", "--max-memory", &memory];
                let all = first.iter().chain(arguments).map(Into::into);
                run(all.chain([path.clone().into()]), Streams::captured(&mut io::empty(), &mut out, &mut err));
            });
        }
    }
    assert!(failures.is_empty(), "{name}, {} bytes:\n{}", bytes.len(), failures.join("\n"));
}

/// Compares a file with others made from it. The bound applies to both files together.
fn compare(bytes: &[u8], limits: Limits, ask: &mut dyn FnMut(&str, &dyn Fn())) {
    let middle = bytes.len() / 2;
    let changed = [&bytes[..middle], &[!bytes[middle]], &bytes[middle + 1..]].concat();
    for (what, other) in [("a changed byte", &changed[..]), ("a part that is missing", &bytes[..middle])] {
        ask(&format!("diff with {what}"), &|| {
            let [a, b] = [bytes, other].map(|bytes| Input::from_slice(bytes, limits));
            let found = diff(&a, &b, &diff::Options::new().limits(limits)).unwrap();
            drop((found.to_string(), serde_json::to_string(&found)));
        });
    }
}

/// Reads everything in a file, as an expert of the format would.
fn read(bytes: &[u8], path: &Path, limits: Limits) {
    if let Ok(table) = idv::Options::new().limits(limits).from_slice(bytes) {
        for column in table.columns().take(64) {
            drop(column.read());
            column.annotations().take(64).for_each(|annotation| drop(annotation.read()));
            drop((column.slot_names(), column.key_values()));
        }
        let _ = table.column("a");
    }
    if let Ok(array) = b2nd::Options::new().limits(limits).open(path) {
        array.metalayer_names().iter().chain(&array.attribute_names()).take(64).for_each(|name| {
            drop((array.attribute(name), array.attribute_value(name), array.metalayer(name)));
        });
    }
    drop(idx::Options::new().limits(limits).from_slice(bytes));
    drop(rawarray::from_slice(bytes));
    drop(
        Array::read(Input::from_slice(bytes, limits), &Options::new().limits(limits))
            .map(|array| array.bytes().map(|bytes| bytes.len())),
    );
}

macro_rules! files {
    ($($name:ident: $bytes:expr;)*) => {$(
        #[test]
        fn $name() {
            stays_in_bounds(stringify!($name), || $bytes);
        }
    )*};
}

const T: Table = Table::PLAIN;

files! {
    gzip_of_empty_members: gzip_members(25_000 * SCALE);
    gzip_with_a_name_of_megabytes: [&[0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 0xFF][..], &vec![b'a'; SCALE << 19], &[0]].concat();
    idx_of_bytes: [&[0, 0, 8, 1, 0, (SCALE as u8) << 3, 0, 0][..], &vec![7; SCALE << 19]].concat();
    rawarray_of_many_axes: raw_array(13_000 * SCALE, 0);
    rawarray_with_metadata: raw_array(1, SCALE << 19);
    columns_with_annotations: Table { columns: 200 * SCALE, annotations: 100, ..T }.file();
    columns_with_annotations_that_share_a_byte: Table { columns: 200 * SCALE, annotations: 100, shared: true, ..T }.file();
    one_column_with_annotations: Table { annotations: 20_000 * SCALE, ..T }.file();
    columns_of_one_block: Table { columns: 10_000 * SCALE, blocks: 1, ..T }.file();
    columns_of_one_name: Table { columns: 10_000 * SCALE, same_name: true, name: 0, ..T }.file();
    columns_of_codecs_in_codecs: Table { columns: 2000 * SCALE, deep: true, ..T }.file();
    columns_with_long_names: Table { columns: 4 * SCALE, name: 100 << 10, ..T }.file();
    blocks_that_share_a_byte: Table { blocks: 30_000 * SCALE, shared: true, ..T }.file();
    blocks_of_a_byte: Table { blocks: 30_000 * SCALE, ..T }.file();
    two_columns_with_long_names: Table { columns: 2, name: SCALE << 19, blocks: 100, ..T }.file();
    a_block_of_empty_texts: one_block("TextSpan", &texts(100_000 * SCALE), 100_000 * SCALE);
    names_of_slots: slot_names(80_000 * SCALE);
    archive_of_streams: zip(600 * SCALE, |number| format!("{number}/Schema"), &Table { blocks: 1, ..T }.file());
    archive_of_other_entries: zip(6000 * SCALE, |number| format!("{number}"), b"x");
    archive_of_empty_entries: zip(6500 * SCALE, |number| format!("{number}"), b"");
    attributes_of_a_frame: frame_with_attribute(&[0xC0; 1]);
    an_attribute_of_many_values: frame_with_attribute(&[&[0xDD, 0, 0x20, 0, 0][..], &vec![0xC0; 0x20_0000]].concat());
    chunks_of_a_byte: b2nd::Writer::new().chunks([1]).to_vec(&ndarray::Array1::<u16>::from_iter(0..2000 * SCALE as u16)).unwrap();
}

/// An array of one byte with this many axes, and this many bytes of metadata.
fn raw_array(axes: usize, metadata: usize) -> Vec<u8> {
    let words = [u64::from_le_bytes(RawArray::magic(Endian::Little)), 0, 2, 1, 1, axes as u64];
    let words = words.into_iter().chain(std::iter::repeat_n(1, axes));
    words.flat_map(u64::to_le_bytes).chain([7]).chain(std::iter::repeat_n(b'm', metadata)).collect()
}

/// A block of empty texts: their number, the end of each, and the length of the whole text.
fn texts(count: usize) -> Vec<u8> {
    [&(count as u32).to_le_bytes()[..], &vec![0; 4 * count + 1]].concat()
}

/// An array without items, with the maximum number of attributes with this content, or some megabytes of them.
fn frame_with_attribute(content: &[u8]) -> Vec<u8> {
    let count = ((SCALE << 19) / (content.len() + 64)).min(16);
    let writer = (0..count.clamp(1, 8000))
        .fold(b2nd::Writer::new(), |writer, number| writer.attribute_bytes(&number.to_string(), content).unwrap());
    writer.to_vec(&ndarray::Array1::<u8>::zeros(0)).unwrap()
}
