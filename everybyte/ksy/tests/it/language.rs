//! Each feature of the language, with its own specification and file.

use super::{findings, spec, values};
use everybyte_ksy::{Argument, Loader, Spec};

#[test]
fn numbers_have_their_size_their_sign_and_their_order() {
    let text = "
meta: {id: numbers, endian: le}
seq:
  - {id: a, type: u1}
  - {id: b, type: s2}
  - {id: c, type: u4be}
  - {id: d, type: f4}
  - {id: e, type: f8be}
";
    let file = [&[7, 0xFE, 0xFF, 0, 0, 1, 0][..], &1.5_f32.to_le_bytes(), &(-2.25_f64).to_be_bytes()].concat();
    assert_eq!(values(text, &file, &["a", "b", "c", "d", "e"]), "7\n-2\n256\n1.5\n-2.25");
    assert_eq!(findings(&spec(text), &file), [""; 0]);
}

#[test]
fn bits_run_from_the_highest_or_from_the_lowest() {
    let text = |order: &str| {
        format!(
            "{{meta: {{id: bits, bit-endian: {order}}}, seq: [{{id: a, type: b3}}, {{id: b, type: b1}}, {{id: c, type: b12}}]}}"
        )
    };
    let file = [0b1011_0001, 0b1000_0000];
    assert_eq!(values(&text("be"), &file, &["a", "b", "c"]), "5\ntrue\n384");
    assert_eq!(values(&text("le"), &file, &["a", "b", "c"]), "1\nfalse\n2059");
}

#[test]
fn bits_before_a_missing_field_end_at_a_byte() {
    let text = "{meta: {id: bits}, seq: [{id: a, type: b3}, {id: no, type: u1, if: a == 0}, {id: b, type: b8}]}";
    assert_eq!(values(text, &[0b1010_0000, 7], &["a", "b"]), "5\n7");
    assert_eq!(findings(&spec(text), &[0b1010_0000, 7]), [""; 0]);
}

#[test]
fn texts_end_by_size_by_terminator_or_with_the_stream() {
    let text = "
meta: {id: texts, encoding: ASCII}
seq:
  - {id: sized, type: str, size: 4, pad-right: 0x20}
  - {id: ended, type: strz}
  - {id: included, type: str, terminator: 0x2f, include: true}
  - {id: kept, type: str, terminator: 0x2f, consume: false}
  - {id: rest, type: str, size-eos: true, encoding: UTF-16LE}
";
    let file = b"ab  cd\0ef/gh/i\0";
    assert_eq!(values(text, file, &["sized", "ended", "included", "kept"]), "\"ab\"\n\"cd\"\n\"ef/\"\n\"gh\"");
    let broken = values(text, file, &["rest"]);
    assert_eq!(broken, "error: `rest` is not read yet: `rest`");
    let message = "not-readable: rest, at byte 12: the bytes are not valid UTF-16LE (specification:8:5)";
    assert_eq!(findings(&spec(text), file), [message]);
}

#[test]
fn fields_repeat_to_the_end_by_a_count_and_until_a_condition() {
    let text = "
meta: {id: repeated}
seq:
  - {id: count, type: u1}
  - {id: counted, type: u1, repeat: expr, repeat-expr: count}
  - {id: until, type: u1, repeat: until, repeat-until: _ == 0 or _index == 5}
  - {id: rest, type: u1, repeat: eos}
";
    let file = [2, 10, 11, 5, 0, 1, 2, 3];
    assert_eq!(
        values(text, &file, &["counted", "until", "rest", "rest.size", "rest.max", "counted.first", "rest[1]"]),
        "[10, 11]\n[5, 0]\n[1, 2, 3]\n3\n3\n10\n2"
    );
}

