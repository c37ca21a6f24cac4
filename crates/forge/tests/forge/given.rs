//! Breaks rules in existing files.

use crate::support::findings;
use ndbytes::Rule;
use ndbytes_forge::{Forge, Kind};
use ndbytes_testkit::corpus;

/// The number of files of a kind to try for a rule. The largest come first, because they have the most fields.
const FILES: usize = 6;

/// The rules of a kind that bytes can break, and the valid files of this kind in the corpus.
fn subjects(kind: Kind) -> (Vec<&'static Rule>, Vec<Vec<u8>>) {
    let is_fit = |it: &corpus::Sample| it.folder == "ok" && it.path.is_file() && it.recipe.strict.is_empty();
    let samples = corpus::everything().into_iter().filter(|it| is_fit(it) && it.bytes.len() < 10_000);
    let mut files: Vec<_> = samples.map(|it| it.bytes.clone()).filter(|it| Kind::of(it) == Some(kind)).collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.len()));
    files.truncate(FILES);
    let is_of_kind = |rule: &&Rule| Kind::of_rule(rule) == Some(kind) && Forge::can_break(rule);
    (ndbytes::rules().filter(is_of_kind).collect(), files)
}

/// Breaks each rule of a kind in one of the files, with a recipe that reproduces the bytes. Returns the rules that
/// could not be broken.
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

/// The rules of small formats that cannot be broken in existing files, and why.
const UNBROKEN: [(Kind, &[&str]); 3] = [
    // A file with words in another byte order also violates other rules, unless its axes are equal.
    (Kind::Idx, &["idx/little-endian-header", "idx/implausible-byte-order"]),
    // The valid files are neither encoded nor arrays of bits.
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
    // Every gzip file already violates it.
    (Kind::Gzip, &["gzip/compressed"]),
];

#[test]
fn rules_are_broken_in_given_files_by_recipes_with_steps() {
    for (kind, known) in UNBROKEN {
        assert_eq!(unbroken(kind), known, "{kind}");
    }
}

/// Rules that random changes rarely violate, each with a file of the corpus in which the steps of a breaker violate it.
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
        let file = std::fs::read(corpus::root().join(path)).expect("the corpus can be read");
        let found = Forge::new(0).broken_in(rule, path, &file).unwrap_or_else(|| panic!("{id} in {path}"));
        assert_eq!(found.recipe.replay(Some(&file)).expect("a recipe of this version").bytes, found.bytes, "{id}");
        assert!(findings(&found.bytes).contains(&id), "{id}");
    }
}

/// At most one rule in this many may remain unbroken.
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
