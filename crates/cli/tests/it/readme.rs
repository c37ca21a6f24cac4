//! Tests the counts in the README. `docs::recipes` runs its commands.

use ndbytes_testkit::project;
use std::fs;

fn readme() -> String {
    fs::read_to_string(project().join("README.md")).unwrap()
}

#[test]
fn numbers_of_rules_are_true() {
    let readme = readme();
    for (prefix, words) in [
        ("idx/", "12 rules |"),
        ("gzip/", "10 rules)"),
        ("rawarray/", "23 rules"),
        ("idv/", "76 rules, 23 more for archives"),
        ("b2nd/", "68 rules"),
        ("npy/", "22 rules"),
        ("safetensors/", "18 rules"),
        ("gguf/", "22 rules |"),
        ("zip/", "23 more for archives"),
    ] {
        let count = ndbytes::rules().filter(|rule| rule.id.starts_with(prefix)).count().to_string();
        assert!(
            readme.contains(words) && words.starts_with(&count),
            "{count} rules {prefix}, but the README says {words}"
        );
    }
}
