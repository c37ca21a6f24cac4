//! A small file of each kind that the tool can read.

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

/// Kinds of files beyond the kinds that `convert` supports.
const FURTHER: [&str; 6] = ["zip", "store", "sparse", "gzip", "text", "nothing"];

/// Inputs other than the files themselves, which are named by options, found automatically, or come from programs. Each
/// has a row in the table of SECURITY.md, like each kind of file.
const BESIDE: [&str; 13] = [
    "seal",
    "baseline",
    "contract",
    "since",
    "list",
    "recipe",
    "ignore",
    "git",
    "stream",
    "format",
    "specification",
    "overlay",
    "response",
];

/// The options that accept a path, and the kind of input at this path; `None` if nothing is read from it.
const OPTIONS: [(&str, Option<&str>); 14] = [
    ("baseline", Some("baseline")),
    ("config", Some("contract")),
    ("files-from", Some("list")),
    ("from", Some("npy")),
    ("html", None),
    ("in-place", Some("npy")),
    ("known-as", None),
    ("minimise", Some("recipe")),
    ("out", None),
    ("out-dir", None),
    ("picture", None),
    ("replay", Some("recipe")),
    ("sealed", Some("seal")),
    ("since", Some("since")),
];

/// Kinds without rules. Commands read their values, or refuse them by kind.
const FOREIGN: [&str; 8] = ["zarr", "zarr.zip", "png", "parquet", "arrow", "arrows", "csv", "jsonl"];

/// A directory with two files of each kind, with the same content.
pub struct Kinds(tempfile::TempDir);

/// The names of all kinds.
pub fn names() -> Vec<&'static str> {
    FileKind::ALL.into_iter().map(FileKind::name).chain(FURTHER).collect()
}

/// Returns whether a file of this kind is a table.
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
        // A contract with the maximum numbers of globs and of wildcards in them.
        let glob = |number| format!("[files.\"{number:02}{}\"]\ntype = \"u1\"\n", "aaaaaaa?".repeat(124));
        fs::write(folder.join("worst.toml"), (0..32).map(glob).collect::<String>()).unwrap();
        kinds
    }

    /// Adds sparse files with arrays of 8 GiB and returns their names.
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

    /// The path of the file of a kind.
    pub fn file(&self, kind: &str) -> String {
        named("file", kind)
    }

    /// The arguments that ask a question about the file of a kind.
    pub fn arguments(&self, question: &Question, kind: &str) -> Vec<String> {
        let target = if is_table(kind) { "out/target.jsonl" } else { "out/target.npy" };
        question.filled(&self.file(kind), &self.other(kind), target)
    }

    /// The path of the other file of a kind.
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

/// Compresses bytes as one gzip member.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    to.write_all(bytes).unwrap();
    to.finish().unwrap()
}

/// Copies a file, or a directory of files.
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
    // File extensions begin with a dot.
    let of_rows: BTreeSet<&str> =
        rows.iter().flat_map(|row| quoted(row[1])).filter(|name| !name.starts_with('.')).collect();
    let all: BTreeSet<&str> = names().into_iter().chain(BESIDE).collect();
    assert_eq!(of_rows, all, "the rows of SECURITY.md are those of the inputs");
    for row in &rows {
        let tests: Vec<_> = quoted(row[4]).collect();
        assert!(!tests.is_empty(), "no test: {row:?}");
        assert!(tests.iter().all(|test| project().join(test).is_file()), "no such file: {tests:?}");
    }
}

/// Adds the options of a command and its subcommands whose value is a path.
fn paths_of(command: &clap::Command, found: &mut BTreeSet<String>) {
    let path = clap::builder::ValueParser::path_buf().type_id();
    let options = command.get_arguments().filter(|argument| argument.get_value_parser().type_id() == path);
    found.extend(options.filter_map(|option| option.get_long().map(str::to_owned)));
    command.get_subcommands().for_each(|inner| paths_of(inner, found));
}

#[test]
fn each_option_that_takes_a_path_says_which_input_it_reads() {
    let mut found = BTreeSet::new();
    paths_of(&crate::support::cli::command_line(), &mut found);
    let known: BTreeSet<String> = OPTIONS.into_iter().map(|(option, _)| option.to_owned()).collect();
    assert_eq!(found, known);
    let inputs: BTreeSet<&str> = names().into_iter().chain(BESIDE).collect();
    let of_options = OPTIONS.into_iter().filter_map(|(_, input)| input);
    assert!(of_options.clone().all(|input| inputs.contains(input)), "{:?}", of_options.collect::<Vec<_>>());
}
