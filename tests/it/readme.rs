//! What the README and the guides show is what the tool prints.

use crate::support::project;
use crate::support::tool::command_in;
use std::fs;

fn readme() -> String {
    fs::read_to_string(project().join("README.md")).unwrap()
}

#[test]
fn transcripts_are_true() {
    let mut pages = vec![readme()];
    for entry in fs::read_dir(project().join("docs/src/start")).unwrap() {
        pages.push(fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    let mut transcripts = 0;
    for block in pages.iter().flat_map(|page| page.split("```console\n").skip(1)) {
        let transcript = block.split("```").next().unwrap();
        let (typed, shown) = transcript.split_once('\n').unwrap();
        let arguments: Vec<&str> = typed.strip_prefix("$ ndbytes ").unwrap().split(' ').collect();
        let output = command_in(&project().join("samples"), &arguments).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), shown, "{typed}");
        transcripts += 1;
    }
    assert!(transcripts >= 2);
}

#[test]
fn numbers_of_rules_are_true() {
    let readme = readme();
    for (prefix, words) in [
        ("idx/", "11 rules, 8 more for gzip"),
        ("gzip/", "8 more for gzip"),
        ("rawarray/", "23 rules"),
        ("idv/", "76 rules, 21 more for archives"),
        ("b2nd/", "68 rules"),
        ("npy/", "22 rules"),
        ("zip/", "21 more for archives"),
    ] {
        let count = ndbytes::rules().filter(|rule| rule.id.starts_with(prefix)).count().to_string();
        assert!(
            readme.contains(words) && words.starts_with(&count),
            "{count} rules {prefix}, but the README says {words}"
        );
    }
}
