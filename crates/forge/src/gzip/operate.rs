//! Operations on whole gzip files.

use super::super::contained::driver_of;
use super::super::deflate::{deflated, plainly_deflated};
use super::file_parts::{FileParts, put_together, take_apart};
use super::valid::{header, members};
use everybyte::forge::Choices;

/// The names of the operations: on the gzip file, and on the array inside.
pub(crate) static OPERATIONS: &[&str] = &[
    "split",
    "join",
    "header",
    "coding",
    "empty-member",
    "resize",
    "reshape",
    "swap-axes",
    "add-axis",
    "remove-axis",
    "empty",
    "elements",
    "element-type",
];

/// Performs an operation; returns `None` if it does not apply to the file.
pub(crate) fn operate(operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
    let mut draft = take_apart(file)?;
    let member = choices.index(draft.members.len());
    match operation {
        "split" => {
            let content = draft.members.get(member)?.content.clone();
            let parts = members(choices, &content).members;
            draft.members.splice(member..=member, parts);
        }
        "join" if draft.members.len() > 1 => {
            let content = content(&draft);
            draft.members.truncate(1);
            draft.members.first_mut()?.set(content);
        }
        "header" => draft.members.get_mut(member)?.header = header(choices),
        "coding" => {
            let member = draft.members.get_mut(member)?;
            member.stream = deflated(choices, &member.content);
        }
        "empty-member" => {
            let mut empty = draft.members.get(member)?.clone();
            empty.content = Vec::new();
            empty.stream = plainly_deflated(&[]);
            draft.members.insert(member, empty);
        }
        operation => {
            let content = content(&draft);
            let inner = (driver_of(&content)?.operate)(operation, &content, choices)?;
            let [first, ..] = &mut draft.members[..] else { return None };
            first.set(inner);
            draft.members.truncate(1);
        }
    }
    put_together(&draft)
}

/// Returns the inflated bytes of all members.
pub(crate) fn content(draft: &FileParts) -> Vec<u8> {
    draft.members.iter().flat_map(|member| &member.content).copied().collect()
}

/// Adjusts the file inside `after` to a change of one of its fields. The result has one member.
pub(crate) fn agree(before: &[u8], after: &[u8], fact: &str) -> Option<Vec<u8>> {
    let (old, mut draft) = (take_apart(before)?, take_apart(after)?);
    let (old, new) = (content(&old), content(&draft));
    let fact = fact.rsplit_once('!').map_or(fact, |(_, inside)| inside);
    let inner = (driver_of(&new)?.agree)(&old, &new, fact)?;
    draft.members.first_mut()?.set(inner);
    draft.members.truncate(1);
    put_together(&draft)
}
