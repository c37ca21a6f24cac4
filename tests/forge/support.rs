//! What the tests of all kinds share.

use ndbytes::forge::{Content, Forge, Forged, Kind};
use ndbytes::{Checker, Severity};
use std::path::Path;

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

/// The ids of the rules of severity error that a file breaks in profile strict.
pub fn findings_of_errors(file: &[u8]) -> Vec<&'static str> {
    let report = Checker::new().check_slice(file).expect("bytes in memory can be read");
    let errors = report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| finding.rule.id).collect()
}

/// The folder of the project.
pub fn project() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
