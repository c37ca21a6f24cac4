//! Other programs that make the files of a format, and read them.

use crate::all;
use crate::promises::Promises;
use everybyte::Value;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of a format that the gate makes.
const FILES: usize = 36;

/// The formats whose files are found on this machine.
const FOUND: [&str; 1] = ["elf"];

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the script of the peers, and gives the lines that it prints.
fn run(arguments: &[&str]) -> Vec<String> {
    let python = project().join("target/peers/venv/bin/python");
    assert!(python.exists(), "{} is missing: run tests/peers/setup.sh", python.display());
    let mut command = Command::new(python);
    command.arg(project().join("tests/peers/formats/run.py")).args(arguments).env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The files of a format by another program, and what that reads in them.
fn files(format: &Promises, folder: &Path, count: usize) -> Vec<(PathBuf, Json)> {
    let (folder, count) = (folder.to_str().unwrap(), count.to_string());
    let lines = match FOUND.contains(&format.name) {
        true => run(&["find", format.name, &count]),
        false => run(&["make", format.name, folder, &count]),
    };
    let told = lines.iter().map(|line| serde_json::from_str::<Json>(line).unwrap());
    told.map(|told| (PathBuf::from(told["file"].as_str().unwrap()), told["values"].clone())).collect()
}

/// Returns whether a field has the value that another program reads.
fn is_same(value: &Value, other: &Json) -> bool {
    match (value, other) {
        (Value::Uint(number), Json::Number(other)) => other.as_u128() == Some(*number),
        (Value::Int(number), Json::Number(other)) => other.as_i128() == Some(*number),
        (Value::Single(number), Json::Number(other)) => other.as_f64().is_some_and(|other| other as f32 == *number),
        (Value::Float(number), Json::Number(other)) => other.as_f64() == Some(*number),
        (Value::Flags(bits), Json::Number(other)) => other.as_u64() == Some(*bits),
        (Value::Text(text), Json::String(other)) => text == other,
        (Value::Name(name), Json::String(other)) => **name == **other,
        (Value::Bytes(..), Json::String(other)) => value.to_string() == *other,
        _ => false,
    }
}

/// What of a file another program reads differently.
fn difference(values: &HashMap<String, Value>, told: &Json) -> Option<String> {
    let differs = |(path, other): (&String, &Json)| match values.get(path) {
        Some(value) if is_same(value, other) => None,
        value => Some(format!("{path} is {value:?}, and {other} by the other program")),
    };
    told.as_object().unwrap().iter().find_map(differs)
}

#[test]
#[ignore = "needs tests/peers/setup.sh"]
fn files_of_other_programs_are_explained_written_back_and_have_the_same_values() {
    let count = std::env::var("FORMAT_FILES").map_or(FILES, |count| count.parse().unwrap());
    let mut wrong = Vec::new();
    for format in all() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(&format, folder.path(), count);
        assert_eq!(files.len(), count, "{}", format.name);
        let (before, mut compared) = (wrong.len(), 0);
        for (path, told) in &files {
            let file = std::fs::read(path).unwrap();
            let found = (format.broken)(&file).or_else(|| difference(&(format.values)(&file), told));
            compared += told.as_object().unwrap().len();
            wrong.extend(found.map(|found| format!("{}: {found}", path.display())));
        }
        println!("{}: {count} files, {compared} values, {} wrong", format.name, wrong.len() - before);
        assert!(compared > count, "{}", format.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
