//! The answers of the reference readers about every file that the published corpus has. They are kept in a file, since
//! the corpus is packed where no reader is installed.

use super::{MlNet, Peers, rawarray_crate, run};
use crate::support::generated::{assert_current, files_below};
use crate::support::{corpus, project};
use ndbytes::Format;
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

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn recorded_answers_of_the_reference_readers_are_current() {
    let (peers, mlnet) = (Peers::find(), MlNet::find());
    let files = files();
    let path = |file: &str| project().join("tests").join(file);
    let of = |wanted: &[Format]| -> Vec<PathBuf> {
        files.iter().filter(|(format, _)| wanted.contains(format)).map(|(_, file)| path(file)).collect()
    };
    let mut answers = BTreeMap::new();

    let mut command = Command::new(&peers.python);
    command.env("PYTHONDONTWRITEBYTECODE", "1").arg(peers.scripts.join("answers.py"));
    command.args(of(&[Format::Idx, Format::Npy, Format::B2nd]));
    let answered: Value = serde_json::from_str(&run(command, "answers.py")).unwrap();
    for (path, answer) in answered["answers"].as_object().unwrap() {
        answers.insert(below_tests(path.as_ref()), answer.as_str().unwrap().to_owned());
    }

    let tables = of(&[Format::Idv]);
    for (path, dump) in tables.iter().zip(mlnet.dumps(&tables)) {
        let answer = if dump.get("refused").is_some() { "refuses" } else { "accepts" };
        answers.insert(below_tests(path), answer.to_owned());
    }

    for path in of(&[Format::RawArray]) {
        // Of the others, the crate is not asked, or its answer depends on how it is built.
        if let Some(accepts) = rawarray_crate::answer(&path) {
            answers.insert(below_tests(&path), if accepts { "accepts" } else { "refuses" }.to_owned());
        }
    }

    let reader = |name: &str, version: &str| json!({"name": name, "version": version, "asked": ASKED});
    let python = |format: &str, name| reader(name, answered["readers"][format].as_str().unwrap());
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
