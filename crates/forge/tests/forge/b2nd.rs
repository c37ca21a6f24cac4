//! b2nd: generated files have the content that the forge states.

use crate::grid::{Feature, Grid, rank};
use ndbytes::{Checker, Report, b2nd};
use ndbytes_forge::{Content, Forge, Forged, Kind};
use std::fs;

/// Checks a file or a directory.
fn check(forged: &Forged) -> Report {
    if forged.others.is_empty() {
        return Checker::new().check_slice(&forged.bytes).unwrap();
    }
    let folder = written(forged);
    Checker::new().check(folder.path()).unwrap()
}

/// Writes the directory of a sparse frame.
fn written(forged: &Forged) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in forged.files() {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

#[test]
fn valid_files_break_no_rule_and_hold_what_they_say() {
    let mut lengths = Vec::new();
    let mut compared = 0;
    let mut grid = Grid::default();
    for seed in 0..10_000 {
        let forged = Forge::new(seed).valid(Kind::B2nd);
        let report = check(&forged);
        assert!(report.findings().is_empty(), "seed {seed}: {report:?}");
        let length = forged.bytes.len() + forged.others.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        assert!(length <= 4096, "seed {seed}: {length} bytes");
        lengths.push(length);
        if let Content::Array { item_type, shape, items } = &forged.content {
            let folder = written(&forged);
            let array = match forged.others.is_empty() {
                true => b2nd::from_slice(&forged.bytes).unwrap(),
                false => b2nd::open(folder.path()).unwrap(),
            };
            let read: Vec<u64> = array.shape().iter().map(|&extent| extent as u64).collect();
            assert_eq!((&read, &array.item_type().to_string()), (shape, item_type), "seed {seed}");
            assert!(array.to_bytes().unwrap() == *items, "seed {seed}: other items");
            grid.add(&features(&array));
            compared += 1;
        }
    }
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= 400, "the median is {median}");
    assert!(compared > 9_000, "{compared}");
    grid.assert_all_cells_are_reached(&[("codec", 5), ("filters", 10), ("type", 33), ("sparse", 2), ("rank", 6)]);
}

/// The features of an array.
fn features(array: &b2nd::Array<'_>) -> [Feature; 5] {
    [
        ("codec", format!("{:?}", array.codec())),
        ("filters", array.filters().join(", ")),
        ("type", array.item_type().to_string()),
        ("sparse", array.is_sparse().to_string()),
        rank(array.shape().len()),
    ]
}

/// The rule about links in a directory. A link does not consist of bytes, so no breaker makes one.
const LINKED: &str = "b2nd/linked-file";

#[test]
fn every_rule_is_broken_alone() {
    let rules = ndbytes::rules().filter(|rule| rule.id.starts_with("b2nd/") && rule.id != LINKED);
    let mut missing = Vec::new();
    for rule in rules {
        for seed in 0..5 {
            if Forge::new(seed).broken(rule).is_none() {
                missing.push((rule.id, seed));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
