//! Fields stored outside the structure that they are part of: each has its complete path everywhere.

use super::spec;
use everybyte::diff::{Options, Side, structure};
use everybyte::forge::replay;
use everybyte::links::Links;
use everybyte::map::{Home, spans};
use everybyte_ksy::SpecGrammar;

/// A table of entries, whose bodies follow it, and a note inside the last body.
const TABLE: &str = "
meta: {id: table}
seq:
  - {id: header, type: header}
types:
  header:
    seq:
      - {id: count, type: u1}
      - {id: entries, type: entry, repeat: expr, repeat-expr: count}
  entry:
    seq:
      - {id: ofs_body, type: u1}
      - {id: len_body, type: u1}
    instances:
      body: {io: _root._io, pos: ofs_body, size: len_body, type: body}
  body:
    seq:
      - {id: kind, type: u1}
    instances:
      text: {pos: 1, size: 1}
";

/// Two entries; the second body precedes the first one.
const FILE: &[u8] = b"\x02\x08\x03\x05\x02[x-AbcZ";

#[test]
fn a_field_outside_its_structure_has_its_whole_path() {
    let explained = spec(TABLE).explain(FILE);
    let paths: Vec<String> = spans(&explained.spaces).into_iter().map(|span| span.path).collect();
    let wanted = [
        "header.count",
        "header.entries[0].ofs_body",
        "header.entries[0].len_body",
        "header.entries[1].ofs_body",
        "header.entries[1].len_body",
        "header.entries[1].body.kind",
        "header.entries[1].body.text",
        "gap",
        "header.entries[0].body.kind",
        "header.entries[0].body.text",
        "header.entries[0].body.gap",
        "gap",
    ];
    assert_eq!(paths, wanted);
    let body = explained.spaces[0].nodes.iter().find(|node| node.name() == "body").unwrap();
    assert!(matches!(body.home(), Some(Home::Field(entry)) if entry.type_name() == "entry"));
}

#[test]
fn a_number_leads_to_the_field_of_its_own_structure() {
    let explained = spec(TABLE).explain(FILE);
    let links = Links::new(&explained.spaces);
    let found: Vec<_> = links
        .all()
        .map(|link| (link.number.name(), link.subject.map(|subject| subject.start), link.agrees()))
        .collect();
    let wanted = [
        ("count", Some(1), Some(true)),
        ("ofs_body", Some(8), Some(true)),
        ("len_body", Some(8), Some(true)),
        ("ofs_body", Some(5), Some(true)),
        ("len_body", Some(5), Some(true)),
    ];
    assert_eq!(found, wanted);
}

#[test]
fn a_recipe_names_a_field_outside_its_structure_and_its_numbers_follow() {
    let spec = spec(TABLE);
    let recipe = "splice header.entries[1].body.text[1..end] = \"yz\"".parse().unwrap();
    let made = replay(&SpecGrammar::new(&spec), FILE, &recipe).unwrap();
    assert_eq!(made, b"\x02\x0a\x03\x05\x04[xyz-AbcZ");
    let unknown = "set body.text = \"y\"".parse().unwrap();
    let problem = replay(&SpecGrammar::new(&spec), FILE, &unknown).unwrap_err().problem;
    assert_eq!(problem, "the file has no field `body.text`");
}

#[test]
fn a_difference_names_a_field_outside_its_structure() {
    let spec = spec(TABLE);
    let changed: &[u8] = b"\x02\x08\x03\x05\x02[x-A?cZ";
    let [old, new] = [FILE, changed].map(|file| spec.explain(file));
    let read = |file: &'static [u8]| {
        move |_: u32, at: u64, buffer: &mut [u8]| {
            buffer.copy_from_slice(&file[at as usize..][..buffer.len()]);
            true
        }
    };
    let (of_old, of_new) = (read(FILE), read(changed));
    let sides = [Side { spaces: &old.spaces, read: &of_old }, Side { spaces: &new.spaces, read: &of_new }];
    let found = structure(&sides[0], &sides[1], &Options::default());
    let keys: Vec<&str> = found.changes.iter().map(|change| change.key.as_str()).collect();
    assert_eq!(keys, ["header.entries[0].body.text"]);
}

#[test]
fn a_field_that_cannot_be_read_has_the_same_path_in_its_finding() {
    let found = spec(TABLE).check(b"\x01\x09\x03");
    assert_eq!(found[0].path, "header.entries[0].body");
}
