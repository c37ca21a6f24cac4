//! SARIF output conforms to its schema, points to the bytes of the file, and identifies findings.

use super::{folder, printed, put};
use ndbytes_testkit::{corpus, project};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn sarif(folder: &Path, arguments: &[&str]) -> Value {
    let text = printed(folder, &[&["check", "--format", "sarif"], arguments].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().unwrap()
}

fn region(result: &Value) -> &Value {
    &result["locations"][0]["physicalLocation"]["region"]
}

/// Asserts that a log conforms to the schema, and that all of its references are valid.
fn assert_valid(log: &Value) {
    let schema = fs::read_to_string(project().join("tests/schemas/sarif-2.1.0-rtm.5.json")).unwrap();
    // Its pattern for languages, which occurs twice, is not a valid regular expression, since it has a bracket too many.
    assert_eq!(schema.matches("{2}]?$").count(), 2);
    let schema: Value = serde_json::from_str(&schema.replace("{2}]?$", "{2}$")).unwrap();
    let schema = jsonschema::options().should_validate_formats(true).build(&schema).expect("the schema is valid");
    let errors: Vec<String> =
        schema.iter_errors(log).map(|error| format!("{}: {error}", error.instance_path())).take(5).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let run = &log["runs"][0];
    for result in results(log).iter().filter(|result| result["baselineState"] != "absent") {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        let location = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let artifact = &run["artifacts"][location["index"].as_u64().unwrap() as usize];
        assert_eq!(artifact["location"]["uri"], location["uri"]);
        let region = region(result);
        assert_eq!(region["startLine"], 1);
        if let (Some(start), Some(length)) = (region["byteOffset"].as_u64(), region["byteLength"].as_u64()) {
            assert!(start + length <= artifact["length"].as_u64().unwrap(), "{result}");
        }
    }
}

#[test]
fn sarif_of_the_whole_corpus_fits_the_schema() {
    let log = sarif(&corpus::root(), &["."]);
    assert_valid(&log);
    let rules: BTreeSet<&str> = results(&log).iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert!(results(&log).len() > 700 && rules.len() > 200, "{} results, {} rules", results(&log).len(), rules.len());
    let fingerprints: BTreeSet<String> =
        results(&log).iter().map(|result| result["partialFingerprints"]["ndbytes/v1"].to_string()).collect();
    assert_eq!(fingerprints.len(), results(&log).len(), "a fingerprint is of one finding");
    let placed = results(&log).iter().filter(|result| region(result)["byteOffset"].is_u64()).count();
    assert!(placed * 20 > results(&log).len() * 19, "{placed} of {} have bytes", results(&log).len());
}

#[test]
fn sarif_of_nothing_fits_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let log = sarif(folder.path(), &["."]);
    assert_valid(&log);
    assert_eq!(results(&log), &Vec::<Value>::new());
}

#[test]
fn sarif_of_hostile_names_fits_the_schema() {
    let folder = folder(&[("a b/%41#?&[].idx", "idx/bad/trailing-one.idx")]);
    put(folder.path(), "table.idv", &super::hostile_table());
    let log = sarif(folder.path(), &["."]);
    assert_valid(&log);
    let uri = |result: &Value| result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
    let uris: Vec<Value> = results(&log).iter().map(uri).collect();
    assert_eq!(uris, ["a%20b/%2541%23%3F%26%5B%5D.idx", "table.idv"]);
    // No text is a link.
    let text = results(&log)[1]["message"]["text"].as_str().unwrap();
    assert!(!text.replace("\\[", "").contains('['), "{text}");
}

#[test]
fn findings_in_decompressed_bytes_have_the_region_of_the_compressed_ones() {
    let log = sarif(&corpus::root(), &["idx/bad", "idv/bad"]);
    let inner = || results(&log).iter().filter(|result| result["properties"]["space"] != 0);
    let start = |result: &Value| region(result)["byteOffset"].as_u64();
    // A block of a table follows the header of 256 bytes.
    let table = inner().find(|result| result["ruleId"] == "idv/short-block").expect("a table with a finding");
    assert!(start(table) >= Some(256), "{table}");
    // The content of a gzip file follows its header of ten bytes, which has no file name here.
    let gzip = inner().filter(|result| result["ruleId"] == "idx/truncated-payload").map(start).collect::<Vec<_>>();
    assert_eq!(gzip, [Some(10), Some(10)]);
}

#[test]
fn fingerprints_do_not_depend_on_offsets() {
    let fingerprints = |log: &Value| -> Vec<Value> {
        results(log).iter().map(|result| result["partialFingerprints"]["ndbytes/v1"].clone()).collect()
    };
    // First there is one trailing byte; then the file is replaced with one that has a longer payload and a hundred trailing bytes.
    let folder = folder(&[("x.idx", "idx/bad/trailing-one.idx")]);
    let before = sarif(folder.path(), &["."]);
    let mut longer = vec![0, 0, 8, 1, 0, 0, 0, 50];
    longer.extend([7; 150]);
    put(folder.path(), "x.idx", &longer);
    let after = sarif(folder.path(), &["."]);
    assert_ne!(region(&results(&before)[0]), region(&results(&after)[0]));
    assert_eq!(fingerprints(&before), fingerprints(&after));
}

#[test]
fn artifacts_have_the_length_and_the_sum_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "abc", b"abc");
    let log = sarif(folder.path(), &["abc"]);
    let artifact = &log["runs"][0]["artifacts"][0];
    assert_eq!(artifact["length"], 3);
    // The example from FIPS 180.
    let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(artifact["hashes"], json!({ "sha-256": sum }));
}

#[test]
fn rules_about_hostile_input_are_rules() {
    let text = fs::read_to_string(project().join("crates/cli/src/show/check/sarif/rules.rs")).unwrap();
    let hostile = text.split("pub const HOSTILE").nth(1).unwrap().split("];").next().unwrap();
    let ids: Vec<&str> = hostile.split('"').skip(1).step_by(4).collect();
    assert!(ids.len() >= 4 && ids.iter().all(|id| ndbytes::rules().any(|rule| rule.id == *id)), "{ids:?}");
}

#[test]
fn sarif_says_what_is_new_against_a_baseline() {
    let folder = folder(&[("a.idx", "idx/bad/trailing-one.idx"), ("b.idx", "idx/bad/trailing-one.idx")]);
    assert_eq!(
        printed(folder.path(), &["check", "--baseline", "known", "--update-baseline", "-q", "a.idx", "b.idx"]),
        ""
    );
    put(folder.path(), "b.idx", &fs::read(corpus::root().join("idx/ok/u8-2d.idx")).unwrap());
    put(folder.path(), "c.idx", &fs::read(corpus::root().join("idx/bad/trailing-one.idx")).unwrap());
    let log = sarif(folder.path(), &["--baseline", "known", "."]);
    assert_valid(&log);
    let states: Vec<&Value> = results(&log).iter().map(|result| &result["baselineState"]).collect();
    assert_eq!(states, ["unchanged", "new", "absent"]);
    assert!(results(&log)[0]["suppressions"].is_array() && results(&log)[1]["suppressions"].is_null());
}
