//! Findings name causes, and their consequences share a line.

use super::{findings, spec};

const CASCADE: &str = "
meta: {id: cascade, endian: be}
seq:
  - {id: length, type: u2}
  - {id: name, size: length}
  - {id: kind, type: u1}
instances:
  is_big: {value: 'kind > 3'}
  first: {value: 'name[0]'}
  text: {value: 'name.to_s(\"ASCII\")'}
";

#[test]
fn values_that_depend_on_what_could_not_be_read_are_one_finding_after_the_cause() {
    let wanted = [
        "truncated: name, at byte 2: 10 bytes are needed; 3 are left (specification:5:5)",
        "invalid: is_big, at byte 2: 3 values depend on what could not be read: is_big, first, text",
    ];
    assert_eq!(findings(&spec(CASCADE), b"\0\x0aabc"), wanted);
    let explained: Vec<String> = spec(CASCADE).explain(b"\0\x0aabc").findings.iter().map(ToString::to_string).collect();
    assert_eq!(explained, wanted);
}

#[test]
fn value_that_depends_on_what_could_not_be_read_alone_is_a_finding_of_its_own() {
    let text = "{meta: {id: x}, seq: [{id: a, type: u1}, {id: b, type: u1}], instances: {c: {value: b + 1}}}";
    let found = findings(&spec(text), b"a");
    assert_eq!(found.len(), 2);
    assert!(found[0].starts_with("truncated: b") && found[1].contains("`b` is not read yet"), "{found:?}");
}

const MARKED: &str = "
meta: {id: marked, endian: le}
seq:
  - {id: magic, contents: MARK}
  - {id: kinds, type: u1, repeat: eos, valid: {any-of: [1, 2]}}
";

#[test]
fn file_of_another_format_is_named_and_has_one_finding() {
    let cause = "wrong-magic: magic, at byte 0: the bytes are 89 50 4e 47, not 4d 41 52 4b (specification:4:5)";
    let png = b"\x89PNG\r\n\x1a\n\x05\x06\x07";
    let wanted = format!("{cause}; the file is a PNG picture, and 7 more findings about it are not listed");
    assert_eq!(findings(&spec(MARKED), png), [wanted]);
    let other = findings(&spec(MARKED), b"MURKMURKMURKMURKMURK");
    assert_eq!(other.len(), 1);
    assert!(other[0].ends_with(
        "the file is another format, or damaged where it begins, and 16 more findings about it are not listed"
    ));
    // With only a few findings, the file is in the same format.
    assert_eq!(findings(&spec(MARKED), b"MURK\x01\x06").len(), 2);
}

#[test]
fn bytes_stay_packed_where_nothing_unpacks_them() {
    let text = "
meta: {id: packed}
seq:
  - {id: body, size: 3, process: rot13, type: inner}
  - {id: after, type: u1}
types: {inner: {seq: [{id: a, type: u1}]}}
instances: {b: {value: body.a}}
";
    let spec = spec(text);
    let warning = "specification:4:34: the process `rot13` is not known, so that its bytes stay packed: known are xor, rol, ror, zlib and those that are supplied";
    assert_eq!(spec.warnings().iter().map(ToString::to_string).collect::<Vec<_>>(), [warning]);
    let explained = spec.explain(b"xyz!");
    let body = explained.spaces[0].nodes.iter().next().unwrap();
    assert_eq!((body.name(), body.value().to_string()), ("body", "\"xyz\"".to_owned()));
    assert_eq!(explained.spaces.len(), 1);
    // Fields that depend on them have no value; the rest of the file does.
    assert!(explained.findings.iter().all(|finding| finding.path == "b"), "{:?}", explained.findings);
}
