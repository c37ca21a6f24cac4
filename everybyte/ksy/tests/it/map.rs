//! Byte maps from specifications.

use super::spec;
use everybyte::map::{Space, spans};
use everybyte::role::Role;

const CHUNKS: &str = "
meta: {id: chunks, endian: be}
doc: |
  Chunks, one after the other.

  A second paragraph, which a map has no room for.
seq:
  - {id: version, type: b4, doc: The version.}
  - {id: flags, type: b4}
  - {id: count, type: u1}
  - {id: chunks, type: chunk, repeat: expr, repeat-expr: count}
types:
  chunk:
    seq:
      - {id: kind, type: u1, enum: kinds}
      - {id: length, type: u2}
      - {id: body, size: length - 1}
enums:
  kinds: {1: {id: text, doc: Words.}}
";

/// Returns the fields of a map: path, bytes, value and meaning.
fn fields(spaces: &[Space]) -> Vec<String> {
    let shown = |span: everybyte::map::Span<'_>| {
        let node = span.node;
        let meaning = if node.meaning().is_empty() { String::new() } else { format!(" {}", node.meaning()) };
        format!("{} {}..{} {}{meaning}", span.path, node.start(), node.end(), node.value())
    };
    spans(spaces).into_iter().map(shown).collect()
}

#[test]
fn each_byte_has_its_field() {
    let file = b"\x35\x02\x01\x00\x03hi\x02\x00\x02!";
    let explained = spec(CHUNKS).explain(file);
    assert_eq!(explained.findings, []);
    let wanted = [
        "version-flags 0..1 0x35",
        "count 1..2 2",
        "chunks[0].kind 2..3 1 text: Words.",
        "chunks[0].length 3..5 3",
        "chunks[0].body 5..7 \"hi\"",
        "chunks[1].kind 7..8 2",
        "chunks[1].length 8..10 2",
        "chunks[1].body 10..11 \"!\"",
    ];
    assert_eq!(fields(&explained.spaces), wanted);
    let bits = explained.spaces[0].nodes.root().bits();
    let bits: Vec<_> = bits.iter().map(|bits| (bits.name.as_str(), bits.first, bits.width, bits.value)).collect();
    assert_eq!(bits, [("version", 4, 4, 3), ("flags", 0, 4, 5)]);
}

#[test]
fn numbers_have_the_roles_that_expressions_give_them() {
    let explained = spec(CHUNKS).explain(b"\x35\x01\x01\x00\x03hi");
    let roles: Vec<(String, Role)> = spans(&explained.spaces)
        .into_iter()
        .filter_map(|span| span.node.role().cloned().map(|role| (span.path, role)))
        .collect();
    let shown: Vec<String> = roles.iter().map(|(path, role)| format!("{path}: {role}")).collect();
    assert_eq!(shown, ["count: counts chunks", "chunks[0].length: extent of body − 1"]);
}

#[test]
fn bytes_that_no_field_claims_are_findings_where_nothing_stands_at_places() {
    let spec = spec("{meta: {id: x}, seq: [{id: a, type: u1}]}");
    let found: Vec<String> = spec.check(b"abc").iter().map(ToString::to_string).collect();
    assert_eq!(found, ["gap: gap, at byte 1: no field claims these 2 bytes"]);
    let placed = super::spec("{meta: {id: x}, instances: {a: {pos: 2, type: u1}}}");
    assert_eq!(placed.check(b"abc"), []);
    assert_eq!(fields(&placed.explain(b"abc").spaces)[1], "a 2..3 99");
}

#[test]
fn fields_of_instances_stand_inside_the_structures_that_have_their_bytes() {
    let spec = spec(
        "
meta: {id: x}
seq:
  - {id: outer, size: 4, type: outer}
types:
  outer:
    seq: [{id: a, type: u1}]
    instances:
      b: {pos: 2, type: u1}
      again: {pos: 0, type: u1}
",
    );
    let explained = spec.explain(b"wxyz");
    let wanted = ["outer.a 0..1 119", "outer.gap 1..2  ", "outer.b 2..3 121", "outer.gap 3..4  "];
    let found: Vec<String> =
        fields(&explained.spaces).iter().map(|line| line.split("1 byte").next().unwrap().to_owned()).collect();
    assert_eq!(found, wanted);
}

#[test]
fn long_lists_of_numbers_share_a_node() {
    let explained = spec("{meta: {id: x, endian: le}, seq: [{id: a, type: u2, repeat: eos}]}").explain(&[7; 400]);
    let fields = fields(&explained.spaces);
    assert_eq!(fields.len(), 65);
    assert_eq!(fields[64], "a[64..200] 128..400 ");
}

#[test]
fn the_field_reference_says_what_the_specification_does() {
    let book = spec(CHUNKS).book();
    let names: Vec<_> = book.types.iter().map(|page| (page.name.as_str(), page.doc.as_str())).collect();
    assert_eq!(names, [("chunks", "Chunks, one after the other."), ("chunk", ""), ("kinds", "")]);
}
