//! Expressions in definitions: constants, fields that may be absent, lists of other structures, and counted bytes.

use everybyte::definition::{Subject, imhex, kaitai};
use everybyte::{
    Endian,
    bytes::{Region, Rest},
    layout,
    reference::Book,
    trace::length_of,
};

/// A file: its head says where a table stands.
#[layout]
#[allow(dead_code)]
struct File {
    head: Head,
    #[br(args { version: head.version })]
    #[layout(at = head.table_offset)]
    table: Table,
}

#[layout]
#[allow(dead_code)]
struct Head {
    version: Version,
    table_offset: u32,
}

/// A number of a type of its own.
#[layout]
#[derive(Copy)]
#[allow(dead_code)]
struct Version(u16);

impl Version {
    const NOTES: u16 = 3;
}

/// Blocks, and perhaps notes.
#[layout]
#[br(import { version: Version })]
#[allow(dead_code)]
struct Table {
    #[br(args { version })]
    entry: Entry,
    /// The notes.
    #[br(if(entry.notes_offset.is_some_and(|offset| offset > 0)))]
    #[layout(at = entry.notes_offset.unwrap_or(0))]
    notes: Option<Notes>,
    /// The note of each place.
    #[layout(each(place in *notes.as_ref().map_or(&[][..], Notes::places)), at = place.offset, size = place.length)]
    note: Vec<Option<Rest>>,
    /// As many bytes as there are places, at least two.
    #[br(count = notes.as_ref().map_or(0, |notes| notes.count).max(2).div_ceil(entry.width))]
    marks: Vec<u8>,
}

#[layout]
#[br(import { version: Version })]
#[allow(dead_code)]
struct Entry {
    width: u8,
    /// From version 3 on.
    #[br(if(version.0 >= Version::NOTES))]
    notes_offset: Option<u32>,
    length: u16,
    body: Body,
    #[br(args { length: u64::from(length).saturating_sub(length_of(&body, Endian::Little)) })]
    rest: Region,
}

#[layout]
#[allow(dead_code)]
struct Body {
    kind: u8,
}

#[layout]
#[allow(dead_code)]
struct Notes {
    count: u8,
    #[br(count = count)]
    places: Vec<Place>,
}

impl Notes {
    fn places(&self) -> &[Place] {
        &self.places
    }
}

#[layout]
#[allow(dead_code)]
struct Place {
    offset: u32,
    length: u32,
}

fn definitions() -> [String; 2] {
    let books = [Book::of::<File>()];
    [kaitai, imhex].map(|define| define(Subject::new("notes", "notes", &books)))
}

#[track_caller]
fn assert_has(text: &str, part: &str) {
    assert!(text.contains(part), "{text}");
}

#[test]
fn a_constant_stands_for_its_value_and_a_type_of_one_number_for_the_number() {
    let [ksy, hexpat] = definitions();
    assert_has(&ksy, "if: \"(version >= 3)\"");
    assert_has(&ksy, "type: \"table(head.version)\"");
    assert_has(&hexpat, "if ((version >= 3)) ");
}

#[test]
fn a_field_of_another_structure_may_be_absent() {
    let [ksy, _] = definitions();
    let expected = r#"  notes:
        io: _root._io
        pos: "((version >= 3) ? entry.notes_offset : 0)"
        type: "notes"
        if: "((version >= 3) and (entry.notes_offset > 0))"
"#;
    assert_has(&ksy, expected);
    let count = "(((((version >= 3) and (entry.notes_offset > 0)) ? notes.count : 0) < 2";
    assert_has(&ksy, count);
}

#[test]
fn elements_stand_where_a_list_of_a_structure_says_that_may_be_absent() {
    let [ksy, _] = definitions();
    let expected = r#"      - id: note
        type: "note_at(notes.places[_index].offset, notes.places[_index].length)"
        repeat: expr
        repeat-expr: "notes.places.size"
        if: "((version >= 3) and (entry.notes_offset > 0))"
"#;
    assert_has(&ksy, expected);
    assert_has(&ksy, "        pos: pos\n        size: size\n");
}

#[test]
fn bytes_that_a_field_takes_are_counted() {
    let [ksy, hexpat] = definitions();
    assert_has(&ksy, "(length > (body_end - body_start) ? length - (body_end - body_start) : 0)");
    assert_has(&ksy, "      - id: body_start_mark\n        size: 0\n        if: body_start >= 0\n      - id: body\n");
    assert_has(&hexpat, "sizeof(body)");
}

#[test]
fn nothing_of_these_is_left_out() {
    let [ksy, _] = definitions();
    assert!(!ksy.contains("NOT EXACT") && !ksy.contains("An expression of the declaration"), "{ksy}");
}
