//! Complete valid zip archives.

use super::super::deflate::deflated;
use super::super::forged_file::{Content, ForgedFile};
use super::super::{contained, npy};
use super::file_parts::{DEFLATED, Descriptor, FileParts, Member, UTF8, put_together};
use everybyte::forge::Choices;

/// The maximum number of members after the first one.
const MEMBERS: u64 = 4;

/// Creates the name and the content of a member. The first one is in a known format.
fn file(choices: &mut Choices<'_>, number: usize, size: usize) -> (String, Vec<u8>) {
    let folder = *choices.pick(&["", "data/", "a/b/"]);
    match if number == 0 { 2 } else { choices.below(5) } {
        0 => (format!("{folder}{number}.txt"), b"Nothing that is read.\n".repeat(choices.index(4))),
        1 => (format!("folder {number}/"), Vec::new()),
        _ => {
            let (extension, whole) = contained::any(choices, size);
            (format!("{folder}{number}.{extension}"), whole.bytes)
        }
    }
}

/// Creates an array for an `.npz`, with NumPy's name for unnamed arrays.
fn array(choices: &mut Choices<'_>, number: usize, size: usize) -> (String, Vec<u8>) {
    (format!("arr_{number}.{}", npy::DRIVER.extension()), (npy::DRIVER.valid)(choices, size).bytes)
}

/// Creates a member, stored in one of the ways that cause no warning.
pub(crate) fn member(choices: &mut Choices<'_>, number: usize, size: usize) -> Member {
    let content = file(choices, number, size);
    member_of(choices, content)
}

fn member_of(choices: &mut Choices<'_>, (name, content): (String, Vec<u8>)) -> Member {
    let mut member = Member::stored(name, content);
    if choices.one_in(8) {
        member.name = ["ä-".as_bytes(), &*member.name].concat();
        member.flags |= UTF8;
    }
    vary(&mut member, choices);
    member
}

/// Stores a member in another way.
pub(crate) fn vary(member: &mut Member, choices: &mut Choices<'_>) {
    if choices.one_in(2) {
        member.method = DEFLATED;
        member.packed = deflated(choices, &member.content);
        member.flags = member.flags & !6 | *choices.pick(&[0, 2, 4, 6]);
    }
    if choices.one_in(4) {
        let is_large = choices.one_in(4);
        let descriptor = Descriptor { is_signed: !choices.one_in(4), is_large, is_repeated: choices.one_in(3) };
        member.descriptor = Some(descriptor);
        // An entry with the ZIP64 extra field has 64-bit sizes in its descriptor.
        member.large[0] = is_large;
    }
    if choices.one_in(2) {
        member.changed = [choices.any() as u16, choices.any() as u16];
        member.made_by = *choices.pick(&[20, 3 << 8 | 30, 10 << 8 | 45]);
        member.external = *choices.pick(&[0, 0o100_644 << 16, 0x20]);
        member.internal = choices.below(2) as u16;
    }
    if choices.one_in(4) {
        // The timestamp field: its flags, and the time of the last change.
        let times = [&[0x55, 0x54, 5, 0, 1][..], &(choices.any() as u32).to_le_bytes()].concat();
        member.extra = [times.clone(), times];
    }
    if choices.one_in(8) {
        member.comment = b"a comment".to_vec();
    }
    if choices.one_in(6) {
        member.large[1] = true;
        member.large[2] = choices.one_in(2);
    }
}

/// Creates a draft of a valid archive of at most about `size` bytes.
pub(crate) fn draft(choices: &mut Choices<'_>, size: usize) -> FileParts {
    let count = 1 + choices.small(MEMBERS) as usize;
    let most = if choices.one_in(8) { 1024 } else { 64 };
    let share = (size / count).saturating_sub(256).min(most);
    let file = if choices.one_in(4) { array } else { file };
    let member = |number: usize| {
        let content = file(choices, number, share);
        member_of(choices, content)
    };
    let members: Vec<_> = (0..count).map(member).collect();
    let mut order: Vec<usize> = (0..count).collect();
    if choices.one_in(4) {
        let other = choices.index(count);
        order.swap(0, other);
    }
    FileParts {
        members,
        order,
        comment: if choices.one_in(4) { b"the archive's comment".to_vec() } else { Vec::new() },
        // Python's `zipfile` and `unzip` refuse an archive with a signed directory.
        signature: None,
        large: choices.one_in(6).then(|| choices.one_in(2)),
    }
}

/// Returns the content of an archive, in the order of its directory.
pub(crate) fn content(draft: &FileParts) -> Content {
    let member = |number: &usize| {
        let member = draft.members.get(*number)?;
        Some((String::from_utf8_lossy(&member.name).into_owned(), member.content.clone()))
    };
    Content::Members(draft.order.iter().filter_map(member).collect())
}

/// Creates a valid archive.
pub(crate) fn whole(choices: &mut Choices<'_>, size: usize) -> ForgedFile {
    let draft = draft(choices, size);
    ForgedFile::new(put_together(&draft), content(&draft))
}