#[test]
fn a_value_chooses_a_type_and_a_byte_order() {
    let text = "
meta: {id: chosen}
seq:
  - {id: mark, type: u1}
  - {id: content, type: content}
types:
  content:
    meta:
      endian: {switch-on: _root.mark, cases: {0x49: le, 0x4d: be}}
    seq:
      - {id: kind, type: u2}
      - id: body
        size: 2
        type: {switch-on: kind, cases: {1: pair, 2: word, _: other}}
    types:
      pair: {seq: [{id: a, type: u1}, {id: b, type: u1}]}
      word: {seq: [{id: a, type: u2}]}
      other: {seq: [{id: all, size-eos: true}]}
";
    let pair = ["content.kind", "content.body.as<content::pair>.b"];
    assert_eq!(values(text, b"I\x01\x00xy", &pair), "1\n121");
    assert_eq!(values(text, b"M\x00\x02\x01\x00", &["content.body.as<content::word>.a"]), "256");
    assert_eq!(values(text, b"I\x09\x00xy", &["content.body.as<content::other>.all"]), "\"xy\"");
    let undecided = findings(&spec(text), b"?\x01\x00xy");
    let wanted = "undecided-byte-order: content.kind, at byte 1: no byte order is chosen (specification:11:9)";
    assert_eq!(undecided, [wanted]);
}

#[test]
fn instances_stand_at_places_and_are_values() {
    let text = "
meta: {id: placed, endian: le}
seq:
  - {id: at, type: u2}
  - {id: length, type: u1}
instances:
  body: {pos: at, size: length}
  twice: {value: length * 2}
  tail: {io: _root._io, pos: _io.size - 1, type: u1}
";
    let file = [6, 0, 2, 0, 0, 0, b'h', b'i', 9];
    assert_eq!(values(text, &file, &["body", "twice", "tail", "_io.pos"]), "\"hi\"\n4\n9\n3");
}

#[test]
fn parents_roots_and_parameters_reach_other_structures() {
    let text = "
meta: {id: around}
seq:
  - {id: width, type: u1}
  - {id: rows, type: row(width + 1), repeat: expr, repeat-expr: 2}
types:
  row:
    params: [{id: length, type: u1}]
    seq:
      - {id: cells, type: u1, repeat: expr, repeat-expr: length}
      - {id: inner, type: mark}
    types:
      mark:
        seq: [{id: sign, type: u1, if: _root.width > 0 and _parent.length == 2}]
";
    let file = [1, 10, 11, 0xAA, 12, 13, 0xBB];
    assert_eq!(values(text, &file, &["rows[0].cells", "rows[1].inner.sign"]), "[10, 11]\n187");
    assert_eq!(values(text, &[0, 9, 9], &["rows[1].inner.sign"]), "nothing");
}

#[test]
fn enumerations_name_numbers() {
    let text = "
meta: {id: named}
seq:
  - {id: kind, type: u1, enum: kinds}
  - {id: strict, type: u1, enum: kinds, valid: {in-enum: true}}
instances:
  is_cat: {value: 'kind == kinds::cat'}
enums:
  kinds:
    1: cat
    2: {id: dog, doc: It barks.}
";
    assert_eq!(values(text, &[1, 2], &["kind", "strict", "is_cat", "kind.to_i + 1"]), "1 (cat)\n2 (dog)\ntrue\n2");
    let unknown = findings(&spec(text), &[7, 7]);
    assert_eq!(unknown, ["unknown-code: strict, at byte 1: 7 is not in `kinds` (specification:5:5)"]);
}

#[test]
fn expressions_follow_the_rules_of_kaitai_struct() {
    let text = "{meta: {id: x}, seq: [{id: a, type: s1}, {id: t, type: str, size: 4, encoding: UTF-8}]}";
    let file = b"\xf9\xc3\xa4b3";
    let expressions = [
        "a / 2",
        "a % 4",
        "-a",
        "~a",
        "1 << 3 | 1",
        "a < 0 ? \"less\" : \"more\"",
        "not (a == 0)",
        "t.length",
        "t.reverse",
        "t.substring(1, 3)",
        "\"2a\".to_i(16)",
        "[1, 2, 3].size",
        "[a, 7].max",
        "f\"a={a}!\"",
        "1_000 + 0x10 + 0b11",
        "1 == 1.0",
        "t == \"äb3\"",
        "sizeof<u4>",
    ];
    let wanted = "-4\n1\n7\n6\n9\n\"less\"\ntrue\n3\n\"3bä\"\n\"b3\"\n42\n3\n7\n\"a=-7!\"\n1019\ntrue\ntrue\n4";
    assert_eq!(values(text, file, &expressions), wanted);
}

