//! Breakers of the rules of zip archives.

use super::super::deflate::plainly_deflated;
use super::super::forged_file::ForgedFile;
use super::super::kind_driver::Breaker;
use super::super::{b2nd, idx, npy};
use super::file_parts::{DEFLATED, Descriptor, FileParts, Member, put_together};
use everybyte::forge::Choices;

/// The size of the members in the archives that breakers start from.
const SIZE: usize = 256;

/// A method that is not supported: bzip2.
const BZIP2: u16 = 12;

/// The flag of encrypted data.
const ENCRYPTED: u16 = 1;

/// The breakers.
pub(crate) static BREAKERS: &[Breaker] = &[
    Breaker::new("zip/bad-directory", pair, "repair nothing\nset end.entries = 9"),
    Breaker::new("zip/too-many-entries", large, "repair nothing\nset zip64_end.entries = 70000"),
    Breaker::new("zip/bad-entry", pair, "repair nothing\nsplice members[0].name[0..1] = \"Z\""),
    Breaker::new("zip/overlap", pair, "repair nothing\nset directory[0].compressed_size = 60000"),
    Breaker::new("zip/encrypted", encrypted, ""),
    Breaker::new("zip/method", other_method, ""),
    Breaker::new("zip/corrupt-stream", corrupt, ""),
    Breaker::new(
        "zip/length",
        pair,
        "repair nothing\nset members[0].uncompressed_size = 77777\nset directory[0].uncompressed_size = 77777",
    ),
    Breaker::new("zip/crc", pair, "repair nothing\nset members[0].crc32 = 1\nset directory[0].crc32 = 1"),
    Breaker::new("zip/duplicate-name", twins, ""),
    Breaker::new("zip/header-mismatch", pair, "repair nothing\nset members[0].crc32 = 1"),
    Breaker::new("zip/data-descriptor", described, "repair nothing\nset members[0].descriptor.crc32 = 1"),
    Breaker::new("zip/unclaimed-bytes", deleted, ""),
    Breaker::new("zip/trailing-bytes", pair, "repair nothing\nappend x\"00\""),
    Breaker::new("zip/version-needed", pair, "repair nothing\nset directory[0].version_needed = 99"),
    Breaker::new("zip/directory-size", pair, "repair nothing\nset end.directory_size = 1"),
    Breaker::new("zip/directory-signature", signed, ""),
    Breaker::new("zip/store", packed_store, ""),
    Breaker::new("zip/multi-disk", pair, "repair nothing\nset end.disk = 1"),
    Breaker::new("zip/zip64", pair, "repair nothing\nset directory[0].disk = 0xffff"),
    Breaker::new("zip/extra-field", half_a_field, ""),
    Breaker::new("zip/unsafe-name", unsafe_name, ""),
    Breaker::new("zip/name-encoding", latin_name, ""),
    // The same, but for existing files.
    Breaker::new(
        "zip/encrypted",
        pair,
        "splice members[0].name[0..end] = \"Schema\"\nsplice directory[0].name[0..end] = \"Schema\"\n\
         repair nothing\nset members[0].flags = 1\nset directory[0].flags = 1",
    ),
    Breaker::new(
        "zip/method",
        pair,
        "splice members[0].name[0..end] = \"Schema\"\nsplice directory[0].name[0..end] = \"Schema\"\n\
         repair nothing\nset members[0].method = 12\nset directory[0].method = 12",
    ),
    Breaker::new("zip/data-descriptor", described, "repair nothing\nset members[?].descriptor.crc32 = 1"),
    Breaker::new(
        "zip/duplicate-name",
        pair,
        "copy members[0].name to members[1].name\ncopy directory[0].name to directory[1].name",
    ),
    Breaker::new(
        "zip/unsafe-name",
        pair,
        "splice members[0].name[0..1] = \"/\"\nsplice directory[0].name[0..1] = \"/\"",
    ),
    Breaker::new(
        "zip/name-encoding",
        pair,
        "splice members[0].name[0..1] = x\"e9\"\nsplice directory[0].name[0..1] = x\"e9\"",
    ),
];

