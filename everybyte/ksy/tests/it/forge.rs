//! Files mutated along their fields: lengths, counts and checksums are updated.

use super::spec;
use everybyte::diff::Pattern;
use everybyte::forge::{Choices, Mutation, Repair, Session, replay};
use everybyte_ksy::SpecGrammar;

const PACKETS: &str = "
meta: {id: packets, endian: be}
seq:
  - {id: magic, contents: PK}
  - {id: count, type: u1}
  - {id: packets, type: packet, repeat: expr, repeat-expr: count}
types:
  packet:
    seq:
      - {id: words, type: u1}
      - {id: body, size: words * 4 + 2}
      - {id: sum, type: u4, -check: crc32(words..body)}
";

/// Returns a file of two packets.
fn file() -> Vec<u8> {
    let mut file = b"PK\x02".to_vec();
    for body in [&b"\x01abcdef"[..], b"\x00xy"] {
        file.extend(body);
        file.extend(everybyte::sums::crc32(body).to_be_bytes());
    }
    file
}

#[test]
fn a_length_in_units_and_a_sum_follow_an_edit() {
    let spec = spec(PACKETS);
    let grammar = SpecGrammar::new(&spec);
    assert_eq!(spec.check(&file()), []);
    let recipe = "splice packets[1].body[2..end] = \"1234\"".parse().unwrap();
    let made = replay(&grammar, &file(), &recipe).unwrap();
    assert_eq!(made[14], 1);
    assert_eq!(spec.check(&made), []);
}

#[test]
fn a_count_follows_an_element_that_is_taken_out() {
    let spec = spec(PACKETS);
    let recipe = "remove packets[0]".parse().unwrap();
    let made = replay(&SpecGrammar::new(&spec), &file(), &recipe).unwrap();
    assert_eq!(made[2], 1);
    assert_eq!(spec.check(&made), []);
}

#[test]
fn packed_bytes_are_unpacked_edited_and_packed_again() {
    let text = "
meta: {id: packed}
seq:
  - {id: length, type: u1}
  - {id: body, size: length, process: xor(0x20), type: inner}
types:
  inner: {seq: [{id: size, type: u1}, {id: words, size: size}]}
";
    let spec = spec(text);
    let made = replay(&SpecGrammar::new(&spec), b"\x03\x22HI", &"splice body!words[2..end] = \"!\"".parse().unwrap());
    assert_eq!(made.unwrap(), b"\x04\x23HI\x01");
}

#[test]
fn mutants_of_contents_keep_their_lengths_and_sums() {
    let spec = spec(&PACKETS.replace("words * 4 + 2", "words - 2"));
    let mut file = b"PK\x02".to_vec();
    for body in [&b"\x08abcdef"[..], b"\x04xy"] {
        file.extend(body);
        file.extend(everybyte::sums::crc32(body).to_be_bytes());
    }
    assert_eq!(spec.check(&file), []);
    let grammar = SpecGrammar::new(&spec);
    let mut session = Session::new(&grammar);
    let only = Some(Pattern::new("**.body").unwrap());
    let how = Mutation { repair: Repair::Everything, only, ..Mutation::default() };
    let mut choices = Choices::seeded(7);
    for _ in 0..300 {
        let mutant = session.mutate(&file, &how, &mut choices.fork());
        assert_eq!(spec.check(&mutant.bytes), [], "{}", mutant.recipe);
    }
}

/// Two lists share a count, and values are chosen from a few.
const SHARED: &str = "
meta: {id: shared, endian: be}
seq:
  - {id: magic, contents: SH}
  - {id: kind, type: u1, valid: {any-of: [1, 2, 7]}}
  - {id: count, type: u1, valid: {min: 1}}
  - {id: names, type: name, repeat: expr, repeat-expr: count}
  - {id: places, type: u2, repeat: expr, repeat-expr: count}
  - {id: flags, type: u1, valid: {any-of: [0, 128]}, repeat: eos}
types:
  name: {seq: [{id: size, type: u1, valid: {max: 9}}, {id: text, size: size}]}
";

#[test]
fn mutants_with_everything_repaired_violate_nothing() {
    let spec = spec(SHARED);
    let file = b"SH\x02\x03\x01a\x02bc\x00\0\x01\0\x02\0\x03\x80\0";
    assert_eq!(spec.check(file), []);
    let grammar = SpecGrammar::new(&spec);
    let mut session = Session::new(&grammar);
    let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
    let mut choices = Choices::seeded(11);
    let broken: Vec<String> = (0..200)
        .map(|_| session.mutate(file, &how, &mut choices.fork()))
        .filter(|mutant| !spec.check(&mutant.bytes).is_empty())
        .map(|mutant| mutant.recipe.to_string())
        .collect();
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn a_number_follows_an_edit_by_the_role_that_is_stated() {
    // Nothing shows that the number of words refers to the text, which ends with the file.
    let text = "
meta: {id: words, endian: be}
seq:
  - {id: words, type: u2, -role: extent of text * 2 + 4}
  - {id: text, size-eos: true}
";
    let spec = spec(text);
    let recipe = "splice text[4..end] = \"abcd\"".parse().unwrap();
    let made = replay(&SpecGrammar::new(&spec), b"\x00\x01012345", &recipe).unwrap();
    assert_eq!(made, b"\x00\x020123abcd");
}

#[test]
fn a_fact_does_not_follow_what_an_expression_makes_of_it() {
    let text = |role: &str| {
        format!(
            "{{meta: {{id: x}}, seq: [{{id: length, type: u1{role}}}, {{id: text, size: 'length < 4 ? 4 : length'}}, {{id: rest, size: length}}]}}"
        )
    };
    let edited = |role: &str| {
        let spec = spec(&text(role));
        let recipe = "splice rest[0..end] = \"ab\"".parse().unwrap();
        replay(&SpecGrammar::new(&spec), b"\x040123abcd", &recipe).unwrap()[0]
    };
    assert_eq!((edited(""), edited(", -role: fact")), (2, 4));
}

#[test]
fn bytes_are_packed_at_the_level_that_is_stated() {
    let text = |pack: &str| {
        format!(
            "{{meta: {{id: x}}, seq: [{{id: length, type: u2le}}, {{id: body, size: length, process: zlib, type: t{pack}}}], types: {{t: {{seq: [{{id: text, size-eos: true}}]}}}}}}"
        )
    };
    let packed = |pack: &str| {
        let spec = spec(&text(pack));
        let mut file = b"\x0f\x00".to_vec();
        file.extend(b"\x78\x9c\x4b\x4c\x4a\x4e\x49\x4d\x03\x00\x08\x1e\x02\x56");
        file.push(0);
        let recipe = "splice body!text[0..end] = \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"".parse().unwrap();
        replay(&SpecGrammar::new(&spec), &file[..], &recipe).map(|made| made.len())
    };
    // The length, 2 bytes of header, 5 of a stored block, the text, and its sum.
    assert_eq!(packed(", -pack: zlib 0"), Ok(2 + 2 + 5 + 40 + 4));
    assert_eq!(packed(", -pack: zlib 9"), Ok(14));
}
