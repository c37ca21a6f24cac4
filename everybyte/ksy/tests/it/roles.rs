//! Roles that involve more than a field next to the number: runs of elements, copies, indices, and numbers that others depend on.

use super::spec;
use everybyte::forge::{Choices, Mutation, Repair, Session, replay};
use everybyte::map::spans;
use everybyte::role::Role;
use everybyte_ksy::{Spec, SpecGrammar};

/// Members, a directory that repeats their numbers, and an end that states the directory's size, as in archives.
const ARCHIVE: &str = "
meta: {id: archive}
seq: [{id: parts, type: part, repeat: eos}]
types:
  part:
    seq:
      - {id: kind, type: u1, -role: steady}
      - {id: body, type: {switch-on: kind, cases: {1: member, 2: entry, 3: end}}}
  member:
    seq:
      - {id: head, type: head}
      - {id: body, size: head.len}
  head:
    seq:
      - {id: sum, type: u1, -role: sum8 of body}
      - {id: len, type: u1}
      - {id: len_name, type: u1}
      - {id: name, size: len_name}
  entry:
    seq:
      - {id: at, type: u1, -role: place of parts}
      - {id: sum, type: u1, -role: copy of parts.body.head.sum}
      - {id: len, type: u1, -role: copy of parts.body.head.len}
      - {id: len_name, type: u1}
      - {id: name, size: len_name, -role: copy of parts.body.head.name}
  end:
    seq:
      - {id: count, type: u1, -role: counts parts..}
      - {id: len, type: u1, -role: extent of parts..}
      - {id: at, type: u1, -role: place of parts}
";

/// The members `a` (hi) and `bc` (x), and their directory.
const FILE: &[u8] = b"\x01\xd1\x02\x01ahi\x01x\x01\x02bcx\x02\x00\xd1\x02\x01a\x02\x07x\x01\x02bc\x03\x02\x0d\x0e";

fn made(spec: &Spec, file: &[u8], recipe: &str) -> Vec<u8> {
    replay(&SpecGrammar::new(spec), file, &recipe.parse().unwrap()).unwrap()
}

#[test]
fn a_directory_follows_the_members_that_it_repeats() {
    let spec = spec(ARCHIVE);
    let longer = made(&spec, FILE, "splice parts[0].body.body[0..end] = \"!!!\"");
    assert_eq!(longer, b"\x01c\x03\x01a!!!\x01x\x01\x02bcx\x02\x00c\x03\x01a\x02\x08x\x01\x02bc\x03\x02\x0d\x0f");
    let renamed = made(&spec, FILE, "splice parts[1].body.head.name[2..end] = \"d\"");
    assert_eq!(
        renamed,
        b"\x01\xd1\x02\x01ahi\x01x\x01\x03bcdx\x02\x00\xd1\x02\x01a\x02\x07x\x01\x03bcd\x03\x02\x0e\x0f"
    );
}

#[test]
fn the_end_of_a_directory_counts_and_measures_the_entries_before_it() {
    let spec = spec(ARCHIVE);
    let fewer = made(&spec, FILE, "remove parts[3]");
    assert_eq!(&fewer[14..], b"\x02\x00\xd1\x02\x01a\x03\x01\x06\x0e");
    let more = made(&spec, FILE, "duplicate parts[3]");
    assert_eq!(more[more.len() - 4..], *b"\x03\x03\x14\x0e");
    // A member is not an entry.
    let other = made(&spec, FILE, "duplicate parts[1]");
    assert_eq!(other[other.len() - 4..], *b"\x03\x02\x0d\x15");
}

#[test]
fn mild_mutants_keep_an_archive_whole() {
    let spec = spec(ARCHIVE);
    let grammar = SpecGrammar::new(&spec);
    let mut session = Session::new(&grammar);
    let how = Mutation { repair: Repair::Everything, max_len: 200, ..Mutation::default() };
    let mut choices = Choices::seeded(11);
    for _ in 0..300 {
        let mutant = session.mutate(FILE, &how, &mut choices.fork());
        let [count, len, at] = mutant.bytes[mutant.bytes.len() - 3..] else { unreachable!("three numbers") };
        let end = mutant.bytes.len() - 4;
        let (mut place, mut found) = (usize::from(at), 0);
        while place < end {
            let [kind, at, sum, len, len_name] = mutant.bytes[place..place + 5] else { unreachable!("five numbers") };
            let head = &mutant.bytes[usize::from(at)..];
            assert_eq!((kind, head[0], &head[1..4]), (2, 1, &[sum, len, len_name][..]), "{}", mutant.recipe);
            let name = usize::from(len_name);
            assert_eq!(head[4..4 + name], mutant.bytes[place + 5..][..name], "{}", mutant.recipe);
            let body = &head[4 + name..][..usize::from(len)];
            assert_eq!(sum, body.iter().fold(0_u8, |sum, &byte| sum.wrapping_add(byte)), "{}", mutant.recipe);
            (place, found) = (place + 5 + name, found + 1);
        }
        assert_eq!((place, found), (end, usize::from(count)), "{}", mutant.recipe);
        assert_eq!(usize::from(len), end - usize::from(at), "{}", mutant.recipe);
    }
}

/// Returns the roles of a file's numbers, by their paths.
fn roles(text: &str, file: &[u8]) -> Vec<String> {
    let explained = spec(text).explain(file);
    let shown = |span: everybyte::map::Span<'_>| span.node.role().map(|role: &Role| format!("{}: {role}", span.path));
    spans(&explained.spaces).into_iter().filter_map(shown).collect()
}

#[test]
fn numbers_by_which_others_are_read_have_roles() {
    let text = "
meta: {id: wide}
seq:
  - {id: is_wide, type: u1}
  - {id: order, type: u1}
  - {id: table, type: table}
types:
  table:
    meta: {endian: {switch-on: _root.order, cases: {1: le, 2: be}}}
    seq:
      - {id: at, type: {switch-on: _root.is_wide, cases: {0: u2, 1: u4}}}
      - {id: each, type: u1}
      - {id: count, type: u1}
      - {id: chosen, type: u1}
    instances:
      rows: {pos: at, size: each, repeat: expr, repeat-expr: count}
      row: {value: 'rows[chosen]'}
";
    let wanted = [
        "is_wide: steady",
        "order: steady",
        "table.at: place of rows",
        "table.each: extent of rows[]",
        "table.count: counts rows",
        "table.chosen: index of rows",
    ];
    assert_eq!(roles(text, b"\x00\x01\x07\x00\x02\x02\x01abcd"), wanted);
}

#[test]
fn a_size_that_a_condition_bounds_is_a_length_where_it_agrees() {
    let text = "
meta: {id: bounded}
seq:
  - {id: most, type: u1}
  - {id: length, type: u1}
  - {id: body, size: 'length < most ? length : most'}
";
    let spec = spec(text);
    assert_eq!(made(&spec, b"\x09\x02hi", "splice body[2..end] = \"!\""), b"\x09\x03hi!");
    assert_eq!(made(&spec, b"\x02\x05hi", "splice body[2..end] = \"!\""), b"\x02\x05hi!");
}