/// Creates an archive of two stored arrays.
fn draft(choices: &mut Choices<'_>) -> FileParts {
    let first = Member::stored("0.npy", npy::valid::whole(choices, SIZE).bytes);
    let second = Member::stored("1.idx", idx::valid::whole(choices, SIZE).bytes);
    FileParts { members: vec![first, second], order: vec![0, 1], comment: Vec::new(), signature: None, large: None }
}

/// Creates the archive with a changed first member.
fn changed(choices: &mut Choices<'_>, change: impl FnOnce(&mut Member)) -> Option<ForgedFile> {
    let mut draft = draft(choices);
    change(draft.members.first_mut()?);
    made(&draft)
}

fn made(draft: &FileParts) -> Option<ForgedFile> {
    Some(ForgedFile::unknown(put_together(draft)))
}

fn pair(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    made(&draft(choices))
}

fn large(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    made(&FileParts { large: Some(true), ..draft(choices) })
}

/// Adds a member with a name that a program reserves. It counts even if it cannot be opened.
fn reserved(choices: &mut Choices<'_>, change: impl FnOnce(&mut Member)) -> Option<ForgedFile> {
    let length = choices.from_to(20, 100) as usize;
    let bytes = choices.bytes(length);
    changed(choices, |member| {
        *member = Member::stored("0.b2nd", bytes);
        change(member);
    })
}

fn encrypted(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    reserved(choices, |member| member.flags |= ENCRYPTED)
}

fn other_method(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    reserved(choices, |member| member.method = BZIP2)
}

/// Makes the first block have an undefined type.
fn corrupt(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |member| {
        member.method = DEFLATED;
        member.packed = plainly_deflated(&member.content);
        member.packed.iter_mut().take(1).for_each(|byte| *byte |= 6);
    })
}

fn twins(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |member| member.name = b"1.idx".to_vec())
}

fn described(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let descriptor = Descriptor { is_signed: choices.one_in(2), is_large: false, is_repeated: choices.one_in(2) };
    changed(choices, |member| member.descriptor = Some(descriptor))
}

/// Creates an archive of arrays that NumPy can read, with a signature after the directory.
fn signed(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let array = Member::stored("0.npy", npy::valid::whole(choices, SIZE).bytes);
    let length = choices.from_to(0, 40) as usize;
    let signature = Some(choices.bytes(length));
    made(&FileParts { members: vec![array], order: vec![0], signature, ..draft(choices) })
}

/// Creates a store whose small leaves are compressed.
fn packed_store(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let frame = std::iter::repeat_with(|| b2nd::valid::valid(choices, SIZE)).find(|frame| frame.others.is_empty())?;
    let mut leaves = Member::stored("embed.b2e", frame.bytes);
    leaves.method = DEFLATED;
    leaves.packed = plainly_deflated(&leaves.content);
    made(&FileParts { members: vec![leaves], order: vec![0], ..draft(choices) })
}

/// Removes a member from the directory only.
fn deleted(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let order = vec![choices.index(2)];
    made(&FileParts { order, ..draft(choices) })
}

fn half_a_field(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let length = choices.from_to(1, 3) as usize;
    let bytes = choices.bytes(length);
    let which = choices.index(2);
    changed(choices, |member| member.extra[which] = bytes)
}

fn unsafe_name(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let name = *choices.pick(&["../0.npy", "/0.npy", "c:0.npy", "a/../../0.npy", "\\0.npy"]);
    changed(choices, |member| member.name = name.into())
}

fn latin_name(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let letter = choices.from_to(0xC0, 0xFF) as u8;
    changed(choices, |member| member.name = vec![letter, b'.', b'n', b'p', b'y'])
}
