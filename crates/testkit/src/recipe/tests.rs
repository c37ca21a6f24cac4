//! Tests of the recipe assembler.

use super::{Expected, Recipe, body, has_header, members};

fn assemble(body: &str) -> Result<Vec<u8>, String> {
    Recipe::parse(&format!("# t\nstrict: clean\nreference: clean\n---\n{body}")).map(|recipe| recipe.bytes)
}

#[test]
fn every_directive_gives_its_bytes() {
    assert_eq!(assemble("00 fF # comment \" { 1\n\n10").unwrap(), [0, 255, 16]);
    assert_eq!(assemble("be u32 10 le u16 0x0102").unwrap(), [0, 0, 0, 10, 2, 1]);
    assert_eq!(assemble("le i16 -2 be f32 1.5 le f64 -0").unwrap()[..6], [0xFE, 0xFF, 0x3F, 0xC0, 0, 0]);
    assert_eq!(assemble("le i128 -1").unwrap(), [0xFF; 16]);
    assert_eq!(assemble(r#""a # \"b\\\n" 3 * 0A 2 * { 01 le u16 2 }"#).unwrap(), {
        let mut bytes = b"a # \"b\\\n\n\n\n".to_vec();
        bytes.extend([1, 2, 0, 1, 2, 0]);
        bytes
    });
    assert_eq!(assemble("leb 0 leb 127 leb 300").unwrap(), [0, 0x7F, 0xAC, 2]);
    assert_eq!(assemble("str \"ab\" sized { 2 * { 01 } sized { } }").unwrap(), [2, b'a', b'b', 3, 1, 1, 0]);
    assert_eq!(assemble("mp i32 -2 mp u16 1").unwrap(), [0xD2, 0xFF, 0xFF, 0xFF, 0xFE, 0xCD, 0, 1]);
    assert_eq!(assemble("mp map 1 mp name \"ab\" mp bytes 0").unwrap()[..6], [0xDE, 0, 1, 0xA2, b'a', b'b']);
}

#[test]
fn labels_are_offsets() {
    assert_eq!(assemble("le u16 @b 00 @a: 01\n@b:").unwrap(), [4, 0, 0, 1]);
    assert_eq!(assemble("00 @a: mp array @a").unwrap(), [0, 0xDC, 0, 1]);
    assert_eq!(assemble("@a:\nle i16 @a-@b le i16 @b-@a+1-2\n@b:").unwrap(), [0xFC, 0xFF, 3, 0]);
}

#[test]
fn folders_have_files() {
    let text = "# t\nstrict: clean\nreference: clean\n---\n00 le u16 @a\n@a:\n=== 1.b\n@a: 01\n=== 2.b\n";
    let recipe = Recipe::parse(text).unwrap();
    assert_eq!(recipe.bytes, [0, 3, 0]);
    assert_eq!(recipe.others, [("1.b".to_owned(), vec![1]), ("2.b".to_owned(), vec![])]);
    let error = Recipe::parse(&format!("{text}0")).unwrap_err();
    assert!(error.starts_with("line 10: "), "{error}");
}

#[test]
fn families_have_members_with_names_of_their_own() {
    let text = "[a.idx]\n# t\nstrict: clean\n---\n00\n\n[b.b2nd/]\n01\n=== c\n02\n";
    let found = members(text).unwrap();
    assert_eq!(found.iter().map(|it| (it.name, it.line)).collect::<Vec<_>>(), [("a.idx", 1), ("b.b2nd/", 7)]);
    assert_eq!((found[0].text.as_str(), has_header(&found[0].text)), ("# t\nstrict: clean\n---\n00\n", true));
    assert_eq!(body(&found[0].text, 1).unwrap(), (vec![0], vec![]));
    assert_eq!(body(&found[1].text, 7).unwrap(), (vec![1], vec![("c".to_owned(), vec![2])]));
    assert!(body("00\n0", 7).unwrap_err().starts_with("line 9: "));
    for (wrong, line) in [("00\n[a]\n", 1), ("[a]\n[a]\n", 2), ("[../a]\n", 1), ("[]\n", 1), ("[/a]\n", 1)] {
        let error = members(wrong).unwrap_err();
        assert!(error.starts_with(&format!("line {line}: ")), "{wrong}: {error}");
    }
}

