//! The answers of the reference readers for every file in the published corpus. They are stored in a file, since the
//! corpus is packed on machines without the readers.

use super::{MlNet, Peers, rawarray_crate, run};
use crate::support::generated::{assert_current, files_below};
use ndbytes::Format;
use ndbytes_testkit::corpus::{self, below_tests, test_file};
use ndbytes_testkit::project;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// The date of the answers. Update it when you regenerate them.
const ASKED: &str = "2026-11-22";

/// Every file with an answer: its format, and its path below `tests`.
fn files() -> Vec<(Format, String)> {
    let samples = corpus::everything().into_iter().filter_map(|sample| Some((sample.format?, sample.path)));
    let mut files: Vec<(Format, String)> = samples.map(|(format, path)| (format, below_tests(&path))).collect();
    for path in files_below("tests/frozen") {
        let format = match path.rsplit('.').next() {
            Some("idv") => Format::Idv,
            Some("npy") => Format::Npy,
            Some("b2nd") => Format::B2nd,
            _ => continue,
        };
        // Files in `stores` are members of a store, which the corpus contains as a whole.
        if !path.contains("/stores/") {
            files.push((format, below_tests(&project().join(path))));
        }
    }
    files.extend(sparse_frozen());
    files.sort_by(|one, other| one.1.cmp(&other.1));
    files
}

/// The arrays in `tests/frozen` that are directories.
fn sparse_frozen() -> Vec<(Format, String)> {
    let frames = files_below("tests/frozen/b2nd");
    let folders = frames.iter().filter_map(|path| path.strip_suffix("/chunks.b2frame"));
    let folders = folders.filter(|path| !path.contains("/stores/"));
    folders.map(|path| (Format::B2nd, below_tests(&project().join(path)))).collect()
}

/// The answers of the Python readers for IDX, `.npy`, b2nd, safetensors and GGUF, and their versions.
fn of_python(peers: &Peers, paths: impl Iterator<Item = PathBuf>) -> (Value, Answers) {
    let mut command = Command::new(&peers.python);
    command.env("PYTHONDONTWRITEBYTECODE", "1").arg(peers.scripts.join("answers.py")).args(paths);
    let answered: Value = serde_json::from_str(&run(command, "answers.py")).unwrap();
    let answers = answered["answers"].as_object().unwrap().iter();
    let answers = answers.map(|(path, answer)| (path.into(), answer == "accepts")).collect();
    (answered["readers"].clone(), answers)
}

/// True if the reader accepts each file.
type Answers = BTreeMap<PathBuf, bool>;

/// The versions of the Python readers, and the answers of all readers for these files.
pub fn asked(files: &[(Format, PathBuf)]) -> (Value, Answers) {
    let (peers, mlnet) = (Peers::find(), MlNet::find());
    let of = |wanted: &'static [Format]| files.iter().filter(|(format, _)| wanted.contains(format));
    let paths = |wanted| of(wanted).map(|(_, path)| path.clone());
    let (readers, mut answers) =
        of_python(&peers, paths(&[Format::Idx, Format::Npy, Format::B2nd, Format::Safetensors, Format::Gguf]));
    let tables: Vec<PathBuf> = paths(&[Format::Idv]).collect();
    let dumps = if tables.is_empty() { Vec::new() } else { mlnet.dumps(&tables) };
    answers.extend(tables.into_iter().zip(dumps.iter().map(|dump| dump.get("refused").is_none())));
    // For other files, the crate is not run, or its answer depends on how it is built.
    answers.extend(paths(&[Format::RawArray]).filter_map(|path| Some((path.clone(), rawarray_crate::answer(&path)?))));
    (readers, answers)
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn recorded_answers_of_the_reference_readers_are_current() {
    let files: Vec<_> = files().into_iter().map(|(format, file)| (format, test_file(&file))).collect();
    let (versions, answers) = asked(&files);
    let word = |accepts: bool| if accepts { "accepts" } else { "refuses" };
    let answers: BTreeMap<String, &str> =
        answers.iter().map(|(path, accepts)| (below_tests(path), word(*accepts))).collect();

    let reader = |name: &str, version: &str| json!({"name": name, "version": version, "asked": ASKED});
    let python = |format: &str, name| reader(name, versions[format].as_str().unwrap());
    let mut text = "{\"readers\":{\n".to_owned();
    let readers = [
        ("idx", python("idx", "idx2numpy")),
        ("rawarray", reader("rawarray, a crate", "0.1.4")),
        ("idv", reader("ML.NET", "1.5")),
        ("b2nd", python("b2nd", "python-blosc2")),
        ("npy", python("npy", "NumPy")),
        ("safetensors", python("safetensors", "safetensors")),
        ("gguf", python("gguf", "gguf")),
    ];
    let readers: Vec<String> = readers.iter().map(|(format, reader)| format!("\"{format}\":{reader}")).collect();
    writeln!(text, "{}}},\n\"answers\":{{", readers.join(",\n")).unwrap();
    let lines: Vec<String> = answers.iter().map(|(path, answer)| format!("{}:\"{answer}\"", json!(path))).collect();
    writeln!(text, "{}}}}}", lines.join(",\n")).unwrap();
    assert_current("tests/peers/answers.json", &text);
}
