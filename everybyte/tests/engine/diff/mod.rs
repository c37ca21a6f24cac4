//! The differences between two files of a format, field by field.

mod any;
mod formats;
mod maps;
mod patterns;

use crate::compared::{diff_with, reader};
use everybyte::diff::{Kind, Options, Side, Structure, structure};
use everybyte::{Format, explain, map::Value};
use formats::{Album, Letter, New, Ordered, Pairs, Steps, TWO, album, letter, steps};

/// Returns the differences between two files.
fn diff<F: Format>(a: &[u8], b: &[u8]) -> Structure {
    diff_with::<F>(a, b, &Options::default())
}

fn lines<F: Format>(a: &[u8], b: &[u8]) -> Vec<String> {
    diff::<F>(a, b).lines(false).collect()
}

/// Changes one byte.
fn with(file: &[u8], at: usize, byte: u8) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at] = byte;
    file
}

#[test]
fn a_file_does_not_differ_from_itself() {
    let file = album("Blue", &TWO);
    assert_eq!(diff::<Album>(&file, &file), Structure::default());
    assert!(diff::<Album>(&file, &file).is_empty());
    // A broken file does not differ from itself either.
    let file = &file[..file.len() - 3];
    assert!(diff::<Album>(file, file).is_empty());
}

#[test]
fn a_fact_is_reported_with_its_offset() {
    let file = album("Blue", &TWO);
    let other = with(&with(&file, 10, 78), 13, 78);
    let expected = [
        "tracks[7].speed: 33 → 78   (at 0xa)",
        "not shown: 1 offset or length that only follows from other changes (--all)",
    ];
    assert_eq!(lines::<Album>(&file, &other), expected);
}

#[test]
fn a_code_is_reported_by_its_name() {
    let file = album("Blue", &TWO);
    assert_eq!(lines::<Album>(&file, &with(&file, 12, 1)), ["tracks[7].codec: plain → rice   (at 0xc)"]);
    let unknown = with(&file, 12, 8);
    assert_eq!(lines::<Album>(&file, &unknown), ["tracks[7].codec: plain → 8 (not defined)   (at 0xc)"]);
}

#[test]
fn a_flag_is_reported_in_the_words_of_its_declaration() {
    let file = album("Blue", &TWO);
    assert_eq!(lines::<Album>(&file, &with(&file, 0, 1)), ["marks: both sides are full: no → yes   (at 0x0)"]);
    assert_eq!(lines::<Album>(&file, &with(&file, 0, 2)), ["marks: long: no → yes   (at 0x0)"]);
    let two = ["marks: codec none → one   (at 0x0)", "marks: rest 0 → 1   (at 0x0)"];
    assert_eq!(lines::<Album>(&file, &with(&file, 0, 20)), two);
}

#[test]
fn changes_that_are_alike_become_one() {
    let tracks: Vec<New> = TWO.iter().map(|&(name, speed, _, sound)| (name, speed, 1, sound)).collect();
    let found = diff::<Album>(&album("Blue", &TWO), &album("Blue", &tracks));
    assert_eq!(found.lines(false).collect::<Vec<_>>(), ["tracks[*].codec: plain → rice   (2 of 2)"]);
    assert_eq!(found.changes[0].same, ["tracks[7].codec", "tracks[9].codec"]);
    // One of three tracks has that codec in both files.
    let three = [TWO[0], TWO[1], (11, 45, 1, b"oh")];
    let others = [(7, 33, 1, TWO[0].3), (9, 45, 1, TWO[1].3), three[2]];
    let found = lines::<Album>(&album("Blue", &three), &album("Blue", &others));
    assert_eq!(found, ["tracks[*].codec: plain → rice   (2 of 3)"]);
}

#[test]
fn offsets_and_check_sums_follow_what_they_are_about() {
    let found = diff::<Album>(&album("Blue", &TWO), &album("Azure", &TWO));
    let expected = [
        "title: Blue → Azure   (at 0x4)",
        "not shown: 4 offsets and lengths that only follow from other changes; 15 fields that only moved (--all)",
    ];
    assert_eq!(found.lines(false).collect::<Vec<_>>(), expected);
    let all: Vec<String> = found.lines(true).collect();
    assert!(all.contains(&"tracks[7].offset: 27 → 28, follows   (at 0xf, now 0x10)".to_owned()), "{all:#?}");
    assert!(all.contains(&"moved: 15 fields from 0x8 on, by +1 byte".to_owned()), "{all:#?}");
}

#[test]
fn a_check_sum_that_differs_alone_is_reported() {
    let file = album("Blue", &TWO);
    let sum = file[2];
    let expected = format!("check: {sum} → {}   (at 0x2)", sum ^ 1);
    assert_eq!(lines::<Album>(&file, &with(&file, 2, sum ^ 1)), [expected]);
}

