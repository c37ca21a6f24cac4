//! The published corpus: one archive with an index, made by `release/corpus.py`.

use crate::support::tool;
use ndbytes::{Checker, Limits, Profile, Severity};
use ndbytes_testkit::{corpus, project};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// Runs Python, or reports the test that is skipped without it.
fn python(what: &str, folder: &Path, arguments: &[&str]) -> Option<Output> {
    let command =
        Command::new("python3").args(arguments).current_dir(folder).env("PYTHONDONTWRITEBYTECODE", "1").output();
    if command.is_err() {
        // Bypasses the output capture of the test harness.
        io::stderr().write_all(format!("skipped, since there is no python3: {what}\n").as_bytes()).unwrap();
    }
    command.ok()
}

/// Packs the corpus in a directory, which is also the working directory of the program.
fn packed(folder: &Path) -> Option<Vec<u8>> {
    let script = project().join("release/corpus.py");
    let output =
        python("the published corpus", folder, &[script.to_str().unwrap(), "--tool", tool::PATH, "corpus.zip"])?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(fs::read(folder.join("corpus.zip")).unwrap())
}

/// The corpus: its archive, the directory with its content, and its index.
struct Published {
    archive: Vec<u8>,
    root: PathBuf,
    index: Value,
}

/// Packing the corpus takes seconds, so the tests share the result.
static PUBLISHED: LazyLock<Option<Published>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("published");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let archive = packed(&folder)?;
    let output = python("unpacking", &folder, &["-m", "zipfile", "-e", "corpus.zip", "."])?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let root = folder.join("ndbytes-corpus");
    let index = serde_json::from_str(&fs::read_to_string(root.join("index.json")).unwrap()).unwrap();
    Some(Published { archive, root, index })
});

impl Published {
    fn unpacked() -> Option<&'static Self> {
        PUBLISHED.as_ref()
    }

    fn files(&self) -> &[Value] {
        self.index["files"].as_array().unwrap()
    }

    /// The paths of a format's files for which `check.py` reports that a reader disagrees.
    fn disagreements(&self, format: &str, reader: &[&str]) -> BTreeSet<String> {
        let script = self.root.join("check.py");
        let arguments = [&[script.to_str().unwrap(), format], reader].concat();
        let output = python("check.py", &self.root, &arguments).unwrap();
        let lines = String::from_utf8(output.stdout).unwrap();
        let named: BTreeSet<String> =
            lines.lines().filter_map(|line| Some(line.split_once(": status")?.0.to_owned())).collect();
        assert!(lines.ends_with(&format!("{} disagree\n", named.len())), "{lines}");
        assert_eq!(output.status.code(), Some(i32::from(!named.is_empty())));
        named
    }
}

#[test]
fn the_published_corpus_is_the_same_wherever_it_is_packed() {
    let Some(published) = Published::unpacked() else { return };
    let other = tempfile::tempdir().unwrap();
    assert!(published.archive == packed(other.path()).unwrap(), "two archives of the same files differ");
    // Other programs must be able to open the file.
    assert!(published.archive.starts_with(b"PK\x03\x04"));
}

#[test]
fn the_published_index_says_what_the_checker_says() {
    let Some(published) = Published::unpacked() else { return };
    for file in published.files() {
        let path = file["path"].as_str().unwrap();
        for (key, profile) in [("strict", Profile::Strict), ("reference", Profile::Reference)] {
            let limits =
                file["memory"].as_u64().map_or_else(Limits::default, |memory| Limits::default().memory(memory));
            let report = Checker::new().limits(limits).profile(profile).check(published.root.join(path)).unwrap();
            let found: BTreeSet<(String, String)> = report
                .findings()
                .iter()
                .map(|finding| (finding.rule.id.to_owned(), finding.severity.to_string()))
                .collect();
            let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
            let listed = file[key].as_array().unwrap();
            let listed: Vec<_> = listed.iter().map(|it| (text(it, "rule"), text(it, "severity"))).collect();
            assert_eq!(listed, found.into_iter().collect::<Vec<_>>(), "{path}, {key}");
            if key == "strict" && !file["good"].is_null() {
                let error = Severity::Error.to_string();
                let is_good = listed.iter().all(|(_, severity)| *severity != error);
                assert_eq!(file["good"], is_good, "{path}");
            }
        }
        for beside in ["recipe", "values"].map(|key| &file[key]).into_iter().filter_map(Value::as_str) {
            assert!(published.root.join(beside).is_file(), "{path}: {beside} is missing");
        }
    }
    let made = published.files().iter().filter(|file| file["origin"] == "recipe").count();
    assert_eq!(made, corpus::everything().len(), "every file of the corpus is published");
}

