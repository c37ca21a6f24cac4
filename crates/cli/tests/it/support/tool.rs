//! Runs the tool like a user, in the directory of the corpus.

use super::cli::{self, Streams};
use ndbytes_testkit::corpus;
use serde_json::Value;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Once;

/// The built tool. No other file of the tests names it.
pub const PATH: &str = env!("CARGO_BIN_EXE_ndbytes");

/// How a run of the tool ended.
pub struct Ended {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    fn of(output: Output) -> Self {
        Ended {
            status: output.status.code().expect("the tool ends by itself"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub fn command(arguments: &[&str]) -> Command {
    command_in(&corpus::root(), arguments)
}

pub fn command_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PATH);
    command.args(arguments).current_dir(folder).env_remove("CLICOLOR_FORCE").env("NO_COLOR", "1");
    command
}

/// Runs the tool in this directory.
pub fn run_in(folder: &Path, arguments: &[&str]) -> Ended {
    Ended::of(command_in(folder, arguments).output().unwrap())
}

/// The JSON in the lines of a text.
pub fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

/// Runs the tool in this process, in the directory of the corpus.
pub fn run(arguments: &[&str]) -> Ended {
    run_with_input(arguments, &[])
}

/// The same, but with this on standard input.
pub fn run_with_input(arguments: &[&str], input: &[u8]) -> Ended {
    enter_the_corpus();
    run_here(arguments, input, None)
}

/// Makes the directory of the corpus the working directory of this process, once. No test depends on another one.
fn enter_the_corpus() {
    static ENTERED: Once = Once::new();
    ENTERED.call_once(|| std::env::set_current_dir(corpus::root()).expect("the corpus is there"));
}

/// Runs the tool in this directory, with this on standard input.
pub fn run_in_with_input(folder: &Path, arguments: &[&str], input: &[u8]) -> Ended {
    let mut command = command_in(folder, arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The tool may fail before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ended::of(output)
}

/// Runs the tool in this process, on a colour terminal with this many columns, or without a terminal.
pub fn run_here<A: Into<OsString>>(
    arguments: impl IntoIterator<Item = A>,
    input: &[u8],
    width: Option<usize>,
) -> Ended {
    let (mut input, mut stdout, mut stderr) = (input, Vec::new(), Vec::new());
    let is_terminal = width.is_some();
    let streams = Streams {
        is_terminal,
        width,
        out_colours: is_terminal,
        err_colours: is_terminal,
        ..Streams::captured(&mut input, &mut stdout, &mut stderr)
    };
    let arguments = ["ndbytes".into()].into_iter().chain(arguments.into_iter().map(Into::into));
    let status = cli::run(arguments, streams).into();
    Ended { status, stdout: String::from_utf8(stdout).unwrap(), stderr: String::from_utf8(stderr).unwrap() }
}

/// Removes colour codes from a text.
pub fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        let (codes, rest) = part.split_once('m').unwrap_or_else(|| panic!("{part:?}"));
        assert!(codes.bytes().all(|byte| byte.is_ascii_digit() || byte == b';'), "{codes:?}");
        plain.push_str(rest);
    }
    plain
}
