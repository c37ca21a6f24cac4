//! Zip archives.

use crate::support::{
    assert_features_are_reached, assert_mutants_get_through, assert_mutants_of_mutants_are_made,
    assert_rules_are_broken, assert_values_stay, contains, for_each_valid,
};
use ndbytes_forge::{Content, Forged, Kind};

/// The names of the members.
fn names(made: &Forged) -> impl Iterator<Item = &str> {
    let Content::Members(members) = &made.content else { panic!("it is no archive") };
    members.iter().map(|(name, _)| &**name)
}

fn has(made: &Forged, ending: &str) -> bool {
    names(made).any(|name| name.ends_with(ending))
}

#[test]
fn no_valid_archive_has_a_signed_directory_which_zipfile_refuses() {
    for_each_valid(Kind::Zip, 1_000, |_, made| assert!(!contains(&made.bytes, b"PK\x05\x05")));
}

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
    assert_mutants_get_through(Kind::Zip, ".zip", 40);
}

#[test]
fn zip_values_stay_where_a_file_is_put_together_otherwise() {
    assert_values_stay(Kind::Zip, ".zip", &["large", "plain", "store", "comment", "signature", "reorder"]);
}

#[test]
fn zip_features_are_reached_by_valid_files() {
    assert_features_are_reached(
        Kind::Zip,
        &[
            ("deflated", |made| made.bytes[8] == 8),
            ("stored", |made| made.bytes[8] == 0),
            ("a descriptor", |made| made.bytes[6] & 8 > 0),
            ("records of a large archive", |made| contains(&made.bytes, b"PK\x06\x06")),
            ("IDX", |made| has(made, ".idx")),
            ("RawArray", |made| has(made, ".ra")),
            ("IDV", |made| has(made, ".idv")),
            ("b2nd", |made| has(made, ".b2nd")),
            ("arrays alone, as in an .npz", |made| names(made).all(|name| name.ends_with(".npy"))),
            ("times", |made| contains(&made.bytes, b"UT\x05\0")),
            ("a comment", |made| contains(&made.bytes, b"archive's comment")),
            ("UTF-8", |made| contains(&made.bytes, "ä".as_bytes())),
            ("a folder", |made| contains(&made.bytes, b"folder")),
            ("several members", |made| matches!(&made.content, Content::Members(members) if members.len() > 2)),
        ],
    );
}

#[test]
fn zip_mutants_of_mutants_are_made_whatever_they_break() {
    assert_mutants_of_mutants_are_made(Kind::Zip);
}
