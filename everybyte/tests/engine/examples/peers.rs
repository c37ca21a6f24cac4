//! Other programs that make the files of a format, and read them.

use super::all;
use super::promises::Promises;
use everybyte::forge::Repair;
use everybyte::map::Value;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The number of files per format that the gate makes.
const FILES: usize = 36;

/// The formats whose files are found on this machine.
const FOUND: [&str; 1] = ["elf"];

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the script of the peers and returns the lines that it prints.
fn run(arguments: &[&str]) -> Vec<String> {
    let python = project().join("target/peers/venv/bin/python");
    assert!(python.exists(), "{} is missing: run tests/peers/setup.sh", python.display());
    let mut command = Command::new(python);
    command.arg(project().join("tests/peers/formats/run.py")).args(arguments).env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Returns the files that another program makes in a format, and the values that it reads from them.
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

/// Returns the first value of a file that another program reads differently.
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

/// Runs a Node program with the packages of the peers.
fn node(script: &str, arguments: &[&Path]) {
    let modules = project().join("target/peers/node/node_modules");
    let mut command = Command::new("node");
    command.env("NODE_PATH", modules).arg(project().join("tests/peers").join(script)).args(arguments);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Kaitai Struct compiles each definition, and its parsers read the values that the map shows. A definition states what it cannot
/// express.
#[test]
#[ignore = "needs tests/peers/setup.sh"]
fn definitions_for_kaitai_struct_compile_and_their_parsers_read_the_same_numbers() {
    let (all, folder) = (all(), tempfile::tempdir().unwrap());
    let definition = |format: &Promises| folder.path().join(format.name).with_extension("ksy");
    for format in &all {
        std::fs::write(definition(format), (format.definition)(format.name)).unwrap();
    }
    let definitions: Vec<PathBuf> = all.iter().map(definition).collect();
    let compiled = folder.path().join("compiled");
    let arguments: Vec<&Path> = std::iter::once(&*compiled).chain(definitions.iter().map(|path| &**path)).collect();
    node("kaitai/compile.js", &arguments);
    let wrong: Vec<(&str, String)> =
        all.iter().filter_map(|format| Some((format.name, unlike_kaitai(format, &compiled)?))).collect();
    let names: Vec<&str> = wrong.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, UNLIKE_KAITAI, "{wrong:#?}");
    let is_exact = |format: &&Promises| !(format.definition)(format.name).contains("NOT EXACT");
    let exact: Vec<&str> = all.iter().filter(is_exact).map(|format| format.name).collect();
    assert_eq!(exact, ["msgpack", "pcap", "sqlite"], "the others say what they leave out");
}

/// The formats that Kaitai Struct's parsers read differently. Their definitions state that they omit the ends of FLAC
/// subframes and the length of the data in a FITS unit.
const UNLIKE_KAITAI: [&str; 2] = ["flac", "fits"];

/// Returns the first value that a parser of Kaitai Struct reads differently in files of a format; `None` if there is none.
fn unlike_kaitai(format: &Promises, compiled: &Path) -> Option<String> {
    let made = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = files(format, made.path(), 6).into_iter().map(|(path, _)| path).collect();
    let files: Vec<&str> = files.iter().map(|path| path.to_str().unwrap()).collect();
    let read = run(&[&["kaitai", compiled.to_str().unwrap(), format.name], &files[..]].concat());
    // A definition that is not exact says so, and its parsers need parameters that are not available.
    let is_exact = !(format.definition)(format.name).contains("NOT EXACT");
    let (mut wrong, mut same, mut unread) = (None, 0, 0);
    for (file, read) in files.iter().zip(&read) {
        let read: Json = serde_json::from_str(read).unwrap();
        if is_exact && !read["error"].is_null() {
            wrong.get_or_insert(format!("{file}: {}", read["error"]));
        }
        for (path, value) in (format.values)(&std::fs::read(file).unwrap()) {
            if !matches!(value, Value::Uint(_) | Value::Int(_) | Value::Single(_) | Value::Float(_)) {
                continue;
            }
            match &read["values"][shape(&path)] {
                found if is_any(&value, found) => same += 1,
                Json::Null if !is_exact => unread += 1,
                found => {
                    let differs = || format!("{file}: {path} is {value:?}, and {found} by Kaitai Struct");
                    wrong.get_or_insert_with(differs);
                }
            }
        }
    }
    println!("{}: exact: {is_exact}, {same} numbers are the same, {unread} are not read; {wrong:?}", format.name);
    wrong.or_else(|| (same == 0).then(|| "it reads nothing".to_owned()))
}

/// Returns the indices and the last name of a path, since definitions put their own types around fields.
fn shape(path: &str) -> String {
    let indices = path.split('[').skip(1).map(|part| part.split(']').next().unwrap_or_default());
    let last = path.rsplit('.').next().unwrap_or(path).split('[').next().unwrap_or_default();
    indices.chain([last]).collect::<Vec<_>>().join(" ")
}

/// Returns whether one of the fields of this shape has the value.
fn is_any(value: &Value, found: &Json) -> bool {
    found.as_array().is_some_and(|found| found.iter().any(|found| is_same(value, found)))
}

/// The number of files that mutants are made from.
const SEEDS: usize = 10;

/// Writes a file for the other program to read. The environment variable `FORMAT_KEEP` names a folder that gets a copy.
fn put(folder: &Path, kind: &str, name: &str, file: &[u8]) {
    std::fs::write(folder.join(name), file).unwrap();
    if let Some(kept) = std::env::var_os("FORMAT_KEEP") {
        let kept = Path::new(&kept).join(kind);
        std::fs::create_dir_all(&kept).unwrap();
        std::fs::write(kept.join(name), file).unwrap();
    }
}

/// Mutants of files from other programs. A mutant counts for everybyte if it has no findings and its structure differs
/// from the file's.
#[test]
#[ignore = "needs tests/peers/setup.sh"]
fn repaired_mutants_are_accepted_more_often_than_others() {
    let count = std::env::var("FORMAT_MUTANTS").map_or(20, |count| count.parse().unwrap());
    let mut accepted = [[0, 0]; 2];
    for format in all() {
        let made = tempfile::tempdir().unwrap();
        let files = files(&format, made.path(), SEEDS);
        let files: Vec<Vec<u8>> = files.iter().map(|(path, _)| std::fs::read(path).unwrap()).collect();
        let shapes: Vec<_> = files.iter().map(|file| (format.structure)(file)).collect();
        let [mut own, mut other] = [[0, 0]; 2];
        for (place, repair) in [Repair::Nothing, Repair::Everything].into_iter().enumerate() {
            let folder = tempfile::tempdir().unwrap();
            for seed in 0..count {
                let file = &files[seed % files.len()];
                let mutant = (format.mutant)(file, repair, seed as u64);
                let structure = (format.structure)(&mutant);
                own[place] += usize::from(structure.is_some() && structure != shapes[seed % files.len()]);
                let kind = format!("{}-{repair}", format.name);
                put(folder.path(), &kind, &format!("{seed}.{}", format.name), &mutant);
            }
            other[place] = run(&["read", format.name, folder.path().to_str().unwrap()]).len();
        }
        println!("{} of {count} mutants: own {own:?}, other {other:?}", format.name);
        for (all, one) in accepted.iter_mut().flatten().zip([own, other].into_iter().flatten()) {
            *all += one;
        }
    }
    let [own, other] = accepted;
    assert!(own[1] > own[0] && other[1] > other[0], "own {own:?}, other {other:?}");
}

/// Files generated from the declarations, read by the other programs.
#[test]
#[ignore = "a table by hand"]
fn made_up_files_of_which_other_programs_read_some() {
    for format in all() {
        let folder = tempfile::tempdir().unwrap();
        let mut why = HashMap::new();
        for seed in 1..=200 {
            let Some(file) = (format.file)(seed) else { continue };
            if let Some(broken) = (format.broken)(&file) {
                *why.entry(broken.split(" at byte").next().unwrap().to_owned()).or_insert(0) += 1;
            }
            let kind = format!("{}-made-up", format.name);
            put(folder.path(), &kind, &format!("{seed}.{}", format.name), &file);
        }
        let read = run(&["read", format.name, folder.path().to_str().unwrap()]).len();
        println!("{}: {read} of 200 made-up files are read by the other program; {why:?}", format.name);
    }
}
