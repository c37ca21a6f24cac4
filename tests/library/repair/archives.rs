//! Zip archives without their directory.

use super::limits;
use ndbytes::Input;
use ndbytes::archive::Archive;
use ndbytes::repair::{Options, Repair, repair};
use ndbytes_testkit::zip::{Entry, STORED, zip};

const A: &[u8] = &[0, 0, 8, 1, 0, 0, 0, 2, 1, 2];
const B: &[u8] = &[0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9];

fn entries() -> [Entry; 2] {
    [Entry::new("a-idx1-ubyte", A, STORED), Entry::deflated("b-idx1-ubyte", B)]
}

fn repaired(bytes: &[u8]) -> Repair<'_> {
    repair(bytes, &Options::new().limits(limits())).unwrap()
}

/// The members of an archive, by name.
fn members(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let archive = Archive::read(Input::from_slice(bytes, limits()), limits()).unwrap();
    let load = |member| archive.load(member).unwrap().bytes().unwrap().to_vec();
    archive.members().iter().map(|member| (member.name().to_owned(), load(member))).collect()
}

/// The offset of the directory.
fn directory(bytes: &[u8]) -> usize {
    bytes.windows(4).position(|four| four == b"PK\x01\x02").unwrap()
}

#[test]
fn archive_without_its_directory_keeps_all_entries() {
    let whole = zip(&entries());
    for length in directory(&whole)..whole.len() {
        let repair = repaired(&whole[..length]);
        assert!(repair.is_sound(), "{length}: {:?}", repair.report);
        assert_eq!(repair.steps[0].rule.id, "zip/bad-directory");
        assert_eq!(repair.steps[0].done, "the directory is rebuilt from 2 entries");
        assert_eq!(members(repair.bytes()), members(&whole));
    }
}

#[test]
fn archive_that_is_cut_gives_up_the_cut_entry_by_name() {
    let whole = zip(&entries());
    let cut = &whole[..directory(&whole) - 1];
    let repair = repaired(cut);
    assert!(repair.is_sound());
    assert_eq!(members(repair.bytes()), [("a-idx1-ubyte".to_owned(), A.to_vec())]);
    let lost = "attributes and comments, which only the directory had; truncated or damaged entries: `b-idx1-ubyte`";
    assert_eq!(repair.steps[0].given_up.as_deref().map(|text| text.replace('"', "`")).as_deref(), Some(lost));
}

#[test]
fn entry_whose_bytes_are_damaged_is_given_up_and_the_next_is_kept() {
    let whole = zip(&entries());
    let mut cut = whole[..directory(&whole)].to_vec();
    let content = cut.windows(A.len()).position(|window| window == A).unwrap();
    cut[content + 9] ^= 1;
    let refused = repaired(&cut).refused.unwrap();
    assert!(refused.drops && refused.reason.ends_with("truncated or damaged entries: \"a-idx1-ubyte\""), "{refused:?}");
    let repair = repair(&cut, &Options::new().limits(limits()).dropping(true)).unwrap();
    assert!(repair.is_sound());
    assert_eq!(members(repair.bytes()), [("b-idx1-ubyte".to_owned(), B.to_vec())]);
}

#[test]
fn many_empty_entries_are_not_mended_and_take_linear_time() {
    let one = zip(&[Entry::new("x", b"", STORED)]);
    let one = &one[..directory(&one)];
    let many = one.repeat((20 << 20) / one.len());
    let repair = repaired(&many);
    assert!(repair.steps.is_empty() && !repair.is_sound());
}

#[test]
fn signatures_of_descriptors_in_stored_data_take_linear_time() {
    let mut header = zip(&[Entry::new("x", b"", STORED).but(|entry| entry.flags = 8)]);
    header.truncate(31);
    let many = [&header[..], &b"PK\x07\x08".repeat((8 << 20) / 4)].concat();
    let repair = repaired(&many);
    assert!(repair.steps.is_empty() && !repair.is_sound());
}

#[test]
fn damaged_entry_beside_a_whole_directory_is_dropped_on_request_alone() {
    let mut damaged = zip(&entries());
    let content = damaged.windows(A.len()).position(|window| window == A).unwrap();
    damaged[content + 9] ^= 1;
    let refused = repaired(&damaged).refused.unwrap();
    assert_eq!((refused.rule.id, refused.drops), ("zip/crc", true));
    let repair = repair(&damaged, &Options::new().limits(limits()).dropping(true)).unwrap();
    assert!(repair.is_sound());
    assert_eq!(members(repair.bytes()), [("b-idx1-ubyte".to_owned(), B.to_vec())]);
}

#[test]
fn entry_of_another_length_than_declared_is_dropped_on_request_alone() {
    let [_, whole] = entries();
    let damaged = zip(&[Entry::deflated("a-idx1-ubyte", A).but(|entry| entry.length += 1), whole]);
    let refused = repaired(&damaged).refused.unwrap();
    assert_eq!((refused.rule.id, refused.drops), ("zip/length", true));
    let repair = repair(&damaged, &Options::new().limits(limits()).dropping(true)).unwrap();
    assert!(repair.is_sound());
    assert_eq!(members(repair.bytes()), [("b-idx1-ubyte".to_owned(), B.to_vec())]);
}