#[test]
fn the_reference_readers_answer_as_profile_reference_says() {
    let Some(published) = Published::unpacked() else { return };
    let mut unforeseen = 0;
    for file in published.files() {
        let findings = || file["reference"].as_array().unwrap().iter();
        let errors = findings().filter(|it| it["severity"] == "error");
        let errors: Vec<&Value> = errors.map(|finding| &finding["rule"]).collect();
        let is_foreseen = findings().all(|it| it["severity"] != "unforeseen");
        unforeseen += u64::from(!is_foreseen && errors.is_empty());
        match file["reader"].as_str() {
            // Only ndbytes has these limits.
            Some("accepts") => assert!(errors.iter().all(|rule| **rule == "limit-exceeded"), "{file}"),
            // Without a verdict, nothing can be wrong.
            Some("refuses") if !is_foreseen => {}
            None => assert!(["zip", "rawarray"].contains(&file["format"].as_str().unwrap()), "{file}"),
            Some(answer) => assert!(answer == "refuses" && !errors.is_empty(), "{file}"),
        }
    }
    assert!(unforeseen * 10 < published.files().len() as u64, "{unforeseen} files have no verdict");
}

#[test]
fn every_rule_is_broken_in_the_published_corpus_or_left_out_with_a_reason() {
    let Some(published) = Published::unpacked() else { return };
    let findings = published.files().iter().flat_map(|file| ["strict", "reference"].map(|key| &file[key]));
    let broken: BTreeSet<&str> =
        findings.flat_map(|list| list.as_array().unwrap()).map(|finding| finding["rule"].as_str().unwrap()).collect();
    let left_out = published.index["not_included"].as_array().unwrap();
    assert!(left_out.iter().all(|it| it["reason"].as_str().unwrap().ends_with('.')));
    let left_out: BTreeSet<&str> = left_out.iter().map(|it| it["rule"].as_str().unwrap()).collect();
    assert!(broken.is_disjoint(&left_out), "{left_out:?} are left out without need");
    let all: BTreeSet<&str> = ndbytes::rules().map(|rule| rule.id).collect();
    assert_eq!(broken.union(&left_out).copied().collect::<BTreeSet<_>>(), all);
    assert_eq!(left_out.len(), 11);
}

#[test]
fn every_key_of_the_published_index_is_described_in_its_readme() {
    let Some(published) = Published::unpacked() else { return };
    let readme = fs::read_to_string(published.root.join("README.md")).unwrap();
    let keys = |object: &Value| object.as_object().unwrap().keys().cloned().collect::<BTreeSet<String>>();
    for key in keys(&published.index).union(&keys(&published.files()[0])) {
        let cell = readme.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
        let described = cell.into_iter().any(|cell| cell.split(", ").any(|name| name == format!("`{key}`")));
        assert!(described, "the README of the corpus does not describe `{key}`");
    }
    for file in published.files() {
        assert_eq!(keys(file), keys(&published.files()[0]), "{file}");
    }
    let shown = readme.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(shown, fs::read_to_string(published.root.join("check.py")).unwrap());
}

#[test]
fn the_script_of_the_published_corpus_names_what_a_reader_is_wrong_about() {
    let Some(published) = Published::unpacked() else { return };
    let of_idx = || published.files().iter().filter(|file| file["format"] == "idx");
    let path = |file: &Value| file["path"].as_str().unwrap().to_owned();
    // A reader that accepts everything is wrong about exactly the broken files.
    let bad: BTreeSet<String> = of_idx().filter(|file| file["good"] == false).map(path).collect();
    assert_eq!(published.disagreements("idx", &["python3", "-c", "0"]), bad);
    let reader = project().join("examples/fuzz-your-reader/read_idx.py");
    // The reader does not support gzip.
    let is_packed = |file: &&Value| {
        let bytes = fs::read(published.root.join(path(file))).unwrap();
        file["good"] == true && bytes.starts_with(&[0x1F, 0x8B])
    };
    let packed: BTreeSet<String> = of_idx().filter(is_packed).map(path).collect();
    assert!(!packed.is_empty());
    assert_eq!(published.disagreements("idx", &["python3", reader.to_str().unwrap()]), packed);
}
