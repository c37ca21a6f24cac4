//! Snapshots of each example: definitions for other tools, the map of a frozen file, and the differences of mutants of it.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p everybyte --all-features --test examples` rewrites all of them.

use super::promises::mutant;
use crate::compared::diff_with;
use everybyte::definition::{Subject, imhex, kaitai};
use everybyte::diff::Options;
use everybyte::forge::Repair;
use everybyte::{Format, check, explain, reference::Book};
use std::fmt::Write;
use std::path::Path;

/// The ways of repairing, each with a number of mutants.
const REPAIRS: [(Repair, u64); 2] = [(Repair::Everything, 6), (Repair::Nothing, 6)];

/// The maximum number of lines per mutant in a snapshot.
const LINES: usize = 12;

/// The ending of a snapshot's name, and the function that makes it from the name of the format and a frozen file.
pub type Snapshot = (&'static str, fn(&'static str, &[u8]) -> String);

pub fn of<F: Format>() -> [Snapshot; 4] {
    [
        ("ksy", |name, _| definition::<F>(name)),
        ("hexpat", |name, _| imhex(subject::<F>(name, &[F::book()]))),
        ("map", |_, file| explain::<F>(file).to_string()),
        ("mutants", |_, file| mutants::<F>(file)),
    ]
}

/// Returns the definition for Kaitai Struct.
pub fn definition<F: Format>(name: &'static str) -> String {
    kaitai(subject::<F>(name, &[F::book()]))
}

fn subject<'b, F: Format>(name: &'static str, books: &'b [Book]) -> Subject<'b> {
    Subject { byte_order: F::BYTE_ORDER, ..Subject::new(name, F::NAME, books) }
}

/// Returns the differences of some mutants, and the findings about them.
fn mutants<F: Format>(file: &[u8]) -> String {
    let mut text = String::new();
    for (repair, seed) in REPAIRS.into_iter().flat_map(|(repair, seeds)| (1..=seeds).map(move |seed| (repair, seed))) {
        let mutant = mutant::<F>(file, repair, seed);
        writeln!(text, "mutant {seed}, {repair:?} mended: {} bytes", mutant.len()).unwrap();
        let different = diff_with::<F>(file, &mutant, &Options::default());
        for line in different.lines(true).take(LINES) {
            writeln!(text, "  {line}").unwrap();
        }
        for finding in check::<F>(&mutant).iter().take(LINES) {
            writeln!(text, "  finding: {finding}").unwrap();
        }
    }
    text
}

#[test]
fn definitions_maps_and_differences_are_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/examples/snapshots");
    let mut changed = Vec::new();
    for format in super::all() {
        let file = super::frozen(format.name);
        for (ending, make) in format.snapshots {
            let (path, made) = (folder.join(format.name).with_extension(ending), make(format.name, &file));
            if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
                std::fs::write(&path, &made).unwrap();
            }
            let known = std::fs::read_to_string(&path).unwrap_or_default();
            if made != known {
                let alike = made.lines().zip(known.lines()).take_while(|(made, known)| made == known).count();
                changed.push(format!("{}, line {}", path.display(), alike + 1));
            }
        }
    }
    assert_eq!(changed, [""; 0]);
}
