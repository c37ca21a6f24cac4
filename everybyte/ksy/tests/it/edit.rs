//! Sets fields of files according to a specification: choices by name, consequences and refusals.

use super::spec;
use everybyte::forge::Editor;
use everybyte::map::{GAP, spans};
use everybyte::{Explained, map::Value};
use everybyte_ksy::{Spec, SpecGrammar};
use std::collections::HashMap;
use std::path::Path;

/// Returns the file with a field set to another value.
fn set(spec: &Spec, file: &[u8], path: &str, value: &str) -> Result<Vec<u8>, String> {
    let editor = Editor::new(Box::new(SpecGrammar::new(spec)), file);
    editor.set(path, value).and_then(Editor::write).map_err(|error| error.to_string())
}

/// An enumeration in signed and unsigned integers of both byte orders, in a list, in a selected type, in a structure
/// around a type with an enumeration of the same name, and with the name of a type.
const CHOICES: &str = "
meta: {id: choices, endian: le}
seq:
  - {id: first, type: u2, enum: kinds}
  - {id: signed, type: s1, enum: levels}
  - {id: big, type: u2be, enum: kinds}
  - {id: list, type: u1, enum: kinds, repeat: expr, repeat-expr: 2}
  - {id: wide, type: {switch-on: signed, cases: {levels::low: u1, levels::high: u1}}, enum: kinds}
  - {id: inner, type: inner}
  - {id: named, type: u1, enum: inner}
types:
  inner:
    seq: [{id: own, type: u1, enum: kinds}]
    enums: {kinds: {7: rose, 8: lily}}
enums:
  kinds: {1: rose, 2: tulip, 300: fern}
  levels: {-1: low, 1: high}
  inner: {5: core, 6: shell}
";

/// Runs of bits in both orders.
const BITS: &str = "
meta: {id: bits, endian: le}
seq:
  - {id: one, type: b3}
  - {id: kind, type: b10, enum: kinds}
  - {id: rest, type: b3}
  - {id: after, type: turned}
  - {id: whole, type: b16, enum: kinds}
types:
  turned:
    meta: {bit-endian: le}
    seq:
      - {id: low, type: b3}
      - {id: kind, type: b10, enum: kinds}
      - {id: high, type: b3}
enums: {kinds: {0: none, 1: rose, 513: tulip}}
";

#[test]
fn a_value_of_an_enumeration_is_set_by_its_name() {
    let spec = spec(CHOICES);
    let file = b"\x01\0\xFF\x00\x01\x01\x02\x01\x07\x05";
    assert_eq!(spec.check(file), []);
    for (path, name, made) in [
        ("first", "fern", b"\x2C\x01\xFF\x00\x01\x01\x02\x01\x07\x05"),
        ("signed", "high", b"\x01\0\x01\x00\x01\x01\x02\x01\x07\x05"),
        ("signed", "-1", file),
        ("big", "fern", b"\x01\0\xFF\x01\x2C\x01\x02\x01\x07\x05"),
        ("list[1]", "rose", b"\x01\0\xFF\x00\x01\x01\x01\x01\x07\x05"),
        ("wide", "tulip", b"\x01\0\xFF\x00\x01\x01\x02\x02\x07\x05"),
        ("inner.own", "lily", b"\x01\0\xFF\x00\x01\x01\x02\x01\x08\x05"),
        ("named", "shell", b"\x01\0\xFF\x00\x01\x01\x02\x01\x07\x06"),
    ] {
        assert_eq!(set(&spec, file, path, name).as_deref(), Ok(&made[..]), "{path} {name}");
    }
    for (path, name, message) in [
        ("first", "lily", "`first` takes a number, such as 12 or 0xff, or one of rose, tulip, fern; `lily` is not one"),
        (
            "inner.own",
            "tulip",
            "`inner.own` takes a number, such as 12 or 0xff, or one of rose, lily; `tulip` is not one",
        ),
        ("list[0]", "fern", "`list[0]` has no room for 300: it takes 0 to 255"),
        ("signed", "128", "`signed` has no room for 128: it takes -128 to 127"),
    ] {
        assert_eq!(set(&spec, file, path, name), Err(message.to_owned()));
    }
}