#[test]
fn bytes_are_unpacked_into_spaces_of_their_own() {
    let text = "
meta: {id: packed}
seq:
  - {id: plain, size: 2, process: xor(0x20)}
  - {id: turned, size: 1, process: rol(4), type: one}
  - {id: own, size: 2, process: twice}
types:
  one: {seq: [{id: value, type: u1}]}
";
    let twice = |bytes: &[u8], _: &[Argument]| Some([bytes, bytes].concat());
    let spec = Loader::new().process("twice", twice).parse("packed", text).unwrap();
    let file = b"HI\x21ab";
    let values: Vec<_> =
        spec.values(file, &["plain", "turned.value", "own"]).unwrap().into_iter().map(Result::unwrap).collect();
    let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["\"hi\"", "18", "\"abab\""]);
    let explained = spec.explain(file);
    let spaces: Vec<(&str, u64)> = explained.spaces.iter().map(|space| (&*space.title, space.length)).collect();
    assert_eq!(spaces, [("file", 5), ("plain", 2), ("turned", 1), ("own", 4)]);
    assert_eq!(explained.spaces[2].nodes.root().name(), "value");
}

#[test]
fn values_that_are_not_valid_are_findings_and_reading_goes_on() {
    let text = "
meta: {id: checked, endian: be}
seq:
  - {id: magic, contents: [0x4d, Z]}
  - {id: a, type: u1, valid: 7}
  - {id: b, type: u1, valid: {min: 2, max: 5}}
  - {id: c, type: u1, valid: {any-of: [1, 2]}}
  - {id: d, type: u1, valid: {expr: _ % 2 == 0}}
  - {id: e, type: u1}
";
    assert_eq!(findings(&spec(text), b"MZ\x07\x03\x02\x04\x09"), [""; 0]);
    let found = findings(&spec(text), b"MY\x08\x01\x03\x05\x09");
    let wanted = [
        "wrong-magic: magic, at byte 0: the bytes are 4d 59, not 4d 5a (specification:4:5)",
        "not-valid: a, at byte 2: the value is 8, not `7` (specification:5:5)",
        "not-valid: b, at byte 3: the value is 1, less than `2` (specification:6:5)",
        "not-valid: c, at byte 4: the value is 3, none of 1, 2 (specification:7:5)",
        "not-valid: d, at byte 5: `_ % 2 == 0` is false: `d` is 5 (specification:8:5)",
    ];
    assert_eq!(found, wanted);
    assert_eq!(values(text, b"MY\x08\x01\x03\x05\x09", &["e"]), "9");
}

#[test]
fn reading_goes_on_after_a_structure_whose_end_is_known() {
    let text = "
meta: {id: parts}
seq:
  - {id: parts, type: part, size: 2, repeat: expr, repeat-expr: 2}
  - {id: last, type: u1}
types:
  part: {seq: [{id: n, type: u1}, {id: body, size: n}]}
";
    let file = [5, 1, 1, 2, 9];
    let message = "truncated: parts[0].body, at byte 1: 5 bytes are needed; 1 is left (specification:7:35)";
    assert_eq!(findings(&spec(text), &file), [message]);
    assert_eq!(values(text, &file, &["last", "parts[1].body"]), "9\n02");
}

#[test]
fn checksums_are_declared_beside_what_kaitai_struct_knows() {
    let text = "
meta: {id: summed, endian: le}
seq:
  - {id: a, type: u1}
  - {id: b, type: u1}
  - {id: sum, type: u2, -check: sum16(a..b)}
";
    assert_eq!(findings(&spec(text), &[200, 100, 0x2C, 1]), [""; 0]);
    let found = findings(&spec(text), &[200, 101, 0x2C, 1]);
    assert_eq!(
        found,
        ["checksum: sum, at byte 2: sum16 of the bytes is 0x012d; the file has 0x012c (specification:6:5)"]
    );
}

