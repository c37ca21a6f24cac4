//! The JSON output of the tool conforms to the schemas next to its documentation, which describe every key.

use crate::support::tool::{json_lines, run_in};
use ndbytes_testkit::zip::{Entry, zip};
use ndbytes_testkit::{corpus, project};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The schema of a command, in a strict form that forbids undescribed keys.
fn schema(name: &str) -> jsonschema::Validator {
    fn close(schema: &mut Value) {
        match schema {
            Value::Object(keys) => {
                if keys.get("properties").is_some_and(Value::is_object) {
                    keys.entry("additionalProperties").or_insert(false.into());
                }
                keys.values_mut().for_each(close);
            }
            Value::Array(items) => items.iter_mut().for_each(close),
            _ => {}
        }
    }
    let text = fs::read_to_string(project().join(format!("docs/src/json/{name}.schema.json"))).unwrap();
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    close(&mut schema);
    jsonschema::validator_for(&schema).expect("the schema is valid")
}

/// Runs a command in a directory, asserts that every line conforms to the schema, and returns the number of lines.
fn fitting(name: &str, folder: &Path, arguments: &[&str]) -> usize {
    let schema = schema(name);
    let lines = json_lines(&run_in(folder, arguments).stdout);
    for line in &lines {
        let errors: Vec<String> =
            schema.iter_errors(line).map(|error| format!("{}: {error}", error.instance_path())).take(3).collect();
        assert!(errors.is_empty(), "{arguments:?}: {:.1000}", errors.join("\n"));
    }
    lines.len()
}

#[test]
fn json_of_check_and_info_fits_its_schema() {
    let all = corpus::samples().len();
    assert!(fitting("check", &corpus::root(), &["check", "--json", "--unknown", "error", "."]) >= all);
    assert!(fitting("info", &corpus::root(), &["info", "--json", "--unknown", "error", "."]) >= all);
    assert_eq!(fitting("info", &project().join("samples"), &["info", "--json", "--digest", "."]), 6);
}

#[test]
fn json_of_fix_fits_its_schema() {
    let all = corpus::samples().len();
    assert!(fitting("fix", &corpus::root(), &["fix", "--json", "--dry-run", "."]) >= all);
}

#[test]
fn json_of_rules_fits_its_schema() {
    let rules = ndbytes::rules().count();
    assert_eq!(fitting("rules", &project(), &["rules", "--json"]), rules);
    assert_eq!(fitting("rules", &project(), &["rules", "--json", "gzip/crc"]), 1);
}

#[test]
fn json_of_explain_fits_its_schema() {
    for sample in corpus::samples().iter().step_by(20) {
        let path = sample.path.to_str().unwrap();
        assert_eq!(fitting("explain", &corpus::root(), &["explain", "--json", path]), 1, "{sample}");
    }
}

#[test]
fn json_of_values_fits_its_schema() {
    let samples = project().join("samples");
    assert_eq!(fitting("cat-array", &samples, &["cat", "--json", "surface.ra[2:4]"]), 1);
    let table = run_in(&samples, &["cat", "--json", "trees.idv"]).stdout;
    assert!(schema("cat-table").is_valid(&serde_json::from_str(&table).unwrap()));
    assert_eq!(fitting("stats", &samples, &["stats", "--json", "temperatures.b2nd", "trees.idv", "surface.ra"]), 3);
}

#[test]
fn json_of_diff_fits_its_schema() {
    let files: Vec<String> = corpus::compared().iter().map(|sample| sample.path.to_str().unwrap().to_owned()).collect();
    for (a, b) in files.iter().zip(&files[1..]) {
        assert_eq!(fitting("diff", &project(), &["diff", "--json", "--all", a, b]), 1, "{a} {b}");
    }
}

#[test]
fn json_of_two_folders_fits_its_schema() {
    let folder = crate::diff::folders::folder();
    assert_eq!(fitting("diff-folders", folder.path(), &["diff", "--json", "old", "new"]), 1);
    let path = |name: &str| corpus::root().join(name).to_str().unwrap().to_owned();
    let (one, other) = (path("b2nd"), path("npy"));
    assert_eq!(fitting("diff-folders", folder.path(), &["diff", "--json", &one, &other]), 1);
}

#[test]
fn a_finding_in_an_archive_names_its_member_as_json() {
    let sound = fs::read(project().join("samples/surface.ra")).unwrap();
    let archive = zip(&[Entry::deflated("a/sound.ra", &sound), Entry::deflated("b/cut.ra", &sound[..sound.len() - 1])]);
    let report = serde_json::to_value(ndbytes::Checker::new().check_slice(&archive).unwrap()).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let told: Vec<_> = findings.iter().map(|it| (it["rule"].as_str(), it["member"].as_str())).collect();
    assert_eq!(told, [(Some("rawarray/truncated-payload"), Some("b/cut.ra"))]);
    let alone = serde_json::to_value(ndbytes::Checker::new().check_slice(&sound[..sound.len() - 1]).unwrap()).unwrap();
    assert_eq!(alone["findings"][0].get("member"), None);
}
