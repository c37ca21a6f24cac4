//! IDX.

use crate::grid::{Grid, rank};
use crate::support::{
    array, assert_features_are_reached, assert_mutants_get_through, assert_mutants_of_mutants_are_made,
    assert_rules_are_broken, assert_values_stay, for_each_valid,
};
use ndbytes::idx::Options;
use ndbytes_forge::Kind;

#[test]
fn idx_is_valid_and_holds_what_it_says_over_seeds() {
    let mut grid = Grid::default();
    for_each_valid(Kind::Idx, 10_000, |_, made| {
        let read = Options::new().from_slice(&made.bytes).expect("a valid file");
        let (item_type, shape, items) = array(&made.content);
        assert!(read.shape().iter().map(|&extent| extent as u64).eq(shape.iter().copied()));
        assert_eq!(ndbytes::ItemType::from(read.dtype()).to_string(), item_type);
        assert!(read.bytes().expect("read") == items);
        let is_empty = ("empty", items.is_empty().to_string());
        grid.add(&[("type", item_type.to_owned()), rank(shape.len()), is_empty]);
    });
    grid.assert_all_cells_are_reached(&[("type", 6), ("rank", 5), ("empty", 2)]);
}

#[test]
fn idx_rules_are_broken_over_seeds() {
    assert_rules_are_broken(Kind::Idx);
}

#[test]
fn idx_mutants_get_through_where_everything_is_mended() {
    assert_mutants_get_through(Kind::Idx, ".idx", 60);
}

#[test]
fn idx_values_stay_where_a_file_is_put_together_otherwise() {
    assert_values_stay(Kind::Idx, ".idx", &["reshape"]);
}

#[test]
fn idx_features_are_reached_by_valid_files() {
    assert_features_are_reached(
        Kind::Idx,
        &[
            ("u8", |made| made.bytes[2] == 8),
            ("i8", |made| made.bytes[2] == 9),
            ("i16", |made| made.bytes[2] == 11),
            ("i32", |made| made.bytes[2] == 12),
            ("f32", |made| made.bytes[2] == 13),
            ("f64", |made| made.bytes[2] == 14),
            ("1 axes", |made| made.bytes[3] == 1),
            ("2 axes", |made| made.bytes[3] == 2),
            ("3 axes", |made| made.bytes[3] == 3),
            ("4 axes", |made| made.bytes[3] == 4),
            ("many axes", |made| made.bytes[3] > 4),
            ("no elements", |made| array(&made.content).2.is_empty()),
            ("a large dimension", |made| array(&made.content).1.iter().any(|extent| *extent > 1 << 16)),
        ],
    );
}

#[test]
fn idx_mutants_of_mutants_are_made_whatever_they_break() {
    assert_mutants_of_mutants_are_made(Kind::Idx);
}
