//! gzip.

use crate::support::{
    array, assert_features_are_reached, assert_mutants_get_through, assert_mutants_of_mutants_are_made,
    assert_rules_are_broken, assert_values_stay, for_each_valid,
};
use ndbytes::idx::Options;
use ndbytes::{Error, Format};
use ndbytes_forge::{Content, Forged, Kind};

/// Returns whether the content is a file of this format.
fn holds(made: &Forged, format: Format) -> bool {
    ndbytes::Options::new().from_slice(&made.bytes).is_ok_and(|file| file.format() == format)
}

#[test]
fn gzip_is_valid_and_holds_what_it_says_over_seeds() {
    for_each_valid(Kind::Gzip, 10_000, |_, made| {
        let opened = match ndbytes::Options::new().from_slice(&made.bytes) {
            // If there are several tensors, the user must name one.
            Err(Error::Archive { .. }) if matches!(made.content, Content::Unknown) => return,
            opened => opened.expect("a valid file"),
        };
        if opened.format() != Format::Idx {
            return;
        }
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
    assert_mutants_get_through(Kind::Gzip, ".gz", 40);
}

#[test]
fn gzip_values_stay_where_a_file_is_put_together_otherwise() {
    assert_values_stay(Kind::Gzip, ".gz", &["coding", "split", "join", "header", "empty-member"]);
}

#[test]
fn gzip_features_are_reached_by_valid_files() {
    assert_features_are_reached(
        Kind::Gzip,
        &[
            ("a text", |made| made.bytes[3] & 1 > 0),
            ("a checksum of the header", |made| made.bytes[3] & 2 > 0),
            ("free fields", |made| made.bytes[3] & 4 > 0),
            ("a name", |made| made.bytes[3] & 8 > 0),
            ("a comment", |made| made.bytes[3] & 16 > 0),
            ("several members", |made| made.bytes.windows(3).filter(|three| three == b"\x1f\x8b\x08").count() > 1),
            ("a stored block", |made| made.bytes[3] == 0 && made.bytes[10] & 6 == 0),
            ("fixed codes", |made| made.bytes[3] == 0 && made.bytes[10] & 6 == 2),
            ("codes of its own", |made| made.bytes[3] == 0 && made.bytes[10] & 6 == 4),
            ("IDX", |made| holds(made, Format::Idx)),
            ("RawArray", |made| holds(made, Format::RawArray)),
            ("IDV", |made| holds(made, Format::Idv)),
            ("b2nd", |made| holds(made, Format::B2nd)),
            (".npy", |made| holds(made, Format::Npy)),
        ],
    );
}

#[test]
fn gzip_mutants_of_mutants_are_made_whatever_they_break() {
    assert_mutants_of_mutants_are_made(Kind::Gzip);
}
