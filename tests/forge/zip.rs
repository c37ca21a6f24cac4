//! Zip archives.

use crate::support::{assert_mutants_get_through, assert_rules_are_broken, for_each_valid};
use ndbytes::forge::{Content, Kind};

#[test]
fn zip_is_valid_and_holds_what_it_says_over_seeds() {
    for_each_valid(Kind::Zip, 10_000, |_, made| {
        let Content::Members(members) = &made.content else { panic!("it is no archive") };
        assert!(!members.is_empty());
    });
}

#[test]
fn zip_rules_are_broken_over_seeds() {
    assert_rules_are_broken(Kind::Zip);
}

#[test]
fn zip_mutants_get_through_where_everything_is_mended() {
    assert_mutants_get_through(Kind::Zip, 40);
}