#[test]
fn a_copy_that_contradicts_is_reported() {
    let file = album("Blue", &TWO);
    assert_eq!(lines::<Album>(&file, &with(&file, 13, 34)), ["tracks[7].again: 33 → 34   (at 0xd)"]);
}

#[test]
fn an_offset_that_leads_elsewhere_is_reported() {
    // The sounds of both tracks have the same bytes; the other file swaps their offsets.
    let same = [(7, 33, 0, &b"la"[..]), (9, 33, 0, b"la")];
    let file = album("Blue", &same);
    let mut other = file.clone();
    other.swap(15, 24);
    other.swap(16, 25);
    let found = diff::<Album>(&file, &other);
    // Both sounds are present, but each track has the other one's.
    let elsewhere = found.changes.iter().filter(|change| change.kind == Kind::PointsElsewhere).count();
    assert_eq!(elsewhere + found.follows as usize, 2, "{found:#?}");
}

#[test]
fn a_note_of_the_writer_is_folded() {
    let file = album("Blue", &TWO);
    let found = diff::<Album>(&file, &with(&file, 1, 2));
    assert_eq!(found.lines(false).collect::<Vec<_>>(), ["not shown: 1 writer's note (--all)"]);
    assert_eq!(found.lines(true).collect::<Vec<_>>(), ["tool: 1 → 2   (at 0x1)"]);
    assert!(!found.is_empty());
}

#[test]
fn an_element_that_is_in_one_file_alone_is_one_line() {
    let one = &TWO[..1];
    let (a, b) = (album("Blue", one), album("Blue", &TWO));
    let found = diff::<Album>(&a, &b);
    let shown: Vec<String> = found.lines(false).collect();
    assert_eq!(shown[0], "tracks[9]: added, 9 bytes   (at 0x12)");
    assert!(found.changes.iter().any(|change| change.kind == Kind::Added && change.a.is_none()));
    // The count and the offset are consequences.
    assert!(found.follows >= 2 && shown.len() == 3, "{found:#?}");
    assert_eq!(shown[1], "data: 1 → 2 sounds, 6 → 9 bytes stored");
}

#[test]
fn swapped_sides_mirror_each_other() {
    let (a, b) = (album("Blue", &TWO[..1]), album("Azure", &TWO));
    let (there, back) = (diff::<Album>(&a, &b), diff::<Album>(&b, &a));
    let mirrored = |kind: Kind| match kind {
        Kind::Added => Kind::Removed,
        Kind::Removed => Kind::Added,
        kind => kind,
    };
    let mut expected: Vec<_> = there.changes.iter().map(|it| (mirrored(it.kind), it.key.clone(), it.times)).collect();
    let mut found: Vec<_> = back.changes.iter().map(|it| (it.kind, it.key.clone(), it.times)).collect();
    expected.sort_by_key(|it| it.1.clone());
    found.sort_by_key(|it| it.1.clone());
    assert_eq!(found, expected);
    assert_eq!((back.follows, back.elsewhere), (there.follows, there.elsewhere));
    assert_eq!((back.data[0].a, back.data[0].b), (there.data[0].b, there.data[0].a));
}

#[test]
fn another_order_of_keyed_elements_is_one_line() {
    let shown = lines::<Pairs>(&[3, 7, 1, 8, 2, 9, 3], &[3, 7, 1, 9, 3, 8, 2]);
    let expected = ["pairs: order …,8,9 → …,9,8", "not shown: 4 fields that only moved (--all)"];
    assert_eq!(shown, expected);
    // Elements that share a name are numbered from the last one backwards.
    let shown = lines::<Pairs>(&[2, 7, 1, 7, 2], &[3, 8, 1, 7, 1, 7, 2]);
    assert_eq!(shown[0], "pairs[8]: added, 2 bytes   (at 0x1)");
}

#[test]
fn payloads_are_counted() {
    let other = [(7, 33, 0, &b"lalla"[..]), TWO[1]];
    let (a, b) = (album("Blue", &TWO), album("Blue", &other));
    assert_eq!(lines::<Album>(&a, &b), ["data: 1 of 9 bytes in 2 sounds differs"]);
    let longer = [(7, 33, 0, &b"la la la"[..]), TWO[1]];
    let shown = lines::<Album>(&a, &album("Blue", &longer));
    assert_eq!(shown[0], "data: 9 → 12 bytes in 2 sounds");
}

