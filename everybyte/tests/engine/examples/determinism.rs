//! In one version, the same seeds produce the same files, mutants and recipes on every machine, so a saved recipe or
//! seed has the same meaning everywhere.
//!
//! `UPDATE_HASHES=1 cargo test -p everybyte --all-features --test examples` rewrites the hashes.

use everybyte::Format;
use everybyte::arbitrary::Arbitrary;
use everybyte::forge::{Choices, Mutation, Of, Repair, Roles, Session};
use everybyte::fuzzing;
use std::fmt::Write;
use std::path::Path;

/// The number of files per format.
const FILES: u64 = 20;

/// The number of mutants of each file, in each way.
const MUTANTS: u64 = 4;

/// 64-bit FNV-1a.
struct Hash(u64);

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn of(all: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let mut hash = Hash(0xcbf2_9ce4_8422_2325);
        all.into_iter().for_each(|bytes| hash.add(&bytes));
        hash
    }
}

/// Returns the lines for a format: hashes of generated files, and of their mutants by what is recomputed.
pub fn hashes<F: Format + for<'a> Arbitrary<'a>>(name: &str) -> String {
    let mut lines = String::new();
    let mut line = |what: &str, hash: Hash| writeln!(lines, "{:016x}  {name} {what}", hash.0).unwrap();
    let files: Vec<Vec<u8>> = (1..=FILES).filter_map(fuzzing::file::<F>).collect();
    line("files", Hash::of(files.clone()));
    let sums = Roles { extent: true, counts: true, check_of: true, ..Roles::default() };
    let repairs = [
        ("all mended", Repair::Everything),
        ("none mended", Repair::Nothing),
        ("lengths and sums mended", Repair::Only(sums)),
        ("one in 16 left", Repair::AllBut(16)),
    ];
    let grammar = Of::<F>::new();
    for (what, repair) in repairs {
        let mut session = Session::new(&grammar);
        let how = Mutation { count: 1..=4, repair, ..Mutation::default() };
        let mut hash = Hash::of([]);
        for (file, seed) in files.iter().flat_map(|file| (0..MUTANTS).map(move |seed| (file, seed))) {
            let mutant = session.mutate(file, &how, &mut Choices::seeded(seed));
            hash.add(&mutant.bytes);
            hash.add(mutant.recipe.to_string().as_bytes());
        }
        line(what, hash);
    }
    lines
}

#[test]
fn files_and_mutants_are_those_of_this_version() {
    let made: String = super::all().iter().map(|format| (format.hashes)(format.name)).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/examples/hashes.txt");
    if std::env::var_os("UPDATE_HASHES").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let changed: Vec<&str> = made.lines().filter(|line| !known.lines().any(|known| known == *line)).collect();
    assert_eq!(changed, [""; 0], "a new version of the forge has a new number");
}
