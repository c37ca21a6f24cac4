//! The tool's contract: exit status, JSON, standard input, pipes, folders.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod support;

use serde_json::{Value, json};
use std::fs;
use std::io::Read;
use std::process::Stdio;
use support::corpus;
use support::tool::{self, run, run_with_input};

const GOOD: &str = "idx/ok/u8-2d.idx";
const BROKEN: &str = "idx/bad/trailing-one.idx";
const WARNED: &str = "idx/ok/scalar-u8.idx";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

#[test]
fn exit_status() {
    assert_eq!(run(&["check", GOOD]).status, 0);
    assert_eq!(run(&["check", WARNED]).status, 0);
    assert_eq!(run(&["check", "--deny-warnings", WARNED]).status, 1);
    assert_eq!(run(&["check", BROKEN]).status, 1);
    assert_eq!(run(&["check", "no/such/file"]).status, 2);
    assert_eq!(run(&["check", BROKEN, "no/such/file", GOOD]).status, 2);
    assert_eq!(run(&["check"]).status, 2);
    assert_eq!(run(&["frobnicate"]).status, 2);
    for command in ["info", "explain", "cat"] {
        assert_eq!(run(&[command, GOOD]).status, 0, "{command}");
        assert_eq!(run(&[command, BROKEN]).status, 1, "{command}");
        assert_eq!(run(&[command, "no/such/file"]).status, 2, "{command}");
        assert_eq!(run(&[command, "."]).status, 2, "{command} of a folder");
    }
}

#[test]
fn errors_of_the_system_go_to_standard_error() {
    let ended = run(&["check", "no/such/file"]);
    assert!(ended.stderr.contains("no/such/file"), "{}", ended.stderr);
    assert!(!ended.stdout.contains("no/such/file"), "{}", ended.stdout);
}

#[test]
fn info_json() {
    let ended = run(&["info", "--json", GOOD, "rawarray/ok/c64.ra"]);
    let objects = lines(&ended.stdout);
    assert_eq!(objects[0]["path"], GOOD);
    assert_eq!(objects[0]["format"], "idx");
    assert_eq!(objects[0]["version"], Value::Null);
    assert_eq!(objects[0]["table"], Value::Null);
    assert_eq!(objects[0]["array"], json!({"shape": [2, 3], "dtype": "|u1", "order": "C"}));
    assert!(objects[0]["size"].is_u64() && objects[0]["details"].is_object());
    assert_eq!(objects[1]["format"], "rawarray");
    assert_eq!(objects[1]["array"]["dtype"], "<c8");
    assert_eq!(objects[1]["array"]["order"], "F");
}

#[test]
fn check_json() {
    let ended = run(&["check", "--json", GOOD, WARNED, BROKEN, "idx/bad/html.idx"]);
    let objects = lines(&ended.stdout);
    let verdicts: Vec<&Value> = objects.iter().map(|object| &object["verdict"]).collect();
    assert_eq!(verdicts, ["ok", "warning", "error", "error"]);
    assert_eq!(objects[0]["findings"], json!([]));
    let finding = &objects[2]["findings"][0];
    assert_eq!(finding["rule"], "idx/trailing-bytes");
    assert_eq!(finding["severity"], "error");
    for (key, kind) in [("field", "string"), ("offset", "number"), ("length", "number"), ("message", "string")] {
        let is = if kind == "string" { finding[key].is_string() } else { finding[key].is_u64() };
        assert!(is, "{key}");
    }
    assert_eq!(objects[3]["format"], Value::Null);
    assert_eq!(objects[3]["findings"][0]["rule"], "unknown-format");
}

#[test]
fn explain_json_tiles_every_file() {
    for sample in corpus::samples() {
        let ended = run(&["explain", "--json", sample.path.to_str().unwrap()]);
        let object = &lines(&ended.stdout)[0];
        let mut position = 0;
        let spans = object["spans"].as_array().unwrap();
        for span in spans.iter().filter(|span| span["space"] == 0) {
            assert_eq!(span["offset"], position, "{sample}");
            position += span["length"].as_u64().unwrap();
            for key in ["path", "type", "meaning", "doc"] {
                assert!(span[key].is_string(), "{sample}: {key}");
            }
        }
        assert_eq!(position, sample.bytes.len() as u64, "{sample}");
        assert_eq!(object["size"], position, "{sample}");
    }
}

