//! Rules that are broken in files that are given.

use crate::support::{findings, project};
use ndbytes::Rule;
use ndbytes_forge::{Forge, Kind};
use ndbytes_testkit::corpus;

/// The files of a kind that are tried for a rule, the largest first: these have the most fields.
const FILES: usize = 6;

/// The rules of a kind that bytes can break, and the good files of the corpus that are of this kind.
fn subjects(kind: Kind) -> (Vec<&'static Rule>, Vec<Vec<u8>>) {
    let is_fit = |it: &corpus::Sample| it.folder == "ok" && it.path.is_file() && it.recipe.strict.is_empty();
    let samples = corpus::everything().into_iter().filter(|it| is_fit(it) && it.bytes.len() < 10_000);
    let mut files: Vec<_> = samples.map(|it| it.bytes.clone()).filter(|it| Kind::of(it) == Some(kind)).collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.len()));
    files.truncate(FILES);
    let is_of_kind = |rule: &&Rule| Kind::of_rule(rule) == Some(kind) && Forge::can_break(rule);
    (ndbytes::rules().filter(is_of_kind).collect(), files)
}

/// Breaks each rule of a kind in one of the files, by a recipe that makes the same bytes again. Returns the rules for which no way
/// is found.
fn unbroken(kind: Kind) -> Vec<&'static str> {
    let (rules, files) = subjects(kind);
    let is_broken = |rule: &Rule| {
        files.iter().any(|file| {
            let Some(found) = Forge::new(0).broken_in(rule, "file", file) else { return false };
            assert!(!found.recipe.steps.steps.is_empty(), "{}", rule.id);
            let again = found.recipe.replay(Some(file)).expect("a recipe of this version");
            assert!(again.bytes == found.bytes, "{}", rule.id);
            true
        })
    };
    rules.into_iter().filter(|rule| !is_broken(rule)).map(|rule| rule.id).collect()
}

/// The rules of small formats for which no way is found, and why.
const UNBROKEN: [(Kind, &[&str]); 3] = [
    // A file with words in another order is broken otherwise, too, unless its axes are equal.
    (Kind::Idx, &["idx/little-endian-header", "idx/implausible-byte-order"]),
    // The good files are not encoded, and are no arrays of bits.
    (
        Kind::RawArray,
        &[
            "rawarray/ambiguous-encoding",
            "rawarray/overlong-leb128",
            "rawarray/bit-array",
            "rawarray/bit-padding",
            "rawarray/bool-value",
        ],
    ),
    // It is about any gzip file, and is found before.
    (Kind::Gzip, &["gzip/compressed"]),
];

#[test]
fn rules_are_broken_in_given_files_by_recipes_with_steps() {
    for (kind, known) in UNBROKEN {
        assert_eq!(unbroken(kind), known, "{kind}");
    }
}

/// Rules that seldom follow from a change by chance, and files of the corpus that steps break them in.
const BY_STEPS: [(&str, &str); 15] = [
    ("b2nd/delta-blocks", "b2nd/ok/codec-runs.b2nd"),
    ("b2nd/delta-twice", "b2nd/ok/1d.b2nd"),
    ("b2nd/index-entry", "b2nd/ok/index-special-entries.b2nd"),
    ("idv/bool-value", "idv/ok/missing-bool.idv"),
    ("idv/missing-time", "idv/ok/time-span.idv"),
    ("idv/old-row-id", "idv/ok/row-id.idv"),
    ("npy/duplicate-key", "npy/ok/i4.npy"),
    ("npy/objects", "npy/ok/i4.npy"),
    ("npy/type-name", "npy/ok/i4.npy"),
    ("zip/data-descriptor", "zip/ok/descriptor.zip"),
    ("zip/duplicate-name", "zip/ok/several.zip"),
    ("zip/encrypted", "zip/ok/several.zip"),
    ("zip/method", "zip/ok/several.zip"),
    ("zip/name-encoding", "zip/ok/several.zip"),
    ("zip/unsafe-name", "zip/ok/several.zip"),
];

#[test]
fn rules_that_need_several_changes_are_broken_in_given_files_by_steps() {
    for (id, path) in BY_STEPS {
        let rule = ndbytes::rules().find(|rule| rule.id == id).expect("a rule");
        let file = std::fs::read(project().join("tests/corpus").join(path)).expect("the corpus can be read");
        let found = Forge::new(0).broken_in(rule, path, &file).unwrap_or_else(|| panic!("{id} in {path}"));
        assert_eq!(found.recipe.replay(Some(&file)).expect("a recipe of this version").bytes, found.bytes, "{id}");
        assert!(findings(&found.bytes).contains(&id), "{id}");
    }
}

/// The rules for which no way is found are at most this part of all: one of six.
const MOST_UNBROKEN: usize = 6;

#[test]
#[ignore = "minutes: all kinds"]
fn most_rules_of_all_kinds_are_broken_in_files_of_the_corpus() {
    let mut all = 0;
    let mut left = Vec::new();
    for kind in Kind::ALL {
        let found = unbroken(kind);
        println!("{kind}: {found:?}");
        all += subjects(kind).0.len();
        left.extend(found);
    }
    println!("{} of {all} rules are broken in a file of the corpus", all - left.len());
    assert!(left.len() * MOST_UNBROKEN <= all, "{left:?}");
}

#[test]
fn a_file_that_breaks_the_rule_itself_is_not_broken_again() {
    let truncated = [0, 0, 8, 1, 0, 0, 0, 3, 1, 2];
    assert!(Forge::new(0).broken_in(&ndbytes::idx::TRUNCATED_PAYLOAD, "file", &truncated).is_none());
}
