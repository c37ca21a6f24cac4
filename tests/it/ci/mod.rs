//! `check` in continuous integration: its formats, baselines, folders, and the files that call it there.

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

/// A column whose name would be an element of a page, and the end of a line of a log.
const HOSTILE: &str = "</code><img onerror=x>\r\n::error::\u{202e}|`@all`]](x)%0A\u{1b}[2J\u{7}\"'&";

/// A folder with copies of files of the corpus: a name, and the file that it is.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, file) in files {
        put(folder.path(), name, &fs::read(corpus::root().join(file)).unwrap());
    }
    folder
}

/// Writes a file, and the folders that it is in.
fn put(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// A table whose column has a hostile name, and a codec that nobody knows, of the same name: that is a finding.
fn hostile_table() -> Vec<u8> {
    table(HOSTILE, HOSTILE, 1, &[1, 0, 0, 0])
}

/// Runs the tool in a folder, outside of GitHub's workflows, or with a page of a step in them.
fn run(folder: &Path, arguments: &[&str], page: Option<&Path>) -> Output {
    let mut command = tool::command_in(folder, arguments);
    match page {
        Some(page) => command.env("GITHUB_STEP_SUMMARY", page),
        None => command.env_remove("GITHUB_STEP_SUMMARY"),
    };
    command.output().unwrap()
}

/// The standard output.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    String::from_utf8(run(folder, arguments, None).stdout).unwrap()
}
