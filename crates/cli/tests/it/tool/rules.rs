//! `rules` and `explain RULE`: the catalogue of rules, its filter, and the example of each rule.

use crate::support::generated::assert_current;
use crate::support::tool::{json_lines, run, run_here};
use ndbytes_testkit::corpus::{self, Sample};
use ndbytes_testkit::project;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::fs;

/// The table that the tool embeds.
const EXAMPLES: &str = "crates/cli/src/show/examples.txt";

/// The maximum length of an example's text.
const LONGEST: usize = 1400;

#[test]
fn the_examples_of_rules_are_the_smallest_files_of_the_corpus() {
    let mut best: HashMap<&str, (Rank, &Sample)> = HashMap::new();
    let samples = corpus::samples();
    for sample in &samples {
        for (is_only_in_reference, expected) in [(false, &sample.recipe.strict), (true, &sample.recipe.reference)] {
            let rules: BTreeSet<&str> = expected.iter().map(|finding| finding.rule.as_str()).collect();
            for rule in &rules {
                let path = sample.path.to_str().unwrap().to_owned();
                let rank = (rules.len(), is_only_in_reference, sample.bytes.is_empty(), sample.bytes.len(), path);
                let slot = best.entry(rule).or_insert_with(|| (rank.clone(), sample));
                if rank < slot.0 {
                    *slot = (rank, sample);
                }
            }
        }
    }
    let mut text = String::new();
    for rule in ndbytes::rules() {
        let Some((_, sample)) = best.get(rule.id) else { continue };
        let path = sample.path.strip_prefix(corpus::root()).unwrap().to_str().unwrap().replace('\\', "/");
        let bytes = written(&sample.bytes);
        assert!(bytes.len() <= LONGEST, "{path} is too long for an example: {} letters", bytes.len());
        let memory = sample.recipe.memory.map_or_else(String::new, |memory| format!(" {memory}"));
        writeln!(text, "{} {path}{memory}\n{}\n{bytes}", rule.id, sample.recipe.title).unwrap();
    }
    assert_current(EXAMPLES, &text);
}

/// The order of preference: fewer broken rules, then profile strict, then fewer bytes but at least one, then the path.
type Rank = (usize, bool, bool, usize, String);

