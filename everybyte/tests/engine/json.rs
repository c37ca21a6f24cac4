//! JSON as the encoding of a text: the finding, the values in it, generated files, and mutants.

use everybyte::forge::{Choices, Mutation, Of, Repair, Session};
use everybyte::{
    Endian, Finding, Format, Source, check, explain, fuzzing, layout,
    list::rest,
    read,
    text::{Json, Padded, Text},
    write,
};
use serde::Deserialize;

/// Facts in JSON, and the parts that they name.
#[layout]
#[brw(big)]
struct Parts {
    #[br(temp)]
    length: u16,
    #[br(count = length)]
    facts: Text<Json>,
    #[layout(each(part in facts.all::<Part>("/parts/*")), at = part.at, size = part.end - part.at, after = facts)]
    parts: Vec<Bytes>,
}

#[derive(Deserialize)]
struct Part {
    at: u32,
    end: u32,
}

#[layout]
struct Bytes {
    #[br(parse_with = rest)]
    bytes: Vec<u8>,
}

impl Format for Parts {
    const NAME: &'static str = "parts";
}

fn file(facts: &str, parts: &[u8]) -> Vec<u8> {
    [&(facts.len() as u16).to_be_bytes(), facts.as_bytes(), parts].concat()
}

/// Returns the rules and the fields of findings.
fn rules(findings: &[Finding]) -> Vec<(&str, &str)> {
    findings.iter().map(|finding| (finding.rule.as_str(), finding.path.as_str())).collect()
}

#[test]
fn values_in_json_say_where_structures_stand() {
    let file = file(r#"{"parts": [{"at": 2, "end": 5}, {"end": 2, "at": 0}], "by": "me"}"#, b"abcde");
    assert_eq!(check::<Parts>(&file), []);
    let parts: Parts = read(Source::new(&file), Endian::Big, ()).unwrap();
    let found: Vec<&[u8]> = parts.parts.iter().map(|part| &*part.bytes).collect();
    assert_eq!(found, [&b"cde"[..], b"ab"]);
    assert_eq!(write(&parts, Endian::Big).unwrap(), file);
    assert!(explain::<Parts>(&file).to_string().ends_with("every byte accounted for\n"));
}

#[test]
fn other_texts_are_the_finding_encoding_and_have_no_values() {
    for facts in ["", "{", "{'a': 1}", "[1,]", "{\"parts\": [{\"at\": 0, \"end\": 1}]} x", "\u{feff}[]"] {
        let found = check::<Parts>(&file(facts, b""));
        assert_eq!(rules(&found), [("encoding", "facts")], "{facts}");
        assert_eq!(found[0].message, "its bytes are not JSON");
    }
    assert_eq!(check::<Parts>(&file(" [1, 2] ", b"")), []);
    assert!(Text::<Json>::new("[").is_err());
    let found = check::<Parts>(&file(r#"{"parts": [{"at": 3, "end": 2}]}"#, b""));
    assert_eq!(found[0].message, "`part.end - part.at` has no result: 2 - 3 is out of the range of u32");
}

#[test]
fn values_at_a_path_have_the_order_of_the_text() {
    let text = Text::<Json>::new(r#"{"b": [1, {"x": 2}], "a/c": {"x": 3, "y~": -4}, "b": [5]}"#).unwrap();
    assert_eq!(text.all::<u64>("/*/*"), [1, 3, 5]);
    assert_eq!(text.all::<i64>("/a~1c/*"), [3, -4]);
    assert_eq!((text.all::<i64>("/a~1c/y~0"), text.all::<u8>("/b/1/x")), (vec![-4], vec![2]));
    assert_eq!(text.all::<serde::de::IgnoredAny>("").len(), 1);
    assert!(text.all::<u64>("/b/7").is_empty() && text.all::<u64>("/b/0/z").is_empty());
}

#[test]
fn deep_and_long_json_takes_no_more_than_its_bytes() {
    let deep = "[".repeat(1 << 15) + &"]".repeat(1 << 15);
    assert_eq!(rules(&check::<Parts>(&file(&deep[..65_534], b""))), [("encoding", "facts")]);
    let deep = "[".repeat(30_000) + &"]".repeat(30_000);
    assert_eq!(check::<Parts>(&file(&deep, b"")), []);
    assert!(Text::<Json>::new(&deep).unwrap().all::<u64>(&"/0".repeat(200)).is_empty());
    let many = format!("[{}0]", "0,".repeat(5_000_000));
    assert_eq!(Text::<Json>::new(&many).unwrap().all::<u8>("/*").len(), 5_000_001);
}

#[test]
fn files_that_are_made_up_have_json() {
    fuzzing::values::<Parts>(100);
    let files: Vec<_> = (1..=100).filter_map(fuzzing::file::<Parts>).collect();
    let read = |file: &Vec<u8>| read::<Parts>(Source::new(file), Endian::Big, ()).unwrap();
    let texts: Vec<_> = files.iter().map(|file| read(file).facts).collect();
    assert!(texts.len() == 100 && texts.iter().all(|text| text.text().is_some()));
    assert!(texts.iter().filter(|text| text.bytes().len() > 2).count() > 50);
}

#[test]
fn most_mutants_keep_json() {
    let (grammar, file) = (Of::<Parts>::new(), file(r#"{"parts": [], "by": "me", "is": [true, 12]}"#, b""));
    let mut session = Session::new(&grammar);
    let mut share = |repair| {
        let how = Mutation { repair, ..Mutation::default() };
        let mutants = (0..200).map(|seed| session.mutate(&file, &how, &mut Choices::seeded(seed)).bytes);
        mutants.filter(|mutant| !check::<Parts>(mutant).iter().any(|finding| finding.rule == "encoding")).count()
    };
    assert_eq!(share(Repair::Everything), 200);
    assert!(share(Repair::Only(everybyte::forge::Roles { extent: true, counts: true, ..Default::default() })) > 100);
}

/// Facts in JSON of a fixed size.
#[layout]
struct Label {
    facts: Text<Json, Padded<24, b' '>>,
    /// With zeros after them.
    others: Text<Json, Padded<16, 0>>,
}

impl Format for Label {
    const NAME: &'static str = "label";
}

#[test]
fn mutants_of_json_of_a_fixed_size_keep_json_and_the_size() {
    let file = *b"{\"is\": [true, 12]}      {\"a\": \"b\"}\0\0\0\0\0\0";
    assert_eq!(check::<Label>(&file), []);
    let (grammar, how) = (Of::<Label>::new(), Mutation { repair: Repair::Everything, ..Mutation::default() });
    let mut session = Session::new(&grammar);
    let mut mutants: Vec<_> =
        (0..200).map(|seed| session.mutate(&file, &how, &mut Choices::seeded(seed)).bytes).collect();
    mutants.sort();
    mutants.dedup();
    let is_json = |mutant: &&Vec<u8>| check::<Label>(mutant).is_empty();
    assert!(mutants.len() > 40 && mutants.iter().all(|mutant| mutant.len() == file.len()));
    assert!(mutants.iter().filter(is_json).count() * 2 > mutants.len());
}
