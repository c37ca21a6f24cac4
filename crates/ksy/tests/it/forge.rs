//! Files mutated along their fields: lengths, counts and checksums follow.

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

/// A file of two packets.
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
