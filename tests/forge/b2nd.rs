//! b2nd: what is made is what it is said to be.

use ndbytes::{Checker, Report, b2nd};
use ndbytes_forge::{Content, Forge, Forged, Kind};
use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

/// A check of a file, or of a folder.
fn check(forged: &Forged) -> Report {
    if forged.others.is_empty() {
        return Checker::new().check_slice(&forged.bytes).unwrap();
    }
    let folder = written(forged);
    Checker::new().check(folder.path()).unwrap()
}

/// The folder of a sparse frame.
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
            grid.add(&array);
            compared += 1;
        }
    }
    lengths.sort_unstable();
    assert!(lengths[5000] <= 400, "the median is {}", lengths[5000]);
    assert!(compared > 9_000, "{compared}");
    grid.assert_all_cells_are_reached();
}

/// The pairs of features that files have: every codec comes with every choice of filters, and with every type.
#[derive(Default)]
struct Grid {
    codecs: BTreeSet<String>,
    filters: BTreeSet<String>,
    types: BTreeSet<String>,
    cells: BTreeSet<(String, String)>,
}

impl Grid {
    fn add(&mut self, array: &b2nd::Array<'_>) {
        let codec = format!("{:?}", array.codec());
        let (filters, item_type) = (array.filters().join(", "), array.item_type().to_string());
        self.cells.extend([(codec.clone(), filters.clone()), (codec.clone(), item_type.clone())]);
        self.cells.insert((filters.clone(), format!("sparse: {}", array.is_sparse())));
        self.cells.insert((filters.clone(), item_type.clone()));
        self.codecs.insert(codec);
        self.filters.insert(filters);
        self.types.insert(item_type);
    }

    fn assert_all_cells_are_reached(&self) {
        let sparse = BTreeSet::from(["sparse: false".to_owned(), "sparse: true".to_owned()]);
        assert_eq!((self.codecs.len(), self.filters.len()), (5, 10), "{:?} {:?}", self.codecs, self.filters);
        assert!(self.types.len() >= 30, "{:?}", self.types);
        let features = [
            (&self.codecs, &self.filters),
            (&self.codecs, &self.types),
            (&self.filters, &sparse),
            (&self.filters, &self.types),
        ];
        for (ones, others) in features {
            let cells = ones.iter().flat_map(|one| others.iter().map(move |other| (one.clone(), other.clone())));
            let missing: Vec<_> = cells.filter(|cell| !self.cells.contains(cell)).collect();
            assert!(missing.is_empty(), "{missing:?}");
        }
    }
}

/// A link in a folder is no bytes of a file, so no breaker makes one.
const LINKED: &str = "b2nd/linked-file";

#[test]
fn every_rule_is_broken_alone() {
    let rules = ndbytes::rules().filter(|rule| rule.id.starts_with("b2nd/") && rule.id != LINKED);
    let mut missing = Vec::new();
    for rule in rules {
        for seed in 0..5 {
            let start = Instant::now();
            match Forge::new(seed).broken(rule) {
                // Builds for debugging are slower.
                Some(_) => assert!(start.elapsed() < Duration::from_secs(2), "{} of seed {seed} is slow", rule.id),
                None => missing.push((rule.id, seed)),
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
