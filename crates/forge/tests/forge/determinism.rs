//! The same seeds produce the same bytes, in this version and on every machine.
//!
//! `UPDATE_HASHES=1 cargo test -p ndbytes-forge --test forge -- determinism::` rewrites the hashes.

use ndbytes_forge::{Forge, Forged, Kind, Mutation};
use ndbytes_testkit::project;
use std::fmt::Write;
use std::fs;

const SEEDS: std::ops::RangeInclusive<u64> = 1..=1_000;

/// The hash of all bytes of some files.
fn hash(files: impl Iterator<Item = Forged>) -> String {
    let mut hasher = blake3::Hasher::new();
    for file in files {
        for bytes in std::iter::once(&file.bytes).chain(file.others.iter().map(|(_, bytes)| bytes)) {
            hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        }
    }
    hasher.finalize().to_hex().to_string()
}

#[test]
fn files_of_a_thousand_seeds_are_those_of_this_version() {
    let mut text = String::new();
    for kind in Kind::ALL {
        let valid = hash(SEEDS.map(|seed| Forge::new(seed).valid(kind)));
        writeln!(text, "{valid}  valid {kind}").unwrap();
        let mutants = hash(SEEDS.map(|seed| {
            let mut forge = Forge::new(seed);
            let seed = forge.valid(kind);
            forge.mutate_again(&seed, &Mutation::default())
        }));
        writeln!(text, "{mutants}  mutants {kind}").unwrap();
    }
    let rules = ndbytes::rules().filter(|rule| Forge::can_break(rule));
    let broken =
        rules.flat_map(|rule| (1..=5).map(|seed| Forge::new(seed).broken(rule).expect("every rule is broken")));
    writeln!(text, "{}  broken", hash(broken)).unwrap();
    let path = project().join("crates/forge/tests/forge/hashes.txt");
    if std::env::var_os("UPDATE_HASHES").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text, "a new version of the forge has a new number");
}
