//! Operations on complete archives.

use super::super::grid::GROWTH;
use super::file_parts::{FileParts, put_together};
use super::take::take_apart;
use super::valid;
use everybyte::forge::Choices;

/// The size of an added member.
const ADDED: usize = 256;

/// The names of the operations.
pub(crate) static OPERATIONS: &[&str] = &[
    "add-member",
    "drop-member",
    "copy-member",
    "reorder",
    "rename",
    "store",
    "plain",
    "comment",
    "large",
    "signature",
];

/// Performs an operation; returns `None` if it does not apply to the file.
pub(crate) fn operate(operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
    let mut draft = take_apart(file)?;
    let count = draft.members.len();
    let number = choices.index(count);
    match operation {
        "add-member" => {
            let member = valid::member(choices, 10 + choices.clone().index(80), ADDED);
            draft.order.push(count);
            draft.members.push(member);
        }
        "drop-member" if count > 1 => {
            draft.members.remove(number);
            draft.order.retain(|other| *other != number);
            draft.order.iter_mut().filter(|other| **other > number).for_each(|other| *other -= 1);
        }
        "copy-member" => {
            let mut member = draft.members.get(number)?.clone();
            member.name = [b"copy-", &*member.name].concat();
            draft.order.insert(number.min(draft.order.len()), count);
            draft.members.push(member);
        }
        "reorder" if count > 1 => {
            let other = choices.index(count);
            if choices.one_in(2) { draft.order.swap(number, other) } else { draft.members.swap(number, other) }
        }
        "rename" => rename(&mut draft, number, choices)?,
        "store" => valid::vary(draft.members.get_mut(number)?, choices),
        "plain" => {
            let member = draft.members.get_mut(number)?;
            *member = super::file_parts::Member::stored(member.name.clone(), member.content.clone());
        }
        "comment" => {
            let length = choices.below(20) as usize;
            draft.comment = vec![b'c'; length];
        }
        "large" => draft.large = if draft.large.is_some() { None } else { Some(choices.one_in(2)) },
        "signature" => {
            let length = choices.below(12) as usize;
            draft.signature = Some(choices.bytes(length));
        }
        _ => return None,
    }
    let made = put_together(&draft);
    (made.len() as u64 <= file.len() as u64 + GROWTH).then_some(made)
}

/// Moves a member into a directory, or changes a character of its name.
fn rename(draft: &mut FileParts, number: usize, choices: &mut Choices<'_>) -> Option<()> {
    let name = &mut draft.members.get_mut(number)?.name;
    match choices.below(3) {
        0 => *name = [b"folder/", &**name].concat(),
        1 => name.insert(0, choices.from_to(b'a'.into(), b'z'.into()) as u8),
        _ => *name = [b"x", &**name].concat(),
    }
    Some(())
}