#[test]
fn an_enumeration_in_bits_is_set_by_its_name_in_either_order() {
    let spec = spec(BITS);
    for (path, made) in [
        ("one-rest.kind", b"\x10\x08\0\0\0\0"),
        ("after.low-high.kind", b"\0\0\x08\x10\0\0"),
        ("whole", b"\0\0\0\0\x02\x01"),
    ] {
        assert_eq!(set(&spec, &[0; 6], path, "tulip").as_deref(), Ok(&made[..]), "{path}");
        assert_eq!(set(&spec, made, path, "none").as_deref(), Ok(&[0; 6][..]), "{path}");
        // The surrounding bits stay the same.
        let around = set(&spec, &[0xFF; 6], path, "tulip").unwrap();
        let ones = |bytes: &[u8]| bytes.iter().map(|byte| byte.count_ones()).sum::<u32>();
        let width = if path == "whole" { 16 } else { 10 };
        assert_eq!(ones(&around), 48 - width + 2, "{path}");
    }
    let message = "`one-rest.kind` has no room for 1024: it takes 0 to 1023";
    assert_eq!(set(&spec, &[0; 6], "one-rest.kind", "1024"), Err(message.to_owned()));
    let message = "`one-rest.one` takes a number, such as 12 or 0xff; `rose` is not one";
    assert_eq!(set(&spec, &[0; 6], "one-rest.one", "rose"), Err(message.to_owned()));
}

#[test]
fn a_message_lists_a_bounded_number_of_names() {
    let labels: Vec<String> = (0..100).map(|number| format!("{number}: n{number}")).collect();
    let text = format!(
        "meta: {{id: many}}\nseq: [{{id: kind, type: u1, enum: kinds}}]\nenums: {{kinds: {{{}}}}}\n",
        labels.join(", ")
    );
    let message = set(&spec(&text), b"\0", "kind", "rose").unwrap_err();
    assert!(message.contains("n15 and 84 more, which `schema` lists; `rose` is not one"), "{message}");
    assert_eq!(set(&spec(&text), b"\0", "kind", "n99").as_deref(), Ok(&b"c"[..]));
}

#[test]
fn an_offset_that_would_leave_bytes_without_a_field_is_refused() {
    let spec = spec(
        "
meta: {id: placed}
seq: [{id: place, type: u1}, {id: size, type: u1}]
instances: {body: {pos: place, size: size}}
",
    );
    let file = b"\x02\x03abc";
    for (path, value, lost) in [("size", "2", "1 byte"), ("size", "1", "2 bytes"), ("place", "0", "3 bytes")] {
        let message = format!("{lost} would be left without a field; set what leads there too, or another value");
        assert_eq!(set(&spec, file, path, value), Err(message), "{path}");
    }
    assert_eq!(set(&spec, file, "body", "longer").as_deref(), Ok(&b"\x02\x06longer"[..]));
}

#[test]
fn hostile_paths_and_values_are_refused_in_a_sentence() {
    let spec = spec(CHOICES);
    let file = b"\x01\0\xFF\x00\x01\x01\x02\x01\x07\x05";
    let long = "[".repeat(100_000);
    let many = "inner.".repeat(20_000);
    let paths = [
        "",
        ".",
        "..",
        "[",
        "]",
        "[]",
        "!",
        "!!",
        "@",
        "@0",
        "list[",
        "list[]",
        "list[2]",
        "list[-1]",
        "list[?]",
        "list[0..2]",
        "list[18446744073709551615]",
        "list[\"",
        "list[\"\\",
        "inner",
        "inner.",
        "inner!own",
        "first@1",
        "first@99999999999999999999",
        "\u{1b}[31m",
        "first\n",
        "first.first",
        &long,
        &many,
    ];
    for path in paths {
        if let Err(message) = set(&spec, file, path, "1") {
            assert!(!message.contains(['\n', '\u{1b}']), "{message}");
        }
    }
    let long = "9".repeat(100_000);
    let values = [
        "",
        "-",
        "--1",
        "+",
        "0x",
        "0x-1",
        "-0x",
        "1e999",
        "-1e999",
        "nan",
        "inf",
        "1_0",
        "_",
        "x\"",
        "x\"0",
        "x\"zz\"",
        "x\"\"",
        "\"",
        "\"\\u{110000}\"",
        "-170141183460469231731687303715884105728",
        "170141183460469231731687303715884105728",
        "\u{1b}[31m",
        &long,
    ];
    for path in ["first", "signed", "inner.own", "list[1]"] {
        for value in values {
            match set(&spec, file, path, value) {
                Ok(made) => assert_eq!(value, "1_0", "{path} {made:?}"),
                Err(message) => assert!(!message.contains(['\n', '\u{1b}']), "{message}"),
            }
        }
    }
}