#[test]
fn header_is_kept() {
    let recipe = Recipe::parse(
        "# one\n# two\nstrict: warning a/b, error c\nreference: clean\nshape: 2 2\ndtype: <f4\n\
         values: 1 bits:7fc00001\nvalues: -0 inf\nmemory: 64\n---\n00",
    )
    .unwrap();
    assert_eq!(recipe.title, "one two");
    assert_eq!(recipe.strict.len(), 2);
    assert_eq!(recipe.strict[0], Expected { severity: "warning".to_owned(), rule: "a/b".to_owned() });
    assert_eq!(recipe.reference, []);
    assert_eq!(recipe.shape, Some(vec![2, 2]));
    assert_eq!(recipe.values.unwrap(), ["1", "bits:7fc00001", "-0", "inf"]);
    assert_eq!(recipe.memory, Some(64));
    let table = "# t\nstrict: clean\nreference: clean\nrows: 1\ncolumn: \"a b\" Int32\nrow: 7\n---\n";
    assert_eq!(Recipe::parse(table).unwrap().table.unwrap(), ["rows: 1", "column: \"a b\" Int32", "row: 7"]);
    let scalar = Recipe::parse("# s\nstrict: clean\nreference: clean\nshape:\ndtype: |u1\nvalues: 7\n---\n").unwrap();
    assert_eq!(scalar.shape, Some(vec![]));
}

#[test]
fn mistakes_name_the_line() {
    let cases = [
        ("0", "`0` is not a byte"),
        ("+1", "`+1` is not a byte"),
        ("be u16 65536", "not a value of type u16"),
        ("le i16 32768", "not a value of type i16"),
        ("be u24 1", "not a type"),
        ("\"a", "closing quote"),
        ("\"é\"", "not printable"),
        ("2 * { 00", "`}` is missing"),
        ("sized { 2 * { 00 }", "`}` is missing"),
        ("leb -1", "`-1` is not a count"),
        ("le u8 @a", "not a type"),
        ("mp u8 1", "no token of msgpack"),
        ("mp i16 32768", "not a value of type i16"),
        ("mp name \"12345678901234567890123456789012\"", "31 bytes"),
        ("le u16 @a", "`@a` is not defined"),
        ("@a: @a:", "`@a` is defined twice"),
        ("@a-b:", "no name of a label"),
        ("sized { @a: }", "`@a:` is not a byte"),
        ("@a: le u16 @a-1-8", "not a value of type u16"),
        ("* 00", "expected"),
        ("2000000 * 00", "more than"),
    ];
    for (body, message) in cases {
        let error = assemble(&format!("00\n{body}")).unwrap_err();
        assert!(error.starts_with("line 6: ") && error.contains(message), "{body}: {error}");
    }
    let headers = [
        ("strict: clean\nreference: clean\n---\n", "line 1: "),
        ("# t\nstrict: clean\n---\n", "line 3: no `reference`"),
        ("# t\nstrict: bad\nreference: clean\n---\n", "line 2: "),
        ("# t\nstrict: clean\nstrict: clean\n---\n", "line 3: `strict` is given twice"),
        ("# t\nstrict: clean\nreference: clean\n", "line 3: the header does not end"),
        ("# t\nstrict: clean\nreference: clean\nshape: 2\n---\n", "line 5: `shape`"),
        ("# t\nstrict: clean\nreference: clean\nshape: 2\ndtype: |u1\nvalues: 1\n---\n", "line 7: shape"),
        ("# t\ncolour: red\n---\n", "line 2: unknown key"),
    ];
    for (text, message) in headers {
        let error = Recipe::parse(text).unwrap_err();
        assert!(error.starts_with(message), "{text}: {error}");
    }
}