#[test]
fn types_are_imported_from_beside_and_from_folders() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("shared/deep")).unwrap();
    let write = |path: &str, text: &str| std::fs::write(folder.path().join(path), text).unwrap();
    write(
        "main.ksy",
        "{meta: {id: main, imports: [beside, /deep/far]}, seq: [{id: a, type: beside}, {id: b, type: far}]}",
    );
    write("beside.ksy", "{meta: {id: beside}, seq: [{id: x, type: u1}]}");
    write("shared/deep/far.ksy", "{meta: {id: far}, seq: [{id: y, type: u1}]}");
    let loader = Loader::new().folder(folder.path().join("shared"));
    let spec = loader.read(folder.path().join("main.ksy")).unwrap();
    let values = spec.values(&[3, 4], &["a.x * 10 + b.y"]).unwrap();
    assert_eq!(values[0].as_ref().unwrap().to_string(), "34");
    assert_eq!(spec.files().len(), 3);
    // A single import need not be in a list.
    write("one.ksy", "{meta: {id: one, imports: beside}, seq: [{id: a, type: beside}]}");
    let one = Loader::new().read(folder.path().join("one.ksy")).unwrap();
    assert_eq!(one.values(&[3], &["a.x"]).unwrap()[0].as_ref().unwrap().to_string(), "3");
}

#[test]
fn text_of_a_known_size_that_is_no_text_is_a_finding_and_reading_goes_on() {
    let text = "
meta: {id: texts}
seq:
  - {id: a, type: str, size: 2, encoding: ASCII}
  - {id: b, type: str, size: 3, encoding: utf-16-le}
  - {id: c, type: strz, encoding: UTF-8}
  - {id: d, type: u1}
instances:
  e: {pos: 0, type: str, size: 2, encoding: ASCII}
  f: {value: e.length}
";
    let file = b"a\xffx\0yz\xfe\0\x07";
    let found = findings(&spec(text), file);
    let wanted = [
        "not-readable: a, at byte 0: the bytes are not valid ASCII (specification:4:5)",
        "not-readable: b, at byte 2: the bytes are not valid UTF-16LE (specification:5:5)",
        "not-readable: c, at byte 5: the bytes are not valid UTF-8 (specification:6:5)",
    ];
    assert_eq!(found[..3], wanted);
    assert!(found[3..].iter().all(|finding| finding.contains("the bytes are not valid ASCII")), "{found:?}");
    assert_eq!(values(text, file, &["d"]), "7");
    assert_eq!(values(text, file, &["a"]), "error: `a` is not read yet: `a`");
}

#[test]
fn encodings_have_the_names_of_python_and_of_iana_too() {
    let bytes = b"\xe9\0";
    for (names, text) in [
        (&["utf-16-le", "UTF_16LE", "utf16le"][..], "é"),
        (&["latin-1", "latin_1", "L1", "iso8859_1", "cp819", "windows-1252", "cp1252", "1252"], "é\\u{0}"),
        (&["cp437", "437", "IBM437"], "Θ\\u{0}"),
        (&["utf-16-be"], "\u{e900}"),
    ] {
        for name in names {
            let encoding: Spec =
                format!("{{meta: {{id: x}}, seq: [{{id: a, type: str, size: 2, encoding: {name}}}]}}").parse().unwrap();
            let found = encoding.values(bytes, &["a"]).unwrap();
            assert_eq!(found[0].as_ref().unwrap().to_string(), format!("\"{text}\""), "{name}");
        }
    }
    for name in ["us-ascii", "utf8", "u8", "euc_jp", "ujis", "sjis", "cp932", "gb2312", "big5", "koi8_r", "iso8859-15"]
    {
        let text = format!("{{meta: {{id: x, encoding: {name}}}, seq: [{{id: a, type: str, size: 1}}]}}");
        let warnings: Vec<String> = text.parse::<Spec>().unwrap().warnings().iter().map(ToString::to_string).collect();
        assert!(warnings.len() == 1 && warnings[0].contains("is called"), "{name}: {warnings:?}");
    }
}

#[test]
fn expression_in_lines_of_its_own_is_told_without_their_ends() {
    let text = "
meta: {id: lines}
seq:
  - id: a
    type: u1
    valid:
      expr: |
        _ > 5
";
    let found = findings(&spec(text), &[1]);
    assert_eq!(found, ["not-valid: a, at byte 0: `_ > 5` is false: `a` is 1 (specification:4:5)"]);
}