/// Formats bytes in hexadecimal, with longer runs of one byte as `00x204`.
fn written(bytes: &[u8]) -> String {
    let mut text = String::new();
    for run in bytes.chunk_by(|one, other| one == other) {
        match run.len() {
            length if length > 8 => write!(text, " {:02x}x{length} ", run[0]).unwrap(),
            length => text.push_str(&format!("{:02x}", run[0]).repeat(length)),
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_rule_is_explained_with_a_file_that_breaks_it() {
    let examples = fs::read_to_string(project().join(EXAMPLES)).unwrap();
    let mut without = 0;
    for rule in ndbytes::rules() {
        let ended = run_here(["explain", rule.id], &[], None);
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", rule.id);
        let text = ended.stdout;
        assert!(text.starts_with(rule.id), "{text}");
        for name in ["severity", "reader", "source", "since"] {
            assert!(text.contains(&format!("\n    {name}")), "{}: {name}: {text}", rule.id);
        }
        let has_example = examples.lines().step_by(3).any(|line| line.split(' ').next() == Some(rule.id));
        without += usize::from(!has_example && ndbytes_forge::Forge::can_break(rule));
        assert_eq!(text.contains("\n00000000  "), has_example, "{}: {text}", rule.id);
        assert_eq!(text.contains(&format!("[{}]: ", rule.id)), has_example, "{}: {text}", rule.id);
    }
    // These are the rules about directories, large archives and stores.
    assert!(without < 4, "{without} rules have no example");
}

#[test]
fn a_rule_is_explained_in_both_profiles() {
    let text = run(&["explain", "idx/trailing-bytes"]).stdout;
    assert!(text.contains("severity   error in profile strict, error in profile reference\n"), "{text}");
    assert!(text.contains("reader     idx2numpy 1.2.3 refuses such a file\n"), "{text}");
    assert!(text.contains("error[idx/trailing-bytes]: "), "{text}");
    let gzip = run(&["explain", "gzip/compressed"]).stdout;
    assert!(gzip.contains("severity   allowed in profile strict, error in profile reference\n"), "{gzip}");
}

#[test]
fn a_breach_whose_verdict_cannot_be_foreseen_has_no_verdict_in_every_format() {
    const FILE: &str = "b2nd/bad/plugin-codec-ndlz.b2nd";
    let check = |format: &str| {
        let ended = run(&["check", "--profile", "reference", "--format", format, FILE]);
        assert_eq!(ended.status, 0, "{format}: {}", ended.stderr);
        ended.stdout
    };
    let text = check("text");
    assert!(text.contains("unforeseen[b2nd/plugin-codec]: "), "{text}");
    assert!(text.contains("python-blosc2 4.14 may accept or refuse such a file\n"), "{text}");
    assert!(text.ends_with("1 file: 1 without a verdict\n"), "{text}");
    let report = &json_lines(&check("json"))[0];
    let finding = &report["findings"][0];
    assert_eq!((&report["verdict"], &finding["severity"]), (&"unforeseen".into(), &"unforeseen".into()));
    assert_eq!(finding["reference"], "unforeseen");
    let sarif: serde_json::Value = serde_json::from_str(&check("sarif")).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!((&result["level"], &result["properties"]["reference"]), (&"note".into(), &"unforeseen".into()));
    assert!(check("github").starts_with("::notice "));
    assert!(check("junit").contains("<system-out>unforeseen[b2nd/plugin-codec]"));
    // In profile strict, the finding is an error. Denying warnings also denies files without a verdict.
    assert_eq!(run(&["check", FILE]).status, 1);
    assert_eq!(run(&["check", "--profile", "reference", "--deny-warnings", FILE]).status, 1);
    let explained = run(&["explain", "b2nd/geometry"]).stdout;
    assert!(explained.contains("error in profile strict, no verdict in profile reference\n"), "{explained}");
}

#[test]
fn a_rule_as_json_is_the_rule_of_the_catalogue() {
    let one = json_lines(&run(&["explain", "--json", "idx/scalar"]).stdout);
    let listed = json_lines(&run(&["rules", "--json"]).stdout);
    assert_eq!(listed.len(), ndbytes::rules().count());
    assert_eq!(listed.iter().filter(|rule| rule["id"] == "idx/scalar").collect::<Vec<_>>(), [&one[0]]);
    assert_eq!((&one[0]["severity"], &one[0]["reference"]), (&"warning".into(), &"accepts".into()));
}

#[test]
fn a_file_with_the_name_of_a_rule_is_explained_as_a_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("idx")).unwrap();
    std::fs::write(folder.path().join("idx/scalar"), [0, 0, 8, 0, 7]).unwrap();
    let ended = crate::support::tool::run_in(folder.path(), &["explain", "idx/scalar"]);
    assert!(ended.stdout.contains("every byte accounted for"), "{}", ended.stdout);
}

#[test]
fn names_of_rules_that_are_nearly_right_lead_to_them() {
    let ended = run(&["explain", "idx/trailing-bites"]);
    assert_eq!(ended.status, 2);
    let expected = "error: no file and no rule is named idx/trailing-bites; did you mean idx/trailing-bytes?\n";
    assert_eq!(ended.stderr, expected);
    let ended = run(&["rules", "idx/traling-bytes"]);
    assert_eq!(ended.status, 1);
    assert_eq!(ended.stderr, "error: no rule matches idx/traling-bytes; did you mean idx/trailing-bytes?\n");
    let ended = run(&["rules", "nothing of that kind at all"]);
    assert_eq!((ended.status, ended.stderr.as_str()), (1, "error: no rule matches nothing of that kind at all\n"));
}

#[test]
fn the_filter_of_rules_takes_beginnings_parts_and_wildcards() {
    let ids = |pattern: &str| -> Vec<String> {
        let rules = json_lines(&run(&["rules", "--json", pattern]).stdout);
        rules.iter().map(|rule| rule["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("idx/scalar"), ["idx/scalar"]);
    assert!(ids("idx").iter().all(|id| id.starts_with("idx/")) && ids("idx").len() > 5);
    assert_eq!(ids("IDX"), ids("idx"));
    assert_eq!(ids("idx/*-header"), ["idx/truncated-header", "idx/little-endian-header"]);
    assert!(ids("truncated").contains(&"idx/truncated-header".to_owned()));
    assert_eq!(ids("i?x/sc*r"), ["idx/scalar"]);
    assert_eq!(ids("*"), ndbytes::rules().map(|rule| rule.id).collect::<Vec<_>>());
}
