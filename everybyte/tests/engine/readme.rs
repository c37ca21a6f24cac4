//! The README: its program is the one in the crate outside the workspace, and its commands print what it shows.

#![allow(dead_code, reason = "the program has a `main`")]

use everybyte::tool::{self, Outcome};
use std::ffi::OsString;
use std::fs;

include!("../stranger/src/main.rs");

const README: &str = include_str!("../../README.md");

#[test]
fn the_program_of_the_readme_is_that_of_the_stranger() {
    assert!(README.contains(&format!("```rust,no_run\n{}```", include_str!("../stranger/src/main.rs"))));
}

/// Returns the bytes that `printf` prints for its argument.
fn printed(format: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut letters = format.bytes().peekable();
    while let Some(letter) = letters.next() {
        if letter != b'\\' {
            bytes.push(letter);
            continue;
        }
        let mut code = 0;
        let mut digits = 0;
        while digits < 3
            && let Some(digit) = letters.next_if(|letter| matches!(letter, b'0'..=b'7'))
        {
            code = code * 8 + (digit - b'0');
            digits += 1;
        }
        assert!(digits > 0, "{format}");
        bytes.push(code);
    }
    bytes
}

/// Runs every `printf … > FILE`, and compares the output of every command, in page order.
#[test]
fn the_commands_of_the_readme_print_what_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = 0;
    for block in README.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for command in block.split("$ ").skip(1) {
            let (line, output) = command.split_once('\n').unwrap();
            if let Some(file) = line.strip_prefix("printf '") {
                let (format, name) = file.split_once("' > ").unwrap();
                fs::write(folder.path().join(name), printed(format)).unwrap();
                continue;
            }
            let words: Vec<&str> = line.strip_prefix("cargo run -q -- ").unwrap().split(' ').collect();
            let argument =
                |word: &&str| match word.starts_with("--") || word.contains('=') || word.parse::<u64>().is_ok() {
                    true => OsString::from(word.trim_matches('\'')),
                    false => folder.path().join(word).into(),
                };
            let arguments: Vec<OsString> =
                std::iter::once(words[0].into()).chain(words[1..].iter().map(argument)).collect();
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let outcome = tool::run::<Conf>(&arguments, &mut out, &mut err).unwrap();
            let around = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
            let out = String::from_utf8(out).unwrap().replace(&around, "");
            assert_eq!(out.trim_end(), output.trim_end(), "{line}: {}", String::from_utf8_lossy(&err));
            assert_eq!(outcome == Outcome::Clean, ["explain", "set", "forge"].contains(&words[0]), "{line}");
            assert!(err.is_empty());
            shown += 1;
        }
    }
    assert_eq!(shown, 6);
}
