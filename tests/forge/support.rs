//! What the tests of all kinds share.

use ndbytes::everybyte::{Role, Value};
use ndbytes::forge::{Content, Forge, Forged, Kind, Mutation, Repair};
use ndbytes::{Checker, Input, Limits, Severity};
use std::collections::BTreeSet;
use std::fs;
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

/// Returns whether a file is read, whatever the warnings.
fn is_accepted(file: &[u8]) -> bool {
    let report = Checker::new().check_slice(file).expect("bytes in memory can be read");
    !report.findings().iter().any(|finding| finding.severity == Severity::Error)
}

/// The good files of a kind in the corpus, and as many valid ones that the forge makes.
fn seeds(kind: Kind) -> Vec<Vec<u8>> {
    let folder = project().join("tests/corpus").join(if kind == Kind::Gzip { "idx" } else { kind.name() }).join("ok");
    let files = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("the corpus can be read").path());
    let mut files: Vec<_> = files.filter(|path| path.is_file()).collect();
    files.sort();
    let good = files.iter().map(|path| fs::read(path).expect("the corpus can be read"));
    let mut seeds: Vec<_> = good.filter(|bytes| Kind::of(bytes) == Some(kind) && is_accepted(bytes)).collect();
    let mut forge = Forge::new(1).size(512);
    let made: Vec<_> = (0..seeds.len().max(20)).map(|_| forge.valid(kind).bytes).collect();
    seeds.extend(made);
    seeds
}

/// The fields of a file with their values, without those of arrays and tables, and without bytes that mean nothing.
fn structure(file: &[u8]) -> BTreeSet<String> {
    let input = Input::from_slice(file, Limits::default());
    let map = Checker::new().byte_map(input).expect("there is memory for a small map");
    let spans = map.spans().into_iter().filter(|span| span.space == 0);
    let is_structure = |value: &Value| !matches!(value, Value::None | Value::Bytes(..));
    let fields = spans.filter(|span| is_structure(&span.node.value) && span.node.role != Some(Role::Payload));
    fields.map(|span| format!("{} {}", span.path, span.node.value)).collect()
}

/// At least this share of mutants with everything mended is accepted and has another structure than the seed, in percent.
pub fn assert_mutants_get_through(kind: Kind, at_least: u64) {
    const COUNT: u64 = 1_000;
    let seeds = seeds(kind);
    let structures: Vec<_> = seeds.iter().map(|seed| structure(seed)).collect();
    let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
    let mut forge = Forge::new(1);
    let (mut accepted, mut through) = (0, 0);
    for place in (0..seeds.len()).cycle().take(COUNT as usize) {
        let mutant = forge.mutate(&seeds[place], &how).bytes;
        if is_accepted(&mutant) {
            accepted += 1;
            through += u64::from(structure(&mutant) != structures[place]);
        }
    }
    println!("{kind}: {accepted} of {COUNT} mutants are accepted, {through} with another structure");
    assert!(through * 100 >= at_least * COUNT, "{kind}: {through} of {COUNT}, {accepted} accepted");
}

/// The folder of the project.
pub fn project() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
