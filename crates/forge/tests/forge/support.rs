//! Helpers for the tests of all kinds.

use ndbytes::archive::Archive;
use ndbytes::everybyte::role::Role;
use ndbytes::{Checker, File, Input, Limits, Options, Verdict};
use ndbytes_forge::{Content, Forge, Forged, Kind, Mutation, Recipe, Repair};
use ndbytes_testkit::corpus;
use ndbytes_testkit::share::is_whole;
use std::fs;

/// The ids of the rules that a file breaks in profile strict.
pub fn findings(file: &[u8]) -> Vec<&'static str> {
    let report = Checker::new().check_slice(file).expect("bytes in memory can be read");
    report.findings().iter().map(|finding| finding.rule.id).collect()
}

/// Makes `count` valid files, which must have no findings, and passes each to a function. Most runs make only a third
/// of them, except for tables, whose features require all of them.
pub fn for_each_valid(kind: Kind, count: u64, mut look: impl FnMut(u64, &Forged)) {
    let count = if is_whole() || kind == Kind::Idv { count } else { count * 3 / 10 };
    let mut sizes = Vec::new();
    for seed in 0..count {
        let made = Forge::new(seed).valid(kind);
        assert_eq!(findings(&made.bytes), Vec::<&str>::new(), "seed {seed}: {:02x?}", made.bytes);
        if seed % 10 == 0 {
            assert!(
                Forge::new(seed).valid(kind).bytes == made.bytes,
                "seed {seed}: the same seed gives the same bytes"
            );
        }
        sizes.push(made.bytes.len());
        look(seed, &made);
    }
    for seed in 0..count / 20 {
        let bytes: Vec<u8> = (0..seed % 97).map(|at| (seed * 31 + at * at * 7) as u8).collect();
        let made = Forge::new(0).valid_from(kind, &bytes);
        assert_eq!(findings(&made.bytes), Vec::<&str>::new(), "choices {bytes:02x?}: {:02x?}", made.bytes);
    }
    sizes.sort_unstable();
    let (median, largest) = (sizes[sizes.len() / 2], sizes[sizes.len() - 1]);
    println!("{kind}: {count} files, median {median} bytes, largest {largest}");
    assert!(median <= 500 && largest <= 4224, "{kind}: median {median} bytes, largest {largest}");
}

/// The array in the stated content of a file.
pub fn array(content: &Content) -> (&str, &[u64], &[u8]) {
    match content {
        Content::Array { item_type, shape, items } => (item_type, shape, items),
        other => panic!("it is no array: {other:?}"),
    }
}

