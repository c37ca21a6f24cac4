//! A small file of each kind that the tool reads.

use super::table::Question;
use crate::support::tool::run_in;
use ndarray::Array1;
use ndbytes::b2nd;
use ndbytes_convert::FileKind;
use ndbytes_testkit::project;
use ndbytes_testkit::zip::{Entry, zip};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Kinds of files that are no kinds of conversions.
const FURTHER: [&str; 6] = ["zip", "store", "sparse", "gzip", "text", "nothing"];

/// Kinds that only `convert` reads. Other commands take such files for what they are: files of no known format.
pub const FOREIGN: [&str; 9] = ["safetensors", "zarr", "zarr.zip", "png", "parquet", "arrow", "arrows", "csv", "jsonl"];

/// A folder with two files of each kind, which hold the same.
pub struct Kinds(tempfile::TempDir);

/// The names of all kinds.
pub fn names() -> Vec<&'static str> {
    FileKind::ALL.into_iter().map(FileKind::name).chain(FURTHER).collect()
}

/// Returns whether a file of this kind holds a table.
pub fn is_table(kind: &str) -> bool {
    kind.parse::<FileKind>().is_ok_and(FileKind::is_table)
}

impl Kinds {
    pub fn new() -> Self {
        let kinds = Kinds(tempfile::tempdir().unwrap());
        let (folder, samples) = (kinds.folder(), project().join("samples"));
        fs::create_dir(folder.join("out")).unwrap();
        for kind in FileKind::ALL {
            let (input, slice) = match is_table(kind.name()) {
                true => ("trees.idv", ""),
                false => ("digits-idx3-ubyte.gz", "[0]"),
            };
            let input = format!("{}{slice}", samples.join(input).display());
            let made = run_in(folder, &["convert", "--quiet", "--lossy", &input, &kinds.file(kind.name())]);
            assert_eq!(made.status, 0, "{}: {}", kind.name(), made.stderr);
        }
        let npy = fs::read(folder.join(kinds.file("npy"))).unwrap();
        fs::write(folder.join(kinds.file("zip")), zip(&[Entry::deflated("a.npy", &npy)])).unwrap();
        fs::copy(samples.join("digits-idx1-ubyte"), folder.join("labels-idx1-ubyte")).unwrap();
        fs::write(folder.join(kinds.file("gzip")), gzip(&fs::read(samples.join("digits-idx1-ubyte")).unwrap()))
            .unwrap();
        let (sparse, array) = (b2nd::Writer::new().chunks([5]).sparse(true), Array1::from_iter(0..12_i16));
        sparse.write(folder.join(kinds.file("sparse")), &array).unwrap();
        fs::create_dir(folder.join(kinds.file("store"))).unwrap();
        fs::copy(samples.join("temperatures.b2nd"), folder.join(kinds.file("store")).join("a.b2nd")).unwrap();
        fs::write(folder.join(kinds.file("store")).join("embed.b2e"), "").unwrap();
        fs::write(folder.join(kinds.file("text")), "neither an array nor a table\n".repeat(400)).unwrap();
        fs::write(folder.join(kinds.file("nothing")), "").unwrap();
        for kind in names() {
            copy(&folder.join(kinds.file(kind)), &folder.join(kinds.other(kind)));
        }
        let sealed = run_in(folder, &["seal", "--broken", "--out", "of.seal", &kinds.file("npy")]);
        assert_eq!(sealed.status, 0, "{}", sealed.stderr);
        // As many globs and signs in them as a contract may have.
        let glob = |number| format!("[files.\"{number:02}{}\"]\ntype = \"u1\"\n", "aaaaaaa?".repeat(124));
        fs::write(folder.join("worst.toml"), (0..32).map(glob).collect::<String>()).unwrap();
        kinds
    }

    /// Adds arrays of 8 GiB, of which the disk has only the beginning, and returns their names.
    pub fn large(&self) -> [&'static str; 3] {
        const LENGTH: u32 = u32::MAX >> 1;
        let words = [0, 2, 4, u64::from(LENGTH) * 4, 1, u64::from(LENGTH)];
        let ra = [b"rawarray".to_vec(), words.iter().flat_map(|word: &u64| word.to_le_bytes()).collect()].concat();
        let idx = [&[0, 0, 12, 1][..], &LENGTH.to_be_bytes()].concat();
        let dict = format!("{{'descr': '<u4', 'fortran_order': False, 'shape': ({LENGTH},), }}");
        let npy = format!("\u{93}NUMPY\u{1}\0v\0{dict:117}\n");
        let npy = npy.chars().map(|letter| letter as u8).collect();
        for (name, head) in [("large.ra", ra), ("large.idx", idx), ("large.npy", npy)] {
            fs::write(self.folder().join(name), &head).unwrap();
            let file = fs::File::options().write(true).open(self.folder().join(name)).unwrap();
            file.set_len(head.len() as u64 + u64::from(LENGTH) * 4).unwrap();
        }
        ["large.ra", "large.idx", "large.npy"]
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The file of a kind, in the folder.
    pub fn file(&self, kind: &str) -> String {
        named("file", kind)
    }

    /// The arguments that ask a question about the file of a kind.
    pub fn arguments(&self, question: &Question, kind: &str) -> Vec<String> {
        let target = if is_table(kind) { "out/target.jsonl" } else { "out/target.npy" };
        question.filled(&self.file(kind), &self.other(kind), target)
    }

    /// The other one.
    pub fn other(&self, kind: &str) -> String {
        named("other", kind)
    }
}

fn named(name: &str, kind: &str) -> String {
    match kind {
        "store" => format!("{name}.b2d"),
        "sparse" => format!("{name}-sparse.b2nd"),
        "gzip" => format!("{name}-idx1-ubyte.gz"),
        kind => format!("{name}.{kind}"),
    }
}

/// The bytes in one member of gzip.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    to.write_all(bytes).unwrap();
    to.finish().unwrap()
}

/// Copies a file, or a folder of files.
fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::copy(from, to).unwrap();
        return;
    }
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        copy(&path, &to.join(path.file_name().unwrap()));
    }
}

#[test]
fn each_kind_that_is_read_has_a_file() {
    let kinds = Kinds::new();
    let all: BTreeSet<&str> = names().into_iter().collect();
    assert_eq!(all.len(), names().len(), "no kind is named twice");
    for kind in names() {
        assert!(kinds.folder().join(kinds.file(kind)).exists(), "{kind}");
    }
    assert!(FOREIGN.iter().all(|kind| all.contains(kind)));
}

/// The words in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn each_kind_has_a_row_in_the_table_of_inputs_and_each_row_a_test() {
    let text = fs::read_to_string(project().join("SECURITY.md")).unwrap();
    let table = text.split("\n| input |").nth(1).expect("a table of inputs").lines().skip(2);
    let rows: Vec<Vec<&str>> =
        table.take_while(|line| line.starts_with('|')).map(|line| line.split('|').collect()).collect();
    let of_rows: BTreeSet<&str> = rows.iter().flat_map(|row| quoted(row[1])).collect();
    let missing: Vec<_> = names().into_iter().filter(|name| !of_rows.contains(name)).collect();
    assert!(missing.is_empty(), "SECURITY.md has no row for {missing:?}");
    for row in &rows {
        let tests: Vec<_> = quoted(row[4]).collect();
        assert!(!tests.is_empty(), "no test: {row:?}");
        assert!(tests.iter().all(|test| project().join(test).is_file()), "no such file: {tests:?}");
    }
}
