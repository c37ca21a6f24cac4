//! `.npy`.

use crate::grid::{Grid, rank};
use crate::support::{
    array, assert_features_are_reached, assert_mutants_get_through, assert_mutants_of_mutants_are_made,
    assert_rules_are_broken, assert_values_stay, contains, findings, for_each_valid,
};
use ndbytes::npy::Options;
use ndbytes_forge::{Forge, Kind, Recipe};
use std::collections::BTreeSet;

#[test]
fn npy_is_valid_and_holds_what_it_says_over_seeds() {
    let mut grid = Grid::default();
    for_each_valid(Kind::Npy, 10_000, |seed, made| {
        let read = Options::new().from_slice(&made.bytes).expect("a valid file");
        let (item_type, shape, items) = array(&made.content);
        assert!(read.shape().iter().map(|&extent| extent as u64).eq(shape.iter().copied()));
        assert_eq!(read.item_type().to_string(), item_type);
        let (mut found, count) = (read.items(), items.len().checked_div(read.item_type().size() as usize));
        let found = found.read(0, count.unwrap_or(0) as u64).expect("read");
        assert!(found == items, "seed {seed}");
        let plain = item_type.trim_start_matches(['<', '>', '|']);
        let item_type = if plain.starts_with(['[', '{']) { "a structure" } else { plain };
        let (version, order) =
            (("version", made.bytes[6].to_string()), ("Fortran", contains(&made.bytes, b"True").to_string()));
        grid.add(&[("type", item_type.to_owned()), rank(shape.len()), version, order]);
    });
    grid.assert_all_cells_are_reached(&[("type", 21), ("rank", 6), ("version", 3), ("Fortran", 2)]);
}

#[test]
fn npy_rules_are_broken_over_seeds() {
    assert_rules_are_broken(Kind::Npy);
}

#[test]
fn npy_mutants_get_through_where_everything_is_mended() {
    assert_mutants_get_through(Kind::Npy, ".npy", 50);
}

#[test]
fn npy_values_stay_where_a_file_is_put_together_otherwise() {
    assert_values_stay(Kind::Npy, ".npy", &["version", "spelling"]);
}

#[test]
fn npy_features_are_reached_by_valid_files() {
    assert_features_are_reached(
        Kind::Npy,
        &[
            ("version 1", |made| made.bytes[6] == 1),
            ("version 2", |made| made.bytes[6] == 2),
            ("version 3", |made| made.bytes[6] == 3),
            ("|u1", |made| contains(&made.bytes, b"|u1")),
            ("|b1", |made| contains(&made.bytes, b"|b1")),
            ("<i4", |made| contains(&made.bytes, b"<i4")),
            (">f8", |made| contains(&made.bytes, b">f8")),
            ("<f2", |made| contains(&made.bytes, b"<f2")),
            ("<c16", |made| contains(&made.bytes, b"<c16")),
            ("|S3", |made| contains(&made.bytes, b"|S3")),
            ("<U2", |made| contains(&made.bytes, b"<U2")),
            ("|V5", |made| contains(&made.bytes, b"|V5")),
            ("<M8[s]", |made| contains(&made.bytes, b"<M8[s]")),
            ("[(", |made| contains(&made.bytes, b"[(")),
            ("(1, 3)", |made| contains(&made.bytes, b"(1, 3)")),
            ("True", |made| contains(&made.bytes, b"True")),
            ("()", |made| contains(&made.bytes, b"()")),
            ("no spaces", |made| contains(&made.bytes, b",'")),
            ("a gap", |made| contains(&made.bytes, b"(''")),
            ("no elements", |made| array(&made.content).2.is_empty()),
        ],
    );
}

#[test]
fn npy_mutants_of_mutants_are_made_whatever_they_break() {
    assert_mutants_of_mutants_are_made(Kind::Npy);
}

/// The rules about the header text that a single changed letter rarely breaks, because the text must remain a literal.
const OF_LITERALS: [&str; 10] = [
    "npy/syntax",
    "npy/long-integer",
    "npy/keys",
    "npy/duplicate-key",
    "npy/fortran-order",
    "npy/shape",
    "npy/descr",
    "npy/objects",
    "npy/type-name",
    "npy/style",
];

#[test]
fn npy_headers_are_mutated_along_their_grammar() {
    let mut broken = BTreeSet::new();
    for seed in 0..8_000 {
        let file = Forge::new(seed % 50).size(256).valid(Kind::Npy).bytes;
        let text = format!("forge 1 npy\nfrom file npy\ndo literal seed={seed}\n");
        let recipe: Recipe = text.parse().expect("a recipe");
        if let Ok(mutant) = recipe.replay(Some(&file)) {
            broken.extend(findings(&mutant.bytes));
        }
    }
    let missing: Vec<_> = OF_LITERALS.into_iter().filter(|rule| !broken.contains(rule)).collect();
    assert!(missing.is_empty(), "{missing:?} of {broken:?}");
}
