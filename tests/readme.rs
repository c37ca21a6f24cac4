//! What the README shows is what the tool prints.

mod support;

use std::path::Path;
use support::tool::command_in;

const README: &str = include_str!("../README.md");

#[test]
fn transcripts_are_true() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut transcripts = 0;
    for block in README.split("```console\n").skip(1) {
        let transcript = block.split("```").next().unwrap();
        let (typed, shown) = transcript.split_once('\n').unwrap();
        let arguments: Vec<&str> = typed.strip_prefix("$ ndbytes ").unwrap().split(' ').collect();
        let output = command_in(&samples, &arguments).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), shown, "{typed}");
        transcripts += 1;
    }
    assert!(transcripts >= 2);
}

#[test]
fn numbers_of_rules_are_true() {
    for (prefix, words) in [
        ("idx/", "11 rules, 8 more for gzip"),
        ("gzip/", "8 more for gzip"),
        ("rawarray/", "23 rules"),
        ("idv/", "76 rules, 11 more for archives"),
        ("b2nd/", "61 rules"),
        ("zip/", "11 more for archives"),
    ] {
        let count = ndbytes::rules().filter(|rule| rule.id.starts_with(prefix)).count().to_string();
        assert!(
            README.contains(words) && words.starts_with(&count),
            "{count} rules {prefix}, but the README says {words}"
        );
    }
}
