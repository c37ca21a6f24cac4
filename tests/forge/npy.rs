//! `.npy`.

use crate::support::{array, assert_mutants_get_through, assert_rules_are_broken, for_each_valid};
use ndbytes::forge::Kind;
use ndbytes::npy::Options;

#[test]
fn npy_is_valid_and_holds_what_it_says_over_seeds() {
    for_each_valid(Kind::Npy, 10_000, |seed, made| {
        let read = Options::new().from_slice(&made.bytes).expect("a valid file");
        let (item_type, shape, items) = array(&made.content);
        assert!(read.shape().iter().map(|&extent| extent as u64).eq(shape.iter().copied()));
        assert_eq!(read.item_type().to_string(), item_type);
        let (mut found, count) = (read.items(), items.len().checked_div(read.item_type().size() as usize));
        let found = found.read(0, count.unwrap_or(0) as u64).expect("read");
        assert!(found == items, "seed {seed}");
    });
}

#[test]
fn npy_rules_are_broken_over_seeds() {
    assert_rules_are_broken(Kind::Npy);
}

#[test]
fn npy_mutants_get_through_where_everything_is_mended() {
    assert_mutants_get_through(Kind::Npy, 50);
}
