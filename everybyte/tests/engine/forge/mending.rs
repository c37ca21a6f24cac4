//! Consequences of an edit.

use super::after;
use super::formats::{Shelf, Shelves, shelf};
use everybyte::forge::{Grammar, Repair, Roles, set_right};
use everybyte::links::Links;
use everybyte::{
    check,
    map::{Node, Value},
};

/// Returns the value of the field at a path in the map of a shelf, or `nothing` if there is no such field.
fn value(file: &[u8], path: &str) -> String {
    let spaces = Shelves::new().map(file);
    let spans = everybyte::map::keyed_spans(&spaces);
    let span = spans.iter().find(|span| span.path == path || span.key.as_deref() == Some(path));
    span.map_or("nothing".to_owned(), |span| span.node.value().to_string())
}

/// Returns the numbers that do not agree with the fields that they refer to, including checksums.
fn wrong(file: &[u8]) -> Vec<String> {
    let grammar = Shelves::new();
    let spaces = grammar.map(file);
    let sum = |number: Node<'_>, bytes: &[u8]| grammar.check_sum(number, bytes).unwrap();
    let mut wrong = Vec::new();
    for link in Links::new(&spaces).all() {
        let is_right = match (link.agrees(), link.number.value(), link.subject) {
            (None, Value::Uint(value), Some(subject)) => {
                let content = if link.space == 0 { file.to_vec() } else { grammar.content(file, &spaces, 9).unwrap() };
                sum(link.number, &content[subject.start as usize..subject.end as usize]).number().map(u128::from)
                    == Some(value)
            }
            (agrees, ..) => agrees == Some(true),
        };
        wrong.extend((!is_right).then(|| link.number.name().to_owned()));
    }
    wrong
}

fn made(recipe: &str) -> Vec<u8> {
    after(&Shelves::new(), &shelf(), recipe).unwrap()
}

#[test]
fn the_shelf_is_whole() {
    assert_eq!((check::<Shelf>(&shelf()), wrong(&shelf())), (vec![], vec![]));
}

