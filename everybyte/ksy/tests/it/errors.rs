//! Invalid specifications: each is refused with a position and a message.

use everybyte_ksy::{Loader, Spec};

/// Returns the error of a specification.
fn error(text: &str) -> String {
    match text.parse::<Spec>() {
        Ok(_) => "loads".into(),
        Err(error) => error.to_string().trim_start_matches("specification:").to_owned(),
    }
}

/// Returns a specification with one field.
fn field(field: &str) -> String {
    format!(
        "meta: {{id: x, endian: le}}\nseq:\n  - {{id: n, type: u1}}\n  - {{id: t, type: str, size: 1, encoding: ASCII}}\n  - {field}\n"
    )
}

#[test]
fn what_is_no_specification_is_refused() {
    assert_eq!(error(""), "1:1: the file is empty");
    assert_eq!(error("1234"), "1:1: a specification must be a map, found a scalar");
    assert_eq!(error("seq: []"), "1:1: the specification has no `meta`");
    assert_eq!(error("meta: {title: x}"), "1:7: `meta` has no `id`");
    assert_eq!(error("meta: {id: x}\nseq: 1"), "2:6: `seq` is a scalar, not a list");
    assert_eq!(error("meta: {id: x}\nmeta: {id: y}"), "2:1: the key `meta` occurs twice");
    assert_eq!(error("a: &b 1\nc: *b"), "2:4: found an alias, which specifications do not use");
}

#[test]
fn names_are_those_of_kaitai_struct() {
    let form = "a lower-case letter, then lower-case letters, digits and `_`";
    assert_eq!(error("meta: {id: X}"), format!("1:12: `X` is not a valid name of a specification: {form}"));
    assert_eq!(error(&field("{id: 2a, type: u1}")), format!("5:10: `2a` is not a valid name of a field: {form}"));
    assert_eq!(error(&field("{id: n, type: u1}")), "5:5: the name `n` is already used in line 3");
    let known = "expected doc, doc-ref, enum, id, if, io, pos, repeat, type, valid, value";
    assert_eq!(error(&field("{id: a, type: u1, blah: 1}")), format!("5:23: `blah` is not a key here; {known}"));
}

#[test]
fn expressions_have_one_kind_that_suits_their_place() {
    assert_eq!(error(&field("{id: a, size: t}")), "5:19: `t` is a text; an integer is needed here");
    assert_eq!(error(&field("{id: a, type: u1, if: n}")), "5:27: `n` is an integer; true or false is needed here");
    assert_eq!(error(&field("{id: a, size: n + t}")), "5:19: the operator cannot be applied to an integer and a text");
    assert_eq!(
        error(&field("{id: a, type: u1, valid: \"'x'\"}")),
        "5:31: `'x'` is a text, which cannot be compared with an integer"
    );
    assert_eq!(error(&field("{id: a, size: m}")), "5:19: `x` has no `m`");
    assert_eq!(error(&field("{id: a, size: n.frobnicate}")), "5:19: an integer has no `frobnicate`");
    assert_eq!(error(&field("{id: a, size: 1 +}")), "5:22: the end stands where a value should: `1 +`");
    assert_eq!(
        error(&field("{id: a, type: u1, if: n == 1 && n == 2}")),
        "5:34: `&&` is `and` here: `n == 1 && n == 2`"
    );
}

#[test]
fn types_and_enumerations_are_declared() {
    assert_eq!(error(&field("{id: a, type: chnk}")), "5:19: there is no type `chnk` here");
    assert_eq!(error(&field("{id: a, type: u1, enum: kinds}")), "5:29: there is no enumeration `kinds` here");
    assert_eq!(error(&field("{id: a, type: x(1)}")), "5:19: `x` has 0 parameters, but 1 arguments are given");
    assert_eq!(
        error("{meta: {id: x}, seq: [{id: a, type: u2}]}"),
        "1:23: the byte order is not stated: add `meta/endian`, or `le` or `be` to the type's name"
    );
    assert_eq!(error("{meta: {id: x}, seq: [{id: a, type: str, size: 1}]}"), "1:23: `a` is a text without an encoding");
    assert_eq!(
        error(&field("{id: a}")),
        "5:5: the end of `a` is not stated: add `size`, `size-eos`, `terminator` or `contents`"
    );
    assert_eq!(
        error(&field("{id: a, type: u4, -check: md4(n)}")),
        "5:31: unknown checksum `md4`: expected crc32, adler32, crc16-ccitt, sum8, sum16, sum32, xor8"
    );
}

#[test]
fn versions_that_are_not_known_are_refused() {
    assert_eq!(error("{meta: {id: x, ks-version: 0.11}}"), "loads");
    assert_eq!(
        error("{meta: {id: x, ks-version: 99.1}}"),
        "1:28: the specification needs Kaitai Struct 99.1; supported are 0.6 to 0.11"
    );
    assert_eq!(
        error("{meta: {id: x, ks-version: 0.7f}}"),
        "1:28: `0.7f` is not a version: expected a number such as `0.10` or `0.10.1`"
    );
}

