//! The answers of the reference readers about every file that the published corpus has. They are kept in a file, since
//! the corpus is packed where no reader is installed.

use super::{MlNet, Peers, rawarray_crate, run};
use crate::support::generated::{assert_current, files_below};
use ndbytes::Format;
use ndbytes_testkit::{corpus, project};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// The day on which the readers were asked. Whoever makes the answers again changes it.
const ASKED: &str = "2026-11-22";

/// Every file that somebody is asked about: its format, and its path below `tests`.
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
        // Those of stores are members of a store, which the corpus has as a whole.
        if !path.contains("/stores/") {
            files.push((format, below_tests(&project().join(path))));
        }
    }
    files.extend(sparse_frozen());
    files.sort_by(|one, other| one.1.cmp(&other.1));
    files
}

/// The arrays of `tests/frozen` that are folders.
fn sparse_frozen() -> Vec<(Format, String)> {
    let frames = files_below("tests/frozen/b2nd");
    let folders = frames.iter().filter_map(|path| path.strip_suffix("/chunks.b2frame"));
    let folders = folders.filter(|path| !path.contains("/stores/"));
    folders.map(|path| (Format::B2nd, below_tests(&project().join(path)))).collect()
}

fn below_tests(path: &std::path::Path) -> String {
    path.strip_prefix(project().join("tests")).unwrap().to_str().unwrap().replace('\\', "/")
}

/// The answers of the readers of Python about IDX, `.npy` and b2nd, and their versions.
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

/// The versions of the readers of Python, and the answers of all readers about files of these formats.
pub fn asked(files: &[(Format, PathBuf)]) -> (Value, Answers) {
    let (peers, mlnet) = (Peers::find(), MlNet::find());
    let of = |wanted: &'static [Format]| files.iter().filter(|(format, _)| wanted.contains(format));
    let paths = |wanted| of(wanted).map(|(_, path)| path.clone());
    let (readers, mut answers) = of_python(&peers, paths(&[Format::Idx, Format::Npy, Format::B2nd]));
    let tables: Vec<PathBuf> = paths(&[Format::Idv]).collect();
    let dumps = if tables.is_empty() { Vec::new() } else { mlnet.dumps(&tables) };
    answers.extend(tables.into_iter().zip(dumps.iter().map(|dump| dump.get("refused").is_none())));
    // Of the others, the crate is not asked, or its answer depends on how it is built.
    answers.extend(paths(&[Format::RawArray]).filter_map(|path| Some((path.clone(), rawarray_crate::answer(&path)?))));
    (readers, answers)
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn recorded_answers_of_the_reference_readers_are_current() {
    let files: Vec<_> =
        files().into_iter().map(|(format, file)| (format, project().join("tests").join(file))).collect();
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
    ];
    let readers: Vec<String> = readers.iter().map(|(format, reader)| format!("\"{format}\":{reader}")).collect();
    writeln!(text, "{}}},\n\"answers\":{{", readers.join(",\n")).unwrap();
    let lines: Vec<String> = answers.iter().map(|(path, answer)| format!("{}:\"{answer}\"", json!(path))).collect();
    writeln!(text, "{}}}}}", lines.join(",\n")).unwrap();
    assert_current("tests/peers/answers.json", &text);
}