#[test]
fn elements_without_keys_are_aligned_by_what_they_hold() {
    let a = steps(&[1, 2, 3, 4, 5], b"");
    let b = steps(&[1, 2, 9, 3, 5], b"");
    // In lists of equal length, elements are compared by index.
    assert_eq!(diff::<Steps>(&a, &b).changes.len(), 2);
    let shown = lines::<Steps>(&a, &steps(&[1, 2, 9, 3, 4, 5], b""));
    let expected = [
        "steps[2]: added, 2 bytes   (at 0x5)",
        "not shown: 1 offset or length that only follows from other changes; 8 fields that only moved (--all)",
    ];
    assert_eq!(shown, expected);
    // A replaced element is reported as changed, not as removed and added.
    let shown = lines::<Steps>(&a, &steps(&[1, 8, 3, 4, 5, 6], b""));
    assert_eq!(shown[..2], ["steps[1].kind: 2 → 8   (at 0x3)", "steps[5]: added, 2 bytes   (at 0xb)"]);
}

#[test]
fn long_texts_are_shown_where_they_differ() {
    let text = [b'x'; 200];
    let mut other = text;
    other[150] = b'y';
    let shown = lines::<Steps>(&steps(&[], &text), &steps(&[], &other));
    // A map keeps only the beginning of a byte string, so the rest is read.
    assert_eq!(shown, ["text: 1 of 200 bytes differs   (at 0x2)"]);
    let mut early = text;
    early[3] = b'y';
    let shown = lines::<Steps>(&steps(&[], &text), &steps(&[], &early));
    let expected = format!("text: \"{}\"… → \"xxxy{}\"…   (at 0x2)", "x".repeat(16), "x".repeat(12));
    assert_eq!(shown, [expected]);
}

#[test]
fn a_text_of_4096_bytes_is_kept_whole_and_a_longer_one_is_cut() {
    let shown = |length: usize| {
        let [a, b] = ["a", "b"].map(|last| letter(&("x y".repeat(2000)[..length - 1].to_owned() + last), &[]));
        let found = diff::<Letter>(&a, &b);
        let value = found.changes[0].a.as_ref().map(|place| place.value.clone());
        let length_of_text = if let Some(Value::Text(text)) = value { text.len() } else { 0 };
        (found.lines(false).collect::<String>(), length_of_text)
    };
    assert_eq!(shown(4096), ("text: …x yx yx yx ya\" → …x yx yx yx yb\"   (at 0x2)".to_owned(), 4096));
    assert_eq!(shown(4097), ("text: 1 of 4,097 bytes differs   (at 0x2)".to_owned(), 0));
}

#[test]
fn keys_with_commas_are_told_apart_in_an_order() {
    let shown = lines::<Letter>(&letter("", &["a", "b,c", "d"]), &letter("", &["a", "d", "b,c"]));
    assert_eq!(shown[0], "parts: order …,\"b,c\",\"d\" → …,\"d\",\"b,c\"");
}

#[test]
fn bytes_that_are_not_at_hand_are_not_equal() {
    let file = steps(&[], &[b'x'; 200]);
    let map = explain::<Steps>(&file);
    let side = Side { spaces: &map.spaces, read: &|_, _, _| false };
    let found = structure(&side, &side, &Options::default());
    assert_eq!((found.unread, found.is_empty()), (184, false));
    assert_eq!(found.lines(false).collect::<Vec<_>>(), ["not shown: 184 bytes that were not compared"]);
    let options = Options { compared_bytes: 100, ..Options::default() };
    assert_eq!(diff_with::<Steps>(&file, &file, &options).unread, 84);
}

#[test]
fn a_number_in_another_byte_order_is_the_same() {
    let shown = lines::<Ordered>(&[1, 5, 0, 0, 0], &[0, 0, 0, 0, 5]);
    assert_eq!(shown, ["order: 1 → 0   (at 0x0)", "not shown: 1 number in another byte order"]);
}

#[test]
fn a_file_that_does_not_exist_lacks_everything() {
    let file = album("Blue", &TWO);
    let map = explain::<Album>(&file);
    let (all, none) = (reader(&file), reader(&[]));
    let nothing = Side { spaces: &[], read: &none };
    let found = structure(&nothing, &Side { spaces: &map.spaces, read: &all }, &Options::default());
    assert!(found.changes.iter().all(|change| change.kind == Kind::Added && change.a.is_none()), "{found:#?}");
    assert!(found.lines(false).any(|line| line == "title: added: Blue   (at 0x4)"));
}

#[test]
fn names_do_not_steer_a_terminal() {
    let [a, b] = [steps(&[], "\u{1b}[2J\u{202e}x".as_bytes()), steps(&[], "\u{1b}[2J\u{202e}y".as_bytes())];
    let shown = lines::<Steps>(&a, &b);
    assert!(
        shown.len() == 1 && shown[0].chars().all(|letter| !letter.is_control() && letter != '\u{202e}'),
        "{shown:?}"
    );
}
