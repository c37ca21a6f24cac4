//! Runs the commands in the fuzzing guide.
//!
//! A comment above each block of commands states how to run it. `run: NEEDS` runs in order, in a directory for all
//! blocks; `run-long: NEEDS` runs only in the test that is ignored by default; `not run: REASON` never runs. ` | finds
//! PATTERN` means that the commands may fail, and that they leave such files. Missing requirements are printed by name.

use crate::support::tool;
use ndbytes_testkit::project;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A block of commands of the guide.
#[derive(Debug)]
struct Block {
    is_long: bool,
    needs: Vec<String>,
    /// The file that the commands leave if they succeed.
    finds: Option<String>,
    commands: String,
}

/// The blocks that run, in order. Every other block states why it does not run.
fn blocks() -> Vec<Block> {
    let guide = fs::read_to_string(project().join("docs/src/fuzz-your-reader.md")).unwrap();
    let mut found = Vec::new();
    let parts: Vec<&str> = guide.split("```sh\n").collect();
    for (before, after) in parts.iter().zip(&parts[1..]) {
        let commands = after.split("```").next().unwrap().to_owned();
        let Some(mark) = before.trim_end().lines().last().and_then(|line| line.strip_prefix("<!-- ")) else {
            assert!(commands.starts_with("cp NDBYTES/"), "nobody says whether this runs:\n{commands}");
            continue;
        };
        let (how, what) = mark.strip_suffix(" -->").unwrap().split_once(": ").unwrap();
        if how == "not run" {
            continue;
        }
        assert!(["run", "run-long"].contains(&how), "{mark}");
        let (needs, finds) = what.split_once(" | finds ").unwrap_or((what, ""));
        found.push(Block {
            is_long: how == "run-long",
            needs: needs.split(' ').map(str::to_owned).collect(),
            finds: (!finds.is_empty()).then(|| finds.to_owned()),
            commands,
        });
    }
    found
}

/// The search path for programs: the tool, the peers' Pythons, and all others.
fn programs() -> std::ffi::OsString {
    let mut folders = vec![Path::new(tool::PATH).parent().unwrap().to_owned()];
    let own = project().join("target/atheris/bin");
    folders.extend(own.is_dir().then_some(own));
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    std::env::join_paths(folders).unwrap()
}

fn shell(folder: &Path, commands: &str) -> std::process::Output {
    let mut command = Command::new("bash");
    command.args(["-euo", "pipefail", "-c", commands]).current_dir(folder).env("PATH", programs());
    command.env("PYTHONDONTWRITEBYTECODE", "1").output().expect("the commands are for bash")
}

/// The library of the forge, which Cargo builds next to this program for the tests of the workspace.
fn library() -> PathBuf {
    std::env::current_exe().unwrap().with_file_name("libndbytes_forge.so")
}

fn is_there(need: &str, folder: &Path) -> bool {
    match need.split_once(':') {
        Some(("python3", module)) => shell(folder, &format!("python3 -c 'import {module}'")).status.success(),
        _ if need == "forge" => shell(folder, "ndbytes forge --help").status.success(),
        _ if need == "library" => library().exists(),
        // Debian also packages clang without its sanitizer libraries.
        _ if need == "clang" => {
            let probe = "int LLVMFuzzerTestOneInput(const char *bytes, long length) { return 0; }";
            let commands = format!("echo '{probe}' | clang -fsanitize=address,fuzzer -x c - -o probe && rm probe");
            shell(folder, &commands).status.success()
        }
        _ => shell(folder, &format!("command -v {need}")).status.success(),
    }
}

/// Runs the blocks of the guide, including the long ones on request.
fn run_guide(with_long: bool) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for entry in fs::read_dir(project().join("examples/fuzz-your-reader")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
    }
    // Outside Linux, it has another name, and blocks that need it are skipped by name.
    if library().exists() {
        fs::copy(library(), folder.join("libndbytes_forge.so")).unwrap();
    }
    for block in blocks().iter().filter(|block| with_long || !block.is_long) {
        let missing: Vec<&String> = block.needs.iter().filter(|need| !is_there(need, folder)).collect();
        if !missing.is_empty() {
            let first = block.commands.lines().next().unwrap();
            // Bypasses the output capture of the test harness.
            io::stderr().write_all(format!("guide: skipped without {missing:?}: {first}\n").as_bytes()).unwrap();
            continue;
        }
        let output = shell(folder, &block.commands);
        let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let end = &printed[printed.len().saturating_sub(4000)..];
        match &block.finds {
            None => assert!(output.status.success(), "{}{end}", block.commands),
            Some(pattern) => {
                let is_found = shell(folder, &format!("ls {pattern}")).status.success();
                assert!(is_found, "nothing is found:\n{}{end}", block.commands);
            }
        }
    }
}

#[test]
fn the_quick_commands_of_the_guide_to_fuzzing_run() {
    assert!(blocks().len() >= 8, "{:?}", blocks());
    run_guide(false);
}

#[test]
#[ignore = "takes minutes, and engines that fuzz"]
fn all_commands_of_the_guide_to_fuzzing_run() {
    run_guide(true);
}
