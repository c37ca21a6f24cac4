//! RawArray.

use crate::grid::{Grid, rank};
use crate::support::{
    array, assert_features_are_reached, assert_mutants_get_through, assert_mutants_of_mutants_are_made,
    assert_rules_are_broken, assert_values_stay, contains, for_each_valid,
};
use ndbytes::rawarray::{Options, Order};
use ndbytes_forge::Kind;

#[test]
fn rawarray_is_valid_and_holds_what_it_says_over_seeds() {
    let mut grid = Grid::default();
    for_each_valid(Kind::RawArray, 10_000, |_, made| {
        let read = Options::new().from_slice(&made.bytes).expect("a valid file");
        let (item_type, shape, items) = array(&made.content);
        assert!(read.shape(Order::C).iter().map(|&extent| extent as u64).eq(shape.iter().copied()));
        assert_eq!(ndbytes::ItemType::from(read.dtype()).to_string(), item_type);
        assert!(read.bytes().expect("read") == items);
        let item_type = if item_type.contains('V') { "a record" } else { item_type };
        let has_metadata = ("metadata", (!read.metadata().expect("read").is_empty()).to_string());
        let is_empty = ("empty", items.is_empty().to_string());
        grid.add(&[("type", item_type.to_owned()), rank(shape.len()), has_metadata, is_empty]);
    });
    grid.assert_all_cells_are_reached(&[("type", 17), ("rank", 5), ("metadata", 2), ("empty", 2)]);
}

#[test]
fn rawarray_rules_are_broken_over_seeds() {
    assert_rules_are_broken(Kind::RawArray);
}

#[test]
fn rawarray_mutants_get_through_where_everything_is_mended() {
    assert_mutants_get_through(Kind::RawArray, ".ra", 60);
}

#[test]
fn rawarray_values_stay_where_a_file_is_put_together_otherwise() {
    assert_values_stay(Kind::RawArray, ".ra", &["metadata", "lz4", "reshape"]);
}

#[test]
fn rawarray_features_are_reached_by_valid_files() {
    assert_features_are_reached(
        Kind::RawArray,
        &[
            ("class 0", |made| made.bytes[16] == 0),
            ("class 1", |made| made.bytes[16] == 1),
            ("class 2", |made| made.bytes[16] == 2),
            ("class 3", |made| made.bytes[16] == 3),
            ("class 4", |made| made.bytes[16] == 4),
            ("class 5", |made| made.bytes[16] == 5),
            ("16 bytes", |made| made.bytes[24] == 16),
            ("metadata", |made| contains(&made.bytes, b"units")),
            ("many axes", |made| made.bytes[40] > 4),
            ("no elements", |made| array(&made.content).2.is_empty()),
        ],
    );
}

#[test]
fn rawarray_mutants_of_mutants_are_made_whatever_they_break() {
    assert_mutants_of_mutants_are_made(Kind::RawArray);
}
