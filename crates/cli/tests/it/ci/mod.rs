//! `check` in continuous integration: its formats, baselines, directories, and the files that call it.

mod baseline;
mod files;
mod formats;
mod github;
mod junit;
#[cfg(unix)]
mod pull_request;
mod sarif;
mod summary;
#[cfg(unix)]
mod walk;

use crate::support::tool;
use crate::tool::cli::table;
use ndbytes_testkit::corpus;
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

/// A column name with HTML, and with a line break for a log.
const HOSTILE: &str = "</code><img onerror=x>\r\n::error::\u{202e}|`@all`]](x)%0A\u{1b}[2J\u{7}\"'&";

/// A directory with copies of corpus files, given by name and original.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, file) in files {
        put(folder.path(), name, &fs::read(corpus::root().join(file)).unwrap());
    }
    folder
}

/// Writes a file and creates its directories.
fn put(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// A table whose column has a hostile name, and an unknown codec with the same name, which is a finding.
fn hostile_table() -> Vec<u8> {
    table(HOSTILE, HOSTILE, 1, &[1, 0, 0, 0])
}

/// Runs the tool in a directory, either outside GitHub Actions, or inside with the summary page of a step.
fn run(folder: &Path, arguments: &[&str], page: Option<&Path>) -> Output {
    let mut command = tool::command_in(folder, arguments);
    match page {
        Some(page) => command.env("GITHUB_STEP_SUMMARY", page),
        None => command.env_remove("GITHUB_STEP_SUMMARY"),
    };
    command.output().unwrap()
}

/// Runs the tool and returns its standard output.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    String::from_utf8(run(folder, arguments, None).stdout).unwrap()
}
