//! The formats of `check`, for a directory with a valid, a broken, a foreign and an unreadable file.

use super::{folder, put, run};
use ndbytes_testkit::snapshot::snapshot;
use serde_json::Value;

/// A transcript of one format.
#[cfg(unix)]
fn transcript(arguments: &[&str]) -> String {
    let folder = folder(&[("data/good.idx", "idx/ok/u8-2d.idx"), ("data/bad.idx", "idx/bad/trailing-one.idx")]);
    put(folder.path(), "data/notes.txt", b"foreign\n");
    std::os::unix::fs::symlink("nowhere", folder.path().join("data/lost.idx")).unwrap();
    let ended = run(folder.path(), &[&["check"], arguments].concat(), None);
    let [stdout, stderr] = [ended.stdout, ended.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let shown = match arguments.contains(&"sarif") {
        true => format!("{:#}\n", serde_json::from_str::<Value>(&stdout).unwrap()),
        false => stdout,
    };
    let status = ended.status.code().unwrap();
    format!("$ ndbytes check {}    [exit {status}]\n{shown}{stderr}", arguments.join(" "))
        .replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

#[cfg(unix)]
#[test]
fn every_format_is_as_before() {
    for format in ["text", "json", "sarif", "github", "junit"] {
        snapshot(&format!("check__{format}"), &transcript(&["--format", format, "data"]));
    }
    snapshot("check__summary", &transcript(&["--summary", "data"]));
    let unknown = transcript(&["--unknown", "error", "data"]);
    assert!(unknown.contains("error[unknown-format]: the format is unknown\n"), "{unknown}");
    assert!(unknown.ends_with(
        "4 files: 2 with errors, 1 could not be read, 1 ok\nerror: data/lost.idx: neither a file nor a directory\n"
    ));
}

#[test]
fn json_is_short_for_its_format() {
    let folder = folder(&[("bad.idx", "idx/bad/trailing-one.idx")]);
    let ended = |arguments: &[&str]| run(folder.path(), arguments, None);
    let (short, long) = (ended(&["check", "--json", "."]), ended(&["check", "--format", "json", "."]));
    assert_eq!((short.status.code(), &short.stdout), (Some(1), &long.stdout));
    assert_eq!(ended(&["check", "--json", "--format", "sarif", "."]).status.code(), Some(2));
}

#[test]
fn output_of_every_format_is_bounded() {
    let folder = folder(&[("bad.idx", "idx/bad/trailing-one.idx")]);
    for format in ["text", "json", "sarif", "github", "junit"] {
        let ended = run(folder.path(), &["check", "--max-output", "20", "--format", format, "."], None);
        let message = String::from_utf8(ended.stderr).unwrap();
        assert!(ended.stdout.len() <= 20 && message.contains("`--max-output` allows more"), "{format}: {message}");
        assert_eq!(ended.status.code(), Some(1), "{format}");
    }
}

#[test]
fn no_format_lets_hostile_text_through() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "table.idv", &super::hostile_table());
    for format in ["text", "json", "sarif", "github", "junit"] {
        let ended = run(folder.path(), &["check", "--format", format, "."], None);
        let text = String::from_utf8(ended.stdout).unwrap();
        let is_safe = |letter: char| letter == '\n' || !(letter.is_control() || letter == '\u{202e}');
        assert!(text.chars().all(is_safe), "{format}: {text:?}");
        assert!(text.contains("idv/unknown-codec") && text.contains("img onerror"), "{format}: {text}");
        assert!(text.lines().filter(|line| line.starts_with("::")).count() <= 1, "{text}");
    }
}