#[test]
fn lengths_places_and_check_sums_follow_a_longer_text() {
    let file = made(r#"set books[1].title = "Ayesha: the Return""#);
    assert_eq!((check::<Shelf>(&file), wrong(&file)), (vec![], vec![]));
    assert_eq!(value(&file, "books[1].title_length"), "18");
    assert_eq!(file.len(), shelf().len() + 15);
}

#[test]
fn counts_and_their_copies_follow_elements() {
    for (recipe, count) in [("remove books[0]", "1"), ("duplicate books[1]", "3"), ("duplicate books[0]", "3")] {
        let file = made(recipe);
        assert_eq!((check::<Shelf>(&file), wrong(&file)), (vec![], vec![]), "{recipe}");
        assert_eq!((value(&file, "count"), value(&file, "count_again")), (count.into(), count.into()), "{recipe}");
    }
}

#[test]
fn elements_of_different_length_change_places() {
    let file = made("swap books[0] books[1]");
    assert_eq!((check::<Shelf>(&file), wrong(&file)), (vec![], vec![]));
    assert_eq!((value(&file, "books[0].pages"), value(&file, "books[1].pages")), ("317".into(), "474".into()));
}

#[test]
fn content_is_packed_again() {
    let file = made("duplicate note!words[1]\nset note!words[0] = 0x1234");
    assert_eq!((check::<Shelf>(&file), wrong(&file)), (vec![], vec![]));
    assert_eq!((value(&file, "note!count"), value(&file, "note!words[0]")), ("3".into(), "4660".into()));
    assert_eq!(value(&file, "note_length"), "16");
}

#[test]
fn a_number_of_variable_width_takes_what_it_needs() {
    let file = made(&"duplicate note!words[0]\n".repeat(40));
    assert_eq!((check::<Shelf>(&file), wrong(&file)), (vec![], vec![]));
    assert_eq!(value(&file, "note_length"), "172");
    let longer = made("set note_length = x\"8c8000\"");
    assert_eq!((check::<Shelf>(&longer), wrong(&longer)), (vec![], vec![]));
    assert_eq!(longer.len(), shelf().len() + 2);
}

#[test]
fn a_number_that_was_set_is_a_lie_that_nothing_follows() {
    let file = made("set count = 9");
    assert_eq!(file.len(), shelf().len());
    assert_eq!((file[13], file[14]), (9, 9), "a copy follows");
    let file = made("set books[0].title_length = 200");
    assert_eq!((file.len(), file[15]), (shelf().len(), 200));
}

#[test]
fn what_is_left_out_stays_wrong() {
    let file = made("leave note_offset\nremove books[0]");
    assert_eq!(wrong(&file), ["note_offset", "note_length"], "the length is that of the field at the place");
    let file = made("repair place extent copy_of counts\nremove books[0]");
    assert_eq!(wrong(&file), ["sum"]);
    let file = made("repair nothing\nset books[0].title = \"Em\"");
    assert_eq!(file.len(), shelf().len() - 2);
    assert_eq!(file[15], 4);
}

#[test]
fn what_was_wrong_stays_wrong() {
    let file = made("set sum = 1\nset wood = 2");
    assert_eq!(wrong(&file), ["sum"]);
    let file = made("repair nothing\nset note_offset = 3\nrepair everything\nremove books[0]");
    assert_eq!(value(&file, "note_offset"), "3");
}

#[test]
fn bits_and_bytes_are_set_alone() {
    assert_eq!(made("set marks.boards = 5")[12], 0b1011);
    assert_eq!(made("set books[0].weight = 2.5")[22..26], 2.5_f32.to_be_bytes());
    assert_eq!(made("splice books[0].title[1..3] = \"i\"")[15..19], *b"\x03Eia");
    assert_eq!(made("copy books[0].pages to books[1].pages")[30..32], 474_u16.to_le_bytes());
}

#[test]
fn a_file_is_cut_and_gets_more() {
    assert_eq!(made("repair nothing\ncut note + 2"), shelf()[..shelf().len() - 12]);
    assert_eq!(made("cut end - 1"), shelf()[..shelf().len() - 1]);
    assert_eq!(made("append x\"0102\""), [&shelf()[..], &[1, 2]].concat());
}

/// Returns a shelf after a recipe that recomputes nothing, and the same shelf with derived fields recomputed.
fn righted(recipe: &str, repair: Repair) -> [Vec<u8>; 2] {
    let wrong = made(&format!("repair nothing\n{recipe}"));
    let right = set_right(&Shelves::new(), &wrong, repair);
    [wrong, right]
}

#[test]
fn numbers_that_are_wrong_are_set_right() {
    let cases = [
        ("set sum = 1", vec!["sum"]),
        ("set count_again = 9", vec!["count_again", "sum"]),
        ("set length = 3\nset count_again = 1", vec!["length", "count_again", "sum"]),
        ("set note!sum = 77", vec!["sum", "sum"]),
        ("set note!words[0] = 0x1234", vec!["sum", "sum"]),
    ];
    for (recipe, expected) in cases {
        let [broken, right] = righted(recipe, Repair::Everything);
        let mut names = wrong(&broken);
        names.sort_by_key(|name| expected.iter().position(|other| other == name));
        assert_eq!(
            (names, wrong(&right)),
            (expected.iter().map(|&name| name.to_owned()).collect(), vec![]),
            "{recipe}"
        );
        assert_eq!(set_right(&Shelves::new(), &right, Repair::Everything), right, "{recipe}");
        assert_eq!(right.len(), broken.len(), "{recipe}");
    }
}

#[test]
fn a_length_beyond_the_end_becomes_that_of_the_bytes_that_are_left() {
    let [broken, right] = righted("set note_length = 127", Repair::Everything);
    assert_eq!((value(&broken, "note_length"), value(&right, "note_length")), ("127".into(), "14".into()));
}

#[test]
fn only_the_roles_that_are_asked_for_are_set_right() {
    let sums = Repair::Only(Roles { check_of: true, ..Roles::default() });
    let [broken, right] = righted("set count_again = 9", sums);
    assert_eq!((wrong(&broken), wrong(&right)), (vec!["count_again".into(), "sum".into()], vec!["count_again".into()]));
    let [broken, right] = righted("set count_again = 9", Repair::Nothing);
    assert_eq!(broken, right);
}

#[test]
fn a_file_that_is_right_stays_as_it_is() {
    assert_eq!(set_right(&Shelves::new(), &shelf(), Repair::Everything), shelf());
    for end in 0..shelf().len() {
        let right = set_right(&Shelves::new(), &shelf()[..end], Repair::Everything);
        assert!(right.len() <= shelf().len(), "{end}");
    }
}
