//! Padding is adjusted when the fields before it change.

use super::after;
use super::mutants::keep_the_promises;
use everybyte::forge::{Choices, Mutation, Of, Repair, Session};
use everybyte::{Format, bytes::Align, check, explain, layout, list::filling, text::Text};

/// Parcels whose texts end at multiples.
#[layout]
#[brw(little, magic = b"CART")]
pub struct Cart {
    #[layout(extent = "magic..words_padding")]
    header: u8,
    #[layout(place = parcels)]
    parcels_offset: u8,
    #[br(temp)]
    length: u8,
    #[layout(fact)]
    #[br(count = length)]
    words: Text,
    words_padding: Align<4, b'-'>,
    #[br(parse_with = filling(u64::MAX))]
    parcels: Vec<Parcel>,
}

#[layout]
struct Parcel {
    #[br(temp)]
    length: u8,
    #[layout(fact)]
    #[br(count = length)]
    label: Text,
    /// Counted from the beginning of the parcel.
    #[layout(from = length)]
    padding: Align<3>,
}

impl Format for Cart {
    const NAME: &'static str = "cart";
}

/// The first text needs one byte of padding, and its parcels none and two.
const FILE: &[u8] = b"CART\x0c\x0c\x04corn-\x05wheat\x03rye\0\0";

fn made(recipe: &str) -> Vec<u8> {
    let file = after(&Of::<Cart>::new(), FILE, recipe).unwrap();
    assert_eq!(check::<Cart>(&file), [], "{recipe}");
    file
}

#[test]
fn padding_is_fitted_to_a_text_before_it_and_numbers_follow() {
    assert_eq!(check::<Cart>(FILE), []);
    assert_eq!(made(r#"set words = "barley""#), b"CART\x10\x10\x06barley---\x05wheat\x03rye\0\0");
    assert_eq!(made(r#"set words = "maize""#), b"CART\x0c\x0c\x05maize\x05wheat\x03rye\0\0");
}

#[test]
fn padding_without_bytes_grows_after_the_field_before_it() {
    assert_eq!(made(r#"set parcels[0].label = "oats""#), b"CART\x0c\x0c\x04corn-\x04oats\0\x03rye\0\0");
    assert_eq!(made(r#"set parcels[0].label = "barley""#), b"CART\x0c\x0c\x04corn-\x06barley\0\0\x03rye\0\0");
    let maize = made(r#"set words = "maize""#);
    let recipe = r#"set words = "corn""#;
    assert_eq!(after(&Of::<Cart>::new(), &maize, recipe).unwrap(), FILE);
}

#[test]
fn padding_without_bytes_has_a_field_that_is_not_shown() {
    let explained = explain::<Cart>(FILE);
    let paddings: Vec<_> =
        explained.spaces[0].nodes.all().filter_map(|node| Some((node.length(), node.alignment()?.to))).collect();
    assert_eq!(paddings, [(1, 4), (0, 3), (2, 3)]);
    assert_eq!(explained.to_string().matches("parcels[0]").count(), 2, "{explained}");
}

#[test]
fn padding_is_fitted_after_an_element_is_removed() {
    assert_eq!(made("remove parcels[0]"), b"CART\x0c\x0c\x04corn-\x03rye\0\0");
    assert_eq!(made("duplicate parcels[1]"), b"CART\x0c\x0c\x04corn-\x05wheat\x03rye\0\0\x03rye\0\0");
}

#[test]
fn padding_that_is_left_or_not_repaired_stays() {
    let left = after(&Of::<Cart>::new(), FILE, "leave words_padding\nset words = \"oat\"").unwrap();
    assert_eq!(left, b"CART\x0b\x0b\x03oat-\x05wheat\x03rye\0\0");
    let not_repaired = after(&Of::<Cart>::new(), FILE, "repair counts\nset words = \"oat\"").unwrap();
    assert_eq!(not_repaired, b"CART\x0c\x0c\x03oat-\x05wheat\x03rye\0\0");
    let extents = after(&Of::<Cart>::new(), FILE, "repair counts extent\nset words = \"oats!\"").unwrap();
    assert_eq!(extents, b"CART\x0c\x0c\x05oats!\x05wheat\x03rye\0\0");
}

#[test]
fn mutants_with_padding_keep_the_promises() {
    keep_the_promises(&Of::<Cart>::new(), &[FILE.to_vec()], 3000);
}

#[test]
fn mutants_violate_no_rule_where_everything_is_repaired() {
    let grammar = Of::<Cart>::new();
    let mut session = Session::new(&grammar);
    let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
    for seed in 0..300 {
        let mutant = session.mutate(FILE, &how, &mut Choices::seeded(seed));
        assert_eq!(check::<Cart>(&mutant.bytes), [], "{}", mutant.recipe);
        assert_ne!(mutant.bytes, FILE);
    }
}

#[test]
fn a_mutant_of_a_wrong_file_is_not_worse_than_it() {
    let grammar = Of::<Cart>::new();
    let mut session = Session::new(&grammar);
    let wrong = after(&grammar, FILE, "set parcels_offset = 3").unwrap();
    assert_eq!(check::<Cart>(&wrong).len(), 0);
    let wrong = [&wrong[..], b"?"].concat();
    let before = check::<Cart>(&wrong).len();
    assert!(before > 0);
    let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
    let mut worst = 0;
    for seed in 0..300 {
        let mutant = session.mutate(&wrong, &how, &mut Choices::seeded(seed));
        worst = worst.max(check::<Cart>(&mutant.bytes).len());
    }
    assert_eq!(worst, before);
}