#[test]
fn cat_json_holds_every_value() {
    let ended = run(&["cat", "--json", GOOD]);
    assert_eq!(lines(&ended.stdout)[0]["values"], json!([10, 11, 12, 20, 21, 22]));
    for sample in corpus::samples().iter().filter(|sample| sample.folder == "ok") {
        let ended = run(&["cat", "--json", sample.path.to_str().unwrap()]);
        let object = &lines(&ended.stdout)[0];
        assert_eq!(json!(sample.recipe.shape), object["shape"], "{sample}");
        assert_eq!(json!(sample.recipe.dtype), object["dtype"], "{sample}");
        let elements = object["values"].as_array().unwrap().len();
        assert_eq!(elements, sample.recipe.values.as_ref().unwrap().len(), "{sample}");
    }
}

#[test]
fn standard_input_is_read_like_a_file() {
    for sample in corpus::samples().iter().filter(|sample| sample.recipe.memory.is_none()) {
        let path = sample.path.to_str().unwrap();
        for command in ["check", "explain", "info"] {
            let (from_file, from_input) =
                (run(&[command, "--json", path]), run_with_input(&[command, "--json", "-"], &sample.bytes));
            assert_eq!(from_file.stdout.replace(path, "-"), from_input.stdout, "{sample}: {command}");
            assert_eq!(from_file.status, from_input.status, "{sample}: {command}");
        }
    }
}

#[test]
fn folders_are_walked_in_order() {
    let ended = run(&["check", "--json", "idx/ok"]);
    let paths: Vec<String> =
        lines(&ended.stdout).iter().map(|object| object["path"].as_str().unwrap().into()).collect();
    let mut sorted = paths.clone();
    sorted.sort();
    assert_eq!(paths, sorted);
    let files = fs::read_dir(corpus::root().join("idx/ok")).unwrap().count();
    assert_eq!(paths.len(), files);
    // The recipes lie there too, and are of no known format.
    assert_eq!(ended.status, 1);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.idx");
    ndbytes::idx::write(&path, &ndarray::Array1::<u8>::zeros(1 << 20)).unwrap();
    let mut command = tool::command(&["cat", "--json", path.to_str().unwrap()]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn colour_is_for_terminals_only() {
    let mut command = tool::command(&["explain", GOOD]);
    let plain = command.env_remove("NO_COLOR").output().unwrap();
    assert!(!plain.stdout.contains(&0x1b));
    let mut command = tool::command(&["explain", GOOD]);
    let coloured = command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(coloured.stdout.contains(&0x1b));
}

#[test]
fn export_writes_what_numpy_reads() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.npy");
    assert_eq!(run(&["export", GOOD, out.to_str().unwrap()]).status, 0);
    let npy = fs::read(&out).unwrap();
    assert!(npy.starts_with(b"\x93NUMPY\x01\x00"));
    assert!(npy.ends_with(&[10, 11, 12, 20, 21, 22]));
    assert_eq!((npy.len() - 6) % 64, 0);
    let header = String::from_utf8_lossy(&npy[10..npy.len() - 6]).into_owned();
    assert_eq!(header.trim_end(), "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }");
    assert_eq!(run(&["export", BROKEN, out.to_str().unwrap()]).status, 1);
    assert_eq!(fs::read(&out).unwrap(), npy, "a refused export leaves the old file");
    assert_eq!(run(&["export", GOOD, "no/such/folder/out.npy"]).status, 2);
}

#[test]
fn the_memory_limit_is_kept() {
    let limited = corpus::samples().into_iter().find(|sample| sample.recipe.memory.is_some()).unwrap();
    let path = limited.path.to_str().unwrap();
    assert_eq!(run(&["check", path]).status, 0);
    let ended = run(&["check", "--max-memory", "1K", path]);
    assert_eq!(ended.status, 1);
    assert!(ended.stdout.contains("limit-exceeded"), "{}", ended.stdout);
    assert_eq!(run(&["check", "--max-memory", "lots", path]).status, 2);
}