/// Asserts that five seeds break every rule of a kind that bytes alone can break.
pub fn assert_rules_are_broken(kind: Kind) {
    let prefix = format!("{kind}/");
    let mut missing = Vec::new();
    for rule in ndbytes::rules().filter(|rule| rule.id.starts_with(&prefix) && Forge::can_break(rule)) {
        let broken = (0..5).filter(|seed| Forge::new(*seed).broken(rule).is_some()).count();
        if broken < 5 {
            missing.push((rule.id, broken));
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

/// The names and values of a file's fields, without payloads and the fields derived from them.
fn structure(file: &[u8]) -> Vec<(String, String)> {
    let limits = Limits::default();
    let map = Checker::new().byte_map(Input::from_slice(file, limits)).expect("there is memory for a small map");
    let spans = map.spans();
    let fields = spans.iter().filter(|span| !matches!(span.node.role(), Some(Role::CheckOf { .. } | Role::Payload)));
    fields.map(|span| (span.path.clone(), format!("{:?}", span.node.value()))).collect()
}

/// Returns whether a file can be read, whatever the warnings.
fn is_accepted(file: &[u8]) -> bool {
    let report = Checker::new().check_slice(file).expect("bytes in memory can be read");
    report.verdict() < Verdict::Error
}

/// Asserts that at least this percentage of mutants with everything recomputed is accepted and differs from the seed in
/// structure. The seeds are valid files of the corpus and of the forge.
pub fn assert_mutants_get_through(kind: Kind, ending: &str, at_least: u64) {
    let good: Vec<_> = good_files(ending).into_iter().map(|(_, file)| file).filter(|file| is_accepted(file)).collect();
    let made: Vec<_> = (0..300).map(|seed| Forge::new(seed).size(512).valid(kind).bytes).collect();
    for (seeds, origin) in [(good, "the corpus"), (made, "valid files")] {
        let (count, mut through, mut accepted) = (300, 0, 0);
        for seed in 0..count {
            let file = &seeds[seed as usize % seeds.len()];
            let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
            let mutant = Forge::new(seed).mutate(file, &how).bytes;
            if is_accepted(&mutant) {
                accepted += 1;
                through += u64::from(structure(&mutant) != structure(file));
            }
        }
        println!("{kind}: of {count} mutants of {origin}, {accepted} are accepted, {through} with another structure");
        assert!(through * 100 >= at_least * count, "{kind}: {through} of {count} of {origin}, {accepted} accepted");
    }
}

/// Asserts that mutants of mutants are made without a panic, whatever they break, and stay within the maximum length.
pub fn assert_mutants_of_mutants_are_made(kind: Kind) {
    let repairs = [Repair::Nothing, Repair::Everything, Repair::AllBut(2)];
    for seed in 0..40 {
        let mut forge = Forge::new(seed).size(300).of_kind(kind);
        let mut file = forge.valid(kind).bytes;
        for step in 0..15 {
            let how = Mutation { repair: repairs[step % 3], max_len: 2048, ..Mutation::default() };
            file = forge.mutate(&file, &how).bytes;
            assert!(file.len() <= 2048, "{kind}: seed {seed}, {} bytes", file.len());
        }
    }
}

/// The valid files of the corpus whose names have this ending.
pub fn good_files(ending: &str) -> Vec<(String, Vec<u8>)> {
    let corpus = corpus::root();
    let mut files = Vec::new();
    for kind in Kind::ALL {
        let Ok(folder) = fs::read_dir(corpus.join(kind.name()).join("ok")) else { continue };
        let paths = folder.map(|entry| entry.expect("the corpus can be read").path());
        for path in paths.filter(|path| path.is_file() && path.to_str().is_some_and(|path| path.ends_with(ending))) {
            files.push((path.display().to_string(), fs::read(&path).expect("the corpus can be read")));
        }
    }
    assert!(!files.is_empty(), "the corpus has files {ending}");
    files.sort();
    files
}

/// An array, or a member of an archive.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Values {
    shape: Vec<usize>,
    items: Vec<u8>,
}

/// The shape and the bytes of a file's array, or of the members of an archive.
fn values(file: &[u8]) -> Vec<Values> {
    let limits = Limits::default();
    let input = || Input::from_slice(file, limits);
    if file.starts_with(b"PK") {
        let archive = Archive::read(input(), limits).expect("a good archive");
        let members = archive.load_each().map(|(_, member)| {
            let member = member.expect("a good member");
            Values { shape: Vec::new(), items: member.bytes().expect("it can be read").to_vec() }
        });
        let mut members: Vec<_> = members.collect();
        members.sort();
        return members;
    }
    match Options::new().read(input()).expect("a good file") {
        File::Array(array) => {
            vec![Values { shape: array.shape().to_vec(), items: array.bytes().expect("it can be read").into_owned() }]
        }
        File::Table(table) => {
            let columns = table.columns().map(|column| column.read().expect("it can be read"));
            let items = columns.flat_map(|values| format!("{values:?}").into_bytes()).collect();
            vec![Values { shape: vec![table.rows() as usize], items }]
        }
    }
}

/// Asserts that operations that take a file apart and put it together differently preserve its values.
pub fn assert_values_stay(kind: Kind, ending: &str, operations: &[&str]) {
    let mut done = 0;
    for (name, file) in good_files(ending) {
        let before = values(&file);
        for operation in operations {
            let text = format!("forge 1 {kind}\nfrom file {kind}\ndo {operation} seed=5\n");
            let recipe: Recipe = text.parse().expect("a recipe");
            let Ok(made) = recipe.replay(Some(&file)) else { continue };
            let after = values(&made.bytes);
            // The elements must be the same. Only `reshape` may change the dimensions.
            let is_same = |(one, other): (&Values, &Values)| {
                one.items == other.items && (one.shape == other.shape || *operation == "reshape")
            };
            assert!(after.len() == before.len() && before.iter().zip(&after).all(is_same), "{name}: `{operation}`");
            done += 1;
        }
    }
    println!("{kind}: {done} times, the values stayed");
    assert!(done >= 10, "{kind}: {done}");
}

/// The name of a feature, and whether a file has it.
type Feature = (&'static str, fn(&Forged) -> bool);

/// Asserts that each feature occurs in at least 20 of 2,000 valid files.
pub fn assert_features_are_reached(kind: Kind, features: &[Feature]) {
    let files: Vec<_> = (0..2000).map(|seed| Forge::new(seed).valid(kind)).collect();
    let rare = features.iter().map(|(name, has)| (*name, files.iter().filter(|file| has(file)).count()));
    let rare: Vec<_> = rare.filter(|(_, count)| *count < 20).collect();
    assert!(rare.is_empty(), "{kind}: {rare:?}");
}

/// Returns whether bytes contain other bytes.
pub fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
