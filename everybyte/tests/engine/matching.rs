//! Choices by a value: `#[layout(match = kind)]`.

use everybyte::{
    Endian, Finding, Format, Source, check, codes,
    format::rewrite,
    fuzzing, layout,
    list::rest,
    read,
    reference::{Book, TypeKind},
    text::Text,
};

/// Returns the rule, the field and the message of the only finding.
fn only(findings: &[Finding]) -> (&str, &str, &str) {
    let [finding] = findings else { panic!("{findings:?}") };
    (finding.rule.as_str(), finding.path.as_str(), finding.message.as_str())
}

/// A key and a value, as in GGUF.
#[layout]
#[brw(little)]
struct Pair {
    kind: Kind,
    version: u8,
    #[br(args(kind, version))]
    value: Value,
}

impl Format for Pair {
    const NAME: &'static str = "pair";
}

codes! {
    /// The type of a value.
    struct Kind(u32) {
        /// A byte.
        BYTE = 0 => "byte";
        /// A number.
        NUMBER = 1 => "number";
        /// Text.
        TEXT = 8 => "text";
    }
}

#[layout(match = kind)]
#[brw(little)]
#[br(import(kind: Kind, version: u8))]
enum Value {
    /// A byte.
    #[when(Kind::BYTE)]
    Byte { byte: u8 },
    /// A number of the first version.
    #[when(Kind::NUMBER if version - 1 == 0)]
    Short { number: u16 },
    /// A number of later versions.
    #[when(Kind::NUMBER)]
    Long { number: u64 },
    /// A text.
    #[when(Kind::TEXT | Kind(9..=11))]
    Text {
        #[br(parse_with = rest)]
        text: Text,
    },
}

#[test]
fn a_value_chooses_the_alternative() {
    let alternative = |file: &[u8]| read::<Pair>(Source::new(file), Endian::Little, ()).unwrap().value;
    assert_eq!(alternative(b"\0\0\0\0\x01\x07"), Value::Byte { byte: 7 });
    assert_eq!(alternative(b"\x01\0\0\0\x01\x07\0"), Value::Short { number: 7 });
    assert_eq!(alternative(b"\x01\0\0\0\x02\x07\0\0\0\0\0\0\0"), Value::Long { number: 7 });
    for kind in [8, 9, 11] {
        assert_eq!(alternative(&[kind, 0, 0, 0, 1, b'a']), Value::Text { text: "a".into() });
    }
    assert_eq!(rewrite::<Pair>(b"\x01\0\0\0\x01\x07\0").unwrap(), b"\x01\0\0\0\x01\x07\0");
}

#[test]
fn the_error_is_that_of_the_alternative_that_the_value_chooses() {
    let words = "2 bytes are needed here, but only 1 byte is left";
    assert_eq!(only(&check::<Pair>(b"\x01\0\0\0\x01\x07")), ("truncated", "value.number", words));
}

#[test]
fn a_value_without_an_alternative_is_a_finding_that_names_it() {
    let words = "no alternative is declared for Kind(12)";
    assert_eq!(only(&check::<Pair>(b"\x0c\0\0\0\x01\x07")), ("invalid", "value", words));
}

#[test]
fn a_condition_without_a_result_is_a_finding() {
    let words = "`version - 1` has no result: 0 - 1 is out of the range of u8";
    assert_eq!(only(&check::<Pair>(b"\x01\0\0\0\0\x07\0")), ("invalid", "value", words));
}

/// Chunks whose kinds are bytes.
#[layout]
struct Chunk {
    kind: [u8; 2],
    #[br(args(&kind))]
    body: Body,
}

impl Format for Chunk {
    const NAME: &'static str = "chunk";
}

#[layout(match = kind)]
#[br(import(kind: &[u8]))]
enum Body {
    #[when(b"nn")]
    Number { number: u8 },
    #[when(b"tt" | b"uu")]
    Two { first: u8, second: u8 },
    #[when(_)]
    Other {
        #[br(parse_with = rest)]
        bytes: Vec<u8>,
    },
}

#[test]
fn byte_strings_match_arrays_and_slices() {
    let body = |file: &[u8]| read::<Chunk>(Source::new(file), Endian::Little, ()).unwrap().body;
    assert_eq!(body(b"nn\x01"), Body::Number { number: 1 });
    assert_eq!(body(b"uu\x01\x02"), Body::Two { first: 1, second: 2 });
    assert_eq!(body(b"xx\x01\x02"), Body::Other { bytes: vec![1, 2] });
}

#[test]
fn the_field_reference_has_the_condition_of_each_alternative() {
    let conditions = |book: Book, page: &str| {
        let TypeKind::Choice(variants) = &book.page(page).unwrap().kind else { panic!("it is no choice") };
        variants.iter().map(|variant| variant.condition.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(conditions(Chunk::book(), "Body"), ["kind == b\"nn\"", "kind is b\"tt\" | b\"uu\"", "otherwise"]);
    assert_eq!(conditions(Pair::book(), "Value")[1], "kind is Kind::NUMBER if version - 1 == 0");
}

#[test]
fn files_with_a_choice_by_a_value_are_made_valid_nine_times_of_ten() {
    fuzzing::values::<Pair>(200);
    fuzzing::values::<Chunk>(200);
    let files: Vec<Vec<u8>> = (1..=200).filter_map(fuzzing::file::<Chunk>).collect();
    let with = |kind: &[u8]| files.iter().filter(|file| file.starts_with(kind)).count();
    assert!(with(b"nn") > 5 && with(b"tt") > 5 && with(b"uu") > 5, "{} {}", with(b"nn"), with(b"tt"));
}
