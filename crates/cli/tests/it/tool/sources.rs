//! Every command answers for every kind of source as stated in the book's table.

use crate::support::cli::sources::{Answer, COMMANDS, SOURCES, table};
use crate::support::generated::assert_current;
use crate::support::tool::{Ended, run_here};
use ndbytes_testkit::{frozen, project};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn run(arguments: &[&str]) -> Ended {
    run_here(arguments.iter().copied(), &[], None)
}

fn printed(arguments: &[&str]) -> String {
    let ended = run(arguments);
    assert_eq!(ended.status, 0, "{arguments:?}: {}{}", ended.stdout, ended.stderr);
    ended.stdout
}

/// A directory with a source of every kind, under the names in the table.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let sample = |name: &str| project().join("samples").join(name).to_str().unwrap().to_owned();
    printed(&["convert", &sample("temperatures.b2nd"), &at("a.npy")]);
    fs::copy(at("a.npy"), at("b.npy")).unwrap();
    for store in ["all.npz", "all.zarr", "all.zarr.zip", "all.safetensors", "all.gguf"] {
        printed(&["convert", &at("a.npy"), &at("b.npy"), &at(store)]);
    }
    printed(&["convert", &at("a.npy"), &at("one.zarr")]);
    fs::copy(project().join("samples/trees.idv"), at("t.idv")).unwrap();
    fs::copy(frozen("ctable/deleted.b2z"), at("t.b2z")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(fs::File::create(at("a.npy.gz")).unwrap(), Default::default());
    std::io::Write::write_all(&mut packed, &fs::read(at("a.npy")).unwrap()).unwrap();
    packed.finish().unwrap();
    for table in ["t.parquet", "t.arrow", "t.jsonl"] {
        printed(&["convert", &at("t.idv"), &at(table)]);
    }
    folder
}

/// The arguments for running a command on a source in a directory.
fn arguments(command: &str, source: &str, folder: &Path, is_table: bool, is_several: bool) -> Vec<String> {
    let path = folder.join(source).to_str().unwrap().to_owned();
    let out = |name: &str| folder.join("out").join(name).to_str().unwrap().to_owned();
    let mut all = vec![command.to_owned()];
    match command {
        "diff" => all.extend([path.clone(), path]),
        "convert" => {
            let target = if is_table {
                "o.parquet"
            } else if is_several {
                "o.npz"
            } else {
                "o.npy"
            };
            all.extend(["--force".to_owned(), path, out(target)]);
        }
        "seal" => all.extend(["--out".to_owned(), folder.join("a.seal").to_str().unwrap().to_owned(), path]),
        "fix" => all.extend(["--out".to_owned(), out("fixed"), path]),
        "merge" => {
            all.extend(["--out".to_owned(), out("merged"), "--force".to_owned(), path.clone(), path.clone(), path])
        }
        _ => all.push(path),
    }
    all
}

#[test]
fn each_command_answers_about_each_kind_of_source_as_the_table_says() {
    use crate::support::cli::sources::Holds;
    let folder = folder();
    fs::create_dir(folder.path().join("out")).unwrap();
    let mut wrong = Vec::new();
    for source in &SOURCES {
        for (command, answer) in COMMANDS {
            let is_table = source.holds == Holds::Table;
            let arguments = arguments(command, source.example, folder.path(), is_table, source.holds == Holds::Arrays);
            let ended = run_here(arguments, &[], None);
            let said =
                format!("{command} {}: status {}: {}{}", source.example, ended.status, ended.stdout, ended.stderr);
            let is_right = match answer(source) {
                Answer::Yes => ended.status == 0,
                Answer::Says(words) => ended.status != 0 && ended.stderr.contains(words),
            };
            if !is_right {
                wrong.push(said.chars().take(400).collect::<String>());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n---\n"));
}

#[test]
fn table_of_the_book_is_current() {
    assert_current("docs/src/sources.md", &format!("{HEAD}\n{}{TAIL}", table()));
}

/// The text of the page before and after the table.
const HEAD: &str = "# Sources

A source is anything that a path names. Every command accepts every kind of source, or explains why it does not (*no*).
";
const TAIL: &str = "
`info` lists the arrays of a store, `stats` summarises them, and `diff` compares them one by one. `cat` and `show` need a single
array: add `!` and its name to the path. A slice in NumPy's syntax may follow: `all.zarr!a[:2]`.

For sources without rules, `check` reads all values and says so; `explain`, `fix`, `merge` and `seal` do not support them. `diff`
holds their values in memory. In tables, it compares numbers and booleans as such, and all other cells as text, as in JSON Lines.
Missing values of a column `x` are compared as the column `x is missing`.
";

#[test]
fn statistics_of_a_table_leave_out_deleted_rows_and_count_nulls_as_missing() {
    let deleted = frozen("ctable/deleted.b2z");
    let found: serde_json::Value =
        serde_json::from_str(&printed(&["stats", "--json", deleted.to_str().unwrap()])).unwrap();
    assert_eq!((&found["format"], &found["series"][0]["values"]), (&"ctable".into(), &8.into()));
    let nulls = frozen("ctable/arrow.b2z");
    let found: serde_json::Value =
        serde_json::from_str(&printed(&["stats", "--json", nulls.to_str().unwrap()])).unwrap();
    let x = found["series"].as_array().unwrap().iter().find(|series| series["name"] == "x").unwrap();
    assert_eq!((&x["values"], &x["missing"], &x["mean"]), (&5.into(), &1.into(), &2.0.into()));
}

#[test]
fn stores_of_different_formats_are_compared_by_the_names_of_their_arrays() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for other in ["all.zarr", "all.zarr.zip"] {
        let ended = run(&["diff", &at("all.npz"), &at(other)]);
        assert_eq!(ended.status, 0, "{other}: {}{}", ended.stdout, ended.stderr);
    }
    // Both have rules, so differences in encoding count unless only values are compared.
    for store in ["all.npz", "all.zarr"] {
        let ended = run(&["diff", "--values-only", &at(store), &at("all.safetensors")]);
        assert_eq!(ended.status, 0, "{store}: {}{}", ended.stdout, ended.stderr);
    }
    let ended = run(&["diff", &at("all.npz"), &at("all.safetensors")]);
    assert_eq!(ended.status, 1, "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("values equal, encoding differs"), "{}", ended.stdout);
    let ended = run(&["diff", &at("t.idv"), &at("t.parquet")]);
    assert_eq!(ended.status, 0, "{}{}", ended.stdout, ended.stderr);
}