#[test]
fn values_that_depend_on_themselves_are_refused() {
    let text = "meta: {id: x}\ninstances:\n  a: {value: b + 1}\n  b: {value: a + 1}\n";
    assert_eq!(error(text), "3:3: the kind of `a` depends on itself");
}

#[test]
fn imports_stay_inside_their_folders() {
    let outside = "{meta: {id: x, imports: [../../etc/passwd]}}";
    assert_eq!(error(outside), "1:26: the import `../../etc/passwd` is not found: ../../etc/passwd.ksy does not exist");
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(folder.path().join("secret.ksy"), "{meta: {id: secret}}").unwrap();
    std::fs::write(inner.join("main.ksy"), "{meta: {id: main, imports: [../secret]}}").unwrap();
    let error = Loader::new().read(inner.join("main.ksy")).unwrap_err();
    assert!(error.message.ends_with("leads out of the directories of the specification"), "{error}");
    assert_eq!((error.line, error.column), (1, 29));
}

#[test]
fn names_of_encodings_are_advised_once() {
    let text = "
meta: {id: x, encoding: utf-8}
seq: [{id: a, size: 1}, {id: b, type: t}]
types: {t: {seq: [{id: c, type: str, size: 1}]}}
instances: {v: {value: a.to_s('klingon')}, w: {value: v.length}}
";
    let spec: Spec = text.parse().unwrap();
    let warnings: Vec<String> = spec.warnings().iter().map(ToString::to_string).collect();
    let wanted = [
        "specification:2:25: the encoding `utf-8` is called `UTF-8`",
        "specification:5:24: the encoding `klingon` is not known",
    ];
    assert_eq!(warnings, wanted);
}

#[test]
fn names_of_encodings_are_those_of_kaitai_struct() {
    let spec: Spec =
        "{meta: {id: x, encoding: utf-8}, seq: [{id: a, type: str, size: 1, encoding: klingon}]}".parse().unwrap();
    let warnings: Vec<String> = spec.warnings().iter().map(ToString::to_string).collect();
    let wanted = [
        "specification:1:26: the encoding `utf-8` is called `UTF-8`",
        "specification:1:78: the encoding `klingon` is not known",
    ];
    assert_eq!(warnings, wanted);
}

/// Returns the error for a field with these keys of our own.
fn fault(keys: &str) -> String {
    let text = format!("{{meta: {{id: x, endian: le}}, seq: [{{id: a, type: u2, {keys}}}, {{id: body, size: a}}]}}");
    text.parse::<Spec>().unwrap_err().message
}

#[test]
fn roles_that_say_nothing_are_refused() {
    let known = "`extent of x`, `counts x`, `place of x`, `copy of x`, `index of x`, `check of x`, `crc32 of x`, `writer`, `fact`, `payload` and `steady` are";
    for role in ["extent", "extent of", "extent of Body", "size of body", "extent of body * 0", "counts body + x"] {
        assert_eq!(fault(&format!("-role: {role}")), format!("`{role}` is not a role: {known}"));
    }
    assert_eq!(fault("-role: fact, -check: crc32(body)"), "`-check` and `-role` exclude each other");
}

#[test]
fn roles_about_what_is_nowhere_are_advised_on() {
    let advice = |role: &str| {
        let text = format!("{{meta: {{id: x}}, seq: [{{id: a, type: u1, -role: {role}}}, {{id: body, size: a}}]}}");
        text.parse::<Spec>().unwrap().warnings().iter().map(|warning| warning.message.clone()).collect::<Vec<_>>()
    };
    let nowhere = "the role has no effect: no field or type is called";
    assert_eq!(advice("extent of bodi"), [format!("{nowhere} `bodi`; did you mean `body`?")]);
    assert_eq!(advice("place of body in t"), [format!("{nowhere} `t`")]);
    assert_eq!(advice("place of body after b"), [format!("{nowhere} `b`")]);
    let text = "{meta: {id: x}, seq: [{id: a, size: 1, -role: extent of a}]}".parse::<Spec>().unwrap();
    let message = "the role has no effect: it needs an integer, not bytes";
    assert_eq!(text.warnings()[0].message, message);
    for known in ["extent of body!", "place of a..body in x * 2 - 1", "place of body × 2 − 1 after a", "check of x"]
    {
        assert_eq!(advice(known), [""; 0]);
    }
}

#[test]
fn levels_of_packing_are_those_of_zlib() {
    let fault = |keys: &str| {
        format!("{{meta: {{id: x}}, seq: [{{id: a, size: 1, {keys}}}]}}").parse::<Spec>().unwrap_err().message
    };
    assert_eq!(fault("-pack: zlib 9"), "`-pack` needs `process: zlib` in the same field");
    assert_eq!(fault("process: zlib, -pack: zlib 10"), "`zlib 10` is not a packing: expected `zlib 0` to `zlib 9`");
    assert_eq!(fault("process: zlib, -pack: 9"), "`9` is not a packing: expected `zlib 0` to `zlib 9`");
}
