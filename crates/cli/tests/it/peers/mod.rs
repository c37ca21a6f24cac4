//! Other readers of the same files: Kaitai Struct, NumPy, idx2numpy, a reader of RawArray in Python, ML.NET,
//! python-blosc2, DuckDB, Polars, pandas, and the crate `rawarray`.
//!
//! `tests/peers/setup.sh` installs all except the last into `target/peers`. Their tests run only on request: `cargo
//! test --test it -- --ignored peers::`. A missing peer is then a failure.

mod answers;
mod arrays;
#[cfg(feature = "convert")]
pub mod arrow;
mod b2nd;
mod definitions;
mod forged;
mod frames;
#[cfg(feature = "convert")]
mod lakes;
mod npy;
#[cfg(all(feature = "convert", target_os = "linux"))]
mod openings;
mod rawarray_crate;
mod tables;
#[cfg(feature = "convert")]
mod threads;

use crate::support::tool;
use ndbytes::Format;
use ndbytes_testkit::corpus;
use ndbytes_testkit::tables::json::Json;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory in which the peers are installed.
fn installed() -> PathBuf {
    ndbytes_testkit::project().join("target/peers")
}

/// The peers written in Python or JavaScript.
struct Peers {
    scripts: PathBuf,
    python: PathBuf,
    node_modules: PathBuf,
}

impl Peers {
    fn find() -> Self {
        let installed = installed();
        let peers = Peers {
            scripts: ndbytes_testkit::project().join("tests/peers"),
            python: installed.join("venv/bin/python"),
            node_modules: installed.join("node/node_modules"),
        };
        for needed in [&peers.python, &peers.node_modules] {
            assert!(needed.exists(), "{} is missing: run tests/peers/setup.sh", needed.display());
        }
        peers
    }

    /// Runs one of the Python programs on the tool.
    fn check(&self, script: &str, arguments: impl IntoIterator<Item = PathBuf>) {
        let mut command = Command::new(&self.python);
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command.arg(self.scripts.join(script)).arg(tool::PATH).args(arguments);
        run(command, script);
    }

    /// Runs one of the Python programs on a directory.
    fn python(&self, script: &str, arguments: [&str; 3]) {
        let mut command = Command::new(&self.python);
        command.env("PYTHONDONTWRITEBYTECODE", "1").arg(self.scripts.join(script)).args(arguments);
        run(command, script);
    }

    /// The results of python-blosc2 for each of the files, optionally after it has extended the arrays.
    fn read_frames<'p>(&self, paths: impl Iterator<Item = &'p PathBuf>, extend: bool) -> Vec<Value> {
        let mut command = Command::new(&self.python);
        command.env("PYTHONDONTWRITEBYTECODE", "1").arg(self.scripts.join("b2nd_read.py"));
        command.args(extend.then_some("--extend")).args(paths);
        let output = run(command, "b2nd_read.py");
        output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Compiles the Kaitai descriptions to Python. Returns the directory with the parsers.
    fn compile_ksy(&self, folder: &Path) -> PathBuf {
        let compiled = folder.join("kaitai");
        let ksy = ndbytes_testkit::project().join("schemas/ksy");
        let descriptions = fs::read_dir(ksy).unwrap().map(|entry| entry.unwrap().path());
        let mut command = Command::new("node");
        command.env("NODE_PATH", &self.node_modules).arg(self.scripts.join("kaitai/compile.js")).arg(&compiled);
        command.args(descriptions.filter(|path| path.extension().is_some_and(|extension| extension == "ksy")));
        run(command, "compile.js");
        compiled
    }
}

/// The program that runs ML.NET.
struct MlNet {
    tool: PathBuf,
}

impl MlNet {
    fn find() -> Self {
        let tool = installed().join("mlnet/idvtool");
        assert!(tool.exists(), "{} is missing: run tests/peers/setup.sh", tool.display());
        MlNet { tool }
    }

    /// The results of ML.NET for each of the files: a table, or `{"refused": MESSAGE}`.
    fn dumps(&self, paths: &[PathBuf]) -> Vec<Json> {
        self.dump_texts(paths).iter().map(|text| Json::parse(text)).collect()
    }

    fn dump_texts(&self, paths: &[PathBuf]) -> Vec<String> {
        assert!(!paths.is_empty(), "there is nothing to read");
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(&self.tool);
        command.arg("dumps").arg(folder.path()).args(paths);
        run(command, "idvtool");
        let dump = |place| fs::read_to_string(folder.path().join(format!("{place}.json"))).unwrap();
        (0..paths.len()).map(dump).collect()
    }
}

/// The output of the tool for a table.
fn cat(path: &Path) -> Json {
    let output = Command::new(tool::PATH).args(["cat", "--json"]).arg(path).output().unwrap();
    assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
    Json::parse(std::str::from_utf8(&output.stdout).unwrap())
}

/// Runs a program and returns its output.
fn run(mut command: Command, name: &str) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{name}: {error}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name}: {}\n{out}{err}", output.status);
    out.into_owned()
}

/// Returns whether the elements are contiguous in the file.
fn has_plain_elements(format: Format) -> bool {
    matches!(format, Format::Idx | Format::RawArray)
}

fn corpus_files(wanted: impl Fn(Format, &str) -> bool) -> Vec<PathBuf> {
    corpus::samples()
        .into_iter()
        .filter(|sample| sample.format.is_some_and(|format| wanted(format, sample.folder)))
        .map(|sample| sample.path)
        .collect()
}