/// Offsets that may point anywhere, and packed content.
const PLACES: &str = "
meta: {id: places, endian: be}
seq:
  - {id: place, type: u1}
  - {id: count, type: u1}
  - {id: packed, size: 4, process: xor(0x20), type: inner}
  - {id: entries, type: u2, repeat: expr, repeat-expr: count}
types:
  inner: {seq: [{id: kind, type: b4, enum: kinds}, {id: rest, type: b12}, {id: text, type: str, size: 2, encoding: UTF-8}]}
instances: {body: {pos: place, type: u4, if: place > 0}, last: {pos: _io.size - 2, type: u2}}
enums: {kinds: {1: rose, 2: tulip}}
";

#[test]
fn a_file_of_any_bytes_that_is_edited_has_no_more_findings_and_gaps() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut made = 0;
    for spec in [CHOICES, BITS, PLACES].map(spec) {
        for _ in 0..60 {
            let file: Vec<u8> = (0..next() % 24).map(|_| (next() % 9) as u8).collect();
            let explained = spec.explain(&file);
            let before = flaws(&explained);
            let fixed = Editor::new(Box::new(SpecGrammar::new(&spec)), &file[..]).fix().write();
            let edits = spans(&explained.spaces).into_iter().flat_map(|span| {
                let value = ["1", "-1", "0", "rose", "x\"ff\"", "abc"][next() as usize % 6];
                set(&spec, &file, &span.path, value).ok()
            });
            for edited in edits.collect::<Vec<_>>().into_iter().chain(fixed.ok()) {
                let after = flaws(&spec.explain(&edited));
                assert!(after.0 <= before.0 && after.1 <= before.1, "{}: {file:?} {edited:?}", spec.name());
                made += 1;
            }
        }
    }
    assert!(made > 500, "{made}");
}

/// Returns the values of the numbers in a map, by path.
fn numbers(explained: &Explained) -> HashMap<String, i128> {
    let number = |value: Value| match value {
        Value::Uint(number) => i128::try_from(number).ok(),
        Value::Int(number) => Some(number),
        _ => None,
    };
    spans(&explained.spaces).into_iter().filter_map(|span| Some((span.path, number(span.node.value())?))).collect()
}

/// Returns the number of findings in a file, and of bytes without a field.
fn flaws(explained: &Explained) -> (usize, u64) {
    let gaps = spans(&explained.spaces).into_iter().filter(|span| span.node.name() == GAP);
    (explained.findings.len(), gaps.map(|gap| gap.node.length()).sum())
}

/// The results of setting numbers of a file to other values.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    pub clean: usize,
    pub refused: usize,
    pub broken: usize,
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.clean += other.clean;
        self.refused += other.refused;
        self.broken += other.broken;
    }
}

/// Changes up to `most` numbers of a file by one. The new file is broken if it has more findings or more
/// bytes without a field than before, or if the number is not the one that was set.
pub fn count(spec: &Spec, file: &[u8], most: usize) -> Count {
    let explained = spec.explain(file);
    let mut numbers: Vec<_> = numbers(&explained).into_iter().collect();
    numbers.sort();
    let mut count = Count::default();
    let step = numbers.len().div_ceil(most.max(1)).max(1);
    for (path, number) in numbers.into_iter().step_by(step) {
        let made = [number + 1, number - 1].into_iter().find_map(|value| {
            let made = set(spec, file, &path, &value.to_string()).ok()?;
            Some((made, value))
        });
        match made {
            None => count.refused += 1,
            Some((made, value)) => {
                let after = spec.explain(&made);
                let is_set = self::numbers(&after).get(&path) == Some(&value);
                let (before, flaws) = (flaws(&explained), flaws(&after));
                match is_set && flaws.0 <= before.0 && flaws.1 <= before.1 {
                    true => count.clean += 1,
                    false => {
                        println!("{}: {path} set to {value}: {before:?} {flaws:?} {is_set}", spec.name());
                        count.broken += 1;
                    }
                }
            }
        }
    }
    count
}

#[test]
fn each_number_by_the_definitions_of_the_examples_is_set_or_refused() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/engine/examples");
    let mut all = Count::default();
    for entry in examples.join("files").read_dir().unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let spec = Spec::read(examples.join(format!("snapshots/{name}.ksy"))).unwrap();
        let count = count(&spec, &std::fs::read(&path).unwrap(), usize::MAX);
        println!("{name}: {count:?}");
        all += count;
    }
    println!("{all:?}");
    assert!(all.broken == 0 && all.clean > 0 && all.refused > 0, "{all:?}");
}
