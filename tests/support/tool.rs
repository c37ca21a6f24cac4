//! The tool, run as a user would, in the folder of the corpus.

use super::corpus;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// How a run of the tool ended.
pub struct Ended {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

pub fn command(arguments: &[&str]) -> Command {
    command_in(&corpus::root(), arguments)
}

pub fn command_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ndbytes"));
    command.args(arguments).current_dir(folder).env_remove("CLICOLOR_FORCE").env("NO_COLOR", "1");
    command
}

pub fn run(arguments: &[&str]) -> Ended {
    run_with_input(arguments, &[])
}

pub fn run_with_input(arguments: &[&str], input: &[u8]) -> Ended {
    let mut command = command(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The tool may refuse before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ended {
        status: output.status.code().expect("the tool ends by itself"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
