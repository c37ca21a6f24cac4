//! Tests of the C interface from C programs.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory of the libraries, which Cargo puts next to this program.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().expect("a program is in a folder").to_owned()
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
    text
}

/// Compiles a program and links it with the static library.
fn compiled(name: &str, flags: &[&str]) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-g"]).args(flags).arg("-I").arg(source(""));
    cc.arg(source("tests/abi.c")).arg(libraries().join("libndbytes_forge.a"));
    run(cc.args(["-lpthread", "-ldl", "-lm", "-o"]).arg(&program));
    program
}

#[test]
fn every_function_does_what_the_header_says() {
    run(&mut Command::new(compiled("abi", &[])));
}

#[test]
fn no_function_touches_bytes_that_are_not_its_own() {
    run(&mut Command::new(compiled("abi-asan", &["-fsanitize=address,undefined", "-fno-sanitize-recover"])));
}

/// Writes the specification of a format that consists of a length and that many bytes.
fn specification(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = "meta: {id: note}\nseq: [{id: length, type: u1}, {id: text, size: length}]\n";
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn inputs_are_mutated_along_a_specification_that_is_named() {
    let options = format!("spec={},only=text,repair=1", specification("note.ksy").display());
    run(Command::new(compiled("abi-spec", &["-fsanitize=address,undefined", "-fno-sanitize-recover"])).arg(options));
}

#[test]
fn a_specification_and_a_kind_exclude_each_other() {
    let options = format!("spec={},format=idx", specification("refused.ksy").display());
    let program = Command::new(compiled("abi-refused", &[])).arg(options).output().unwrap();
    let message = String::from_utf8_lossy(&program.stderr);
    assert!(!program.status.success());
    assert_eq!(message.lines().last(), Some("NDBYTES_FORGE: `format` and `spec` exclude each other"));
}

#[test]
fn header_declares_each_symbol_of_the_library_and_no_other() {
    let header = std::fs::read_to_string(source("ndbytes_forge.h")).unwrap();
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_own =
        |name: &&str| ["afl_custom_", "LLVMFuzzerCustom", "ndbytes_forge_"].iter().any(|own| name.starts_with(own));
    let code: String = header.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, code)| code)).collect();
    let words = |text: &str| -> Vec<String> {
        let mut words: Vec<String> =
            text.split(|letter| !is_letter(letter)).filter(is_own).map(str::to_owned).collect();
        words.sort();
        words.dedup();
        words
    };
    let symbols = run(Command::new("nm").args(["-D", "--defined-only"]).arg(libraries().join("libndbytes_forge.so")));
    assert_eq!(words(&code), words(&symbols));
}

#[test]
fn mutating_starts_no_thread() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let program = compiled("abi-threads", &[]);
    let trace = Command::new("strace").args(["-f", "-e", "trace=clone,clone3,fork,vfork"]).arg(&program).output();
    let Ok(trace) = trace else {
        eprintln!("not run: there is no strace");
        return;
    };
    let text = String::from_utf8_lossy(&trace.stderr);
    assert!(trace.status.success() && !text.contains("clone"), "{text}");
}
