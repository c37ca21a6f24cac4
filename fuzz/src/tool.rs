//! The output of the tool about arbitrary files. The tool runs in this process.

use crate::bounds::limits;
use crate::scratch;
use crate::share::{Question, Share};
use ndbytes_cli::{Streams, run};
use serde::de::{Deserialize, IgnoredAny};
use serde_json::{Deserializer, Value};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};

/// The bound on the output about a file: a multiple of its length, plus a constant.
const TIMES: usize = 64;
const BESIDES: usize = 64 << 10;

/// The maximum amount of machine-readable output to examine, since a few bytes can expand to any number of values.
const MOST: usize = 4 << 20;

/// How a run of the tool ended.
pub struct Ended {
    pub status: u8,
    pub out: String,
    pub err: String,
    /// True if nothing was cut off.
    is_whole: bool,
}

/// Standard output that accepts at most [`MOST`] bytes.
#[derive(Default)]
struct Sink {
    bytes: Vec<u8>,
    is_full: bool,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_full |= self.bytes.len() + bytes.len() > MOST;
        if self.is_full {
            return Err(io::Error::other("enough"));
        }
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs a command on a file or standard input, with a memory limit, on a terminal with this many columns or without one.
pub fn tool(arguments: &[&str], path: &str, input: &[u8], width: Option<usize>, memory: u64) -> Ended {
    let (mut input, mut out, mut err) = (input, Sink::default(), Sink::default());
    let memory = memory.to_string();
    let words = ["ndbytes", "--max-memory", &memory].into_iter().chain(arguments.iter().copied()).chain([path]);
    let is_terminal = width.is_some();
    let streams = Streams {
        is_terminal,
        width,
        out_colours: is_terminal,
        err_colours: is_terminal,
        ..Streams::captured(&mut input, &mut out, &mut err)
    };
    let status = run(words.map(OsString::from).collect::<Vec<_>>(), streams);
    assert!(!err.is_full, "{arguments:?}: standard error is short");
    let text = |bytes| String::from_utf8(bytes).expect("whatever is printed is UTF-8");
    let is_whole = !out.is_full;
    // Truncated output may end within a character.
    let out = if is_whole { text(out.bytes) } else { String::from_utf8_lossy(&out.bytes).into_owned() };
    Ended { status, out, err: text(err.bytes), is_whole }
}

/// The same, but with the usual memory limit.
fn asked(arguments: &[&str], path: &str, input: &[u8], width: Option<usize>) -> Ended {
    tool(arguments, path, input, width, limits().memory)
}

/// Asserts the guarantees for the tool's output about arbitrary files. `check` runs on every file, the others on a share.
pub fn examine(file: &[u8]) {
    let share = Share::of(file);
    let path = scratch::path();
    fs::write(&path, file).expect("the scratch file can be written");
    let path = path.to_str().expect("the scratch file has a plain name");
    let width = [None, Some(1), Some(40), Some(120)][file.len() % 4];
    let status = judged(path, file, share);
    if share.asks(Question::ToolInfo) && shown("info", path, file, width) == 1 {
        assert_eq!(status, 1, "what cannot be described has an error");
    }
    if share.asks(Question::ToolExplain) {
        let explain = shown("explain", path, file, width);
        // In an archive, a stream must be selected.
        assert!(explain == status || explain == 2, "explain ends with {explain}, check with {status}");
    }
    if share.asks(Question::ToolCat) {
        shown("cat", path, file, width);
    }
    if share.asks(Question::ToolShow) {
        let picture = asked(&["show"], path, &[], width);
        assert_harmless(&plain(&picture.out, width), "show");
    }
    if share.asks(Question::ToolPage) {
        let page = asked(&["explain", "--html", "-"], "-", file, None);
        assert_harmless(&page.out, "a page");
    }
}

/// Runs a command with text output and with machine-readable output. Both must have the same status.
fn shown(command: &str, path: &str, file: &[u8], width: Option<usize>) -> u8 {
    let text = asked(&[command], path, &[], width);
    let printed = text.out.len() + text.err.len();
    assert!(printed <= TIMES * file.len() + BESIDES, "{command}: {printed} bytes about {}", file.len());
    assert_harmless(&plain(&text.out, width), command);
    assert_harmless(&plain(&text.err, width), command);
    let json = asked(&[command, "--json"], path, &[], width);
    assert_harmless(&json.out, command);
    if json.is_whole {
        // If values end early, the table or array is incomplete, but other objects are complete.
        if json.status == 0 || command != "cat" {
            assert_json(&json.out, command);
        }
        // The broken part may be one that `cat` does not show.
        assert!(text.status == json.status || (command == "cat" && text.status < json.status), "{command}");
    }
    text.status
}

/// Checks the file and returns the status. Asserts that it is the same with text output, and for standard input.
fn judged(path: &str, file: &[u8], share: Share) -> u8 {
    let json = asked(&["check", "--json"], path, &[], None);
    assert_harmless(&json.out, "check --json");
    let verdicts: Vec<Value> = json.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let is_broken = verdicts.iter().any(|object| object["verdict"] == "error");
    assert_eq!(json.status == 1, is_broken, "{}", json.out);
    if share.asks(Question::ToolCheck) {
        let text = asked(&["check"], path, &[], None);
        assert_eq!(text.status, json.status);
        assert_harmless(&text.out, "check");
        assert_eq!(text.out.contains("with errors"), is_broken, "{}", text.out);
        let piped = asked(&["check", "--json"], "-", file, None);
        // Archives are opened only if they are files, and the bytes of a stream are also debited.
        if !file.starts_with(b"PK") && !piped.out.contains("limit-exceeded") {
            assert_eq!(piped.out, json.out.replace(path, "-"));
        }
    }
    json.status
}

/// Asserts that a text consists of JSON objects. Half characters are accepted here.
pub fn assert_json(text: &str, what: &str) {
    let mut reader = Deserializer::from_str(text);
    reader.disable_recursion_limit();
    while reader.end().is_err() {
        IgnoredAny::deserialize(&mut reader).unwrap_or_else(|error| panic!("{what}: {error}: {text}"));
    }
}

/// Removes colour codes, which only terminals get.
fn plain(text: &str, width: Option<usize>) -> String {
    if width.is_none() {
        return text.to_owned();
    }
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (codes, rest) = part.split_once('m').expect("colours end");
        assert!(codes.bytes().all(|byte| byte.is_ascii_digit() || byte == b';'), "{codes:?}");
        plain.push_str(rest);
    }
    plain
}

/// Asserts that nothing controls a terminal or changes the order of characters.
pub fn assert_harmless(text: &str, what: &str) {
    let is_harmful = |letter: char| {
        (letter.is_control() && letter != '\n')
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    assert!(!text.contains(is_harmful), "{what}: {text:?}");
}
