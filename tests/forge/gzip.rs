//! gzip.

use crate::support::{array, assert_mutants_get_through, assert_rules_are_broken, for_each_valid};
use ndbytes::forge::Kind;
use ndbytes::idx::Options;

#[test]
fn gzip_is_valid_and_holds_what_it_says_over_seeds() {
    for_each_valid(Kind::Gzip, 10_000, |_, made| {
        let read = Options::new().from_slice(&made.bytes).expect("a valid file");
        let (item_type, shape, items) = array(&made.content);
        assert!(read.shape().iter().map(|&extent| extent as u64).eq(shape.iter().copied()));
        assert_eq!(ndbytes::ItemType::from(read.dtype()).to_string(), item_type);
        assert!(read.bytes().expect("read") == items);
    });
}

#[test]
fn gzip_rules_are_broken_over_seeds() {
    assert_rules_are_broken(Kind::Gzip);
}

#[test]
fn gzip_mutants_get_through_where_everything_is_mended() {
    assert_mutants_get_through(Kind::Gzip, 40);
}
