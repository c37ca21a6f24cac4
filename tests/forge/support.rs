//! What the tests of all kinds share.

use ndbytes::{Checker, Input, Limits, Severity};
use ndbytes::forge::{Content, Forge, Forged, Kind, Mutation, Repair};

/// The ids of the rules that a file breaks in profile strict.
pub fn findings(file: &[u8]) -> Vec<&'static str> {
    let report = Checker::new().check_slice(file).expect("bytes in memory can be read");
    report.findings().iter().map(|finding| finding.rule.id).collect()
}

/// Makes `count` valid files, which have to be without a finding, and lends each.
pub fn for_each_valid(kind: Kind, count: u64, mut look: impl FnMut(u64, &Forged)) {
    let mut sizes = Vec::new();
    for seed in 0..count {
        let made = Forge::new(seed).valid(kind);
        assert_eq!(findings(&made.bytes), Vec::<&str>::new(), "seed {seed}: {:02x?}", made.bytes);
        sizes.push(made.bytes.len());
        look(seed, &made);
    }
    sizes.sort_unstable();
    let (median, largest) = (sizes[sizes.len() / 2], sizes[sizes.len() - 1]);
    println!("{kind}: {count} files, median {median} bytes, largest {largest}");
    assert!(median <= 400 && largest <= 6 << 10, "{kind}: median {median} bytes, largest {largest}");
}

/// The array that a file is said to hold.
pub fn array(content: &Content) -> (&str, &[u64], &[u8]) {
    match content {
        Content::Array { item_type, shape, items } => (item_type, shape, items),
        other => panic!("it is no array: {other:?}"),
    }
}

/// Every rule of a kind is broken by five seeds.
pub fn assert_rules_are_broken(kind: Kind) {
    let prefix = format!("{kind}/");
    let mut missing = Vec::new();
    for rule in ndbytes::rules().filter(|rule| rule.id.starts_with(&prefix)) {
        let broken = (0..5).filter(|seed| Forge::new(*seed).broken(rule).is_some()).count();
        if broken < 5 {
            missing.push((rule.id, broken));
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

/// The names and values of a file's fields, without what its payloads hold.
fn structure(file: &[u8]) -> Vec<(String, String)> {
    let limits = Limits::default();
    let map = Checker::new().byte_map(Input::from_slice(file, limits)).expect("there is memory for a small map");
    let spans = map.spans();
    spans.iter().map(|span| (span.path.clone(), format!("{:?}", span.node.value))).collect()
}

/// Returns whether a file is read, whatever the warnings.
fn is_accepted(file: &[u8]) -> bool {
    let report = Checker::new().check_slice(file).expect("bytes in memory can be read");
    !report.findings().iter().any(|finding| finding.severity == Severity::Error)
}

/// At least this share of mutants with everything mended is accepted and has another structure than the seed, in percent.
pub fn assert_mutants_get_through(kind: Kind, at_least: u64) {
    let (count, mut through, mut accepted) = (600, 0, 0);
    for seed in 0..count {
        let mut forge = Forge::new(seed).size(512);
        let valid = forge.valid(kind);
        let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
        let mutant = forge.mutate_again(&valid, &how);
        if is_accepted(&mutant.bytes) {
            accepted += 1;
            through += u64::from(structure(&mutant.bytes) != structure(&valid.bytes));
        }
    }
    println!("{kind}: {accepted} of {count} mutants are accepted, {through} with another structure");
    assert!(through * 100 >= at_least * count, "{kind}: {through} of {count}, {accepted} accepted");
}
