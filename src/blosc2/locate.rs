//! Locates a chunk by its entry in the index.

use super::chunk::stored::StoredChunk;
use super::frame::Frame;
use crate::blosc2::rules;
use crate::bytes::folder::Instead;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reference, Rule};
use crate::findings::words::bytes;
use ndbytes_schemas::blosc2::folder::chunk_file;
use ndbytes_schemas::blosc2::{IndexEntry, Special};

/// The chunk that an entry refers to.
pub enum Located<'a> {
    /// The chunk is stored.
    Stored(StoredChunk<'a>),
    /// The chunk is not stored: the entry states the value of its items.
    Special(Special),
}

/// Finds a chunk.
///
/// # Errors
/// Inner error: the reason why it cannot be found. Outer error: [`Error::Io`](crate::Error::Io).
pub fn locate<'a>(input: &'a Input<'a>, frame: &Frame, chunk: u64) -> Result<Result<Located<'a>, Box<Finding>>> {
    let entry = frame.index.entry(chunk);
    let refuse_as = |rule: &'static Rule, reference, message: String| {
        let finding = Finding::new(rule, &format!("index.entries[{chunk}]"), frame.index_place.clone(), message);
        Ok(Err(Box::new(finding.with_reference(reference))))
    };
    let refuse = |rule: &'static Rule, message| refuse_as(rule, rule.reference, message);
    match entry {
        IndexEntry::At(number) if frame.is_sparse() => {
            let (Ok(_), Some(folder)) = (u32::try_from(number), input.folder()) else {
                return refuse(&rules::INDEX_ENTRY, format!("chunk {chunk} is in file {number}, which cannot exist"));
            };
            let name = chunk_file(number);
            match Input::of_folder(folder, &name, Limits::default())? {
                // All chunks share the clock of the array. Memory is charged when a chunk is decoded.
                Ok(file) => Ok(Ok(Located::Stored(StoredChunk::alone(file.clocked_as(input))))),
                Err(instead) => {
                    refuse(rule_of(&instead), format!("the file {name} of chunk {chunk} {}", instead.words()))
                }
            }
        }
        IndexEntry::At(offset) => {
            let Some(place) = frame.chunk_place(offset) else {
                let all = frame.chunks_place();
                let room = bytes(all.end - all.start);
                let message = format!("chunk {chunk} begins at byte {offset} of the chunks, but these have {room}");
                return refuse(&rules::INDEX_ENTRY, message);
            };
            Ok(Ok(Located::Stored(StoredChunk::within(input, place))))
        }
        IndexEntry::Undefined(raw) => {
            // C-Blosc2 inspects only the bits of the special value.
            let means_something = entry.kind() != Special::NONE;
            let reference = if means_something { Reference::Accepts } else { Reference::Refuses };
            let message = format!("the entry {raw:#x} of chunk {chunk} is not defined");
            refuse_as(&rules::INDEX_ENTRY, reference, message)
        }
        IndexEntry::Special(Special::NAN) if !matches!(frame.item_size(), 4 | 8) => {
            let message = format!("chunk {chunk} is NaN, but an item has {}", bytes(frame.item_size()));
            refuse(&rules::SPECIAL_VALUE, message)
        }
        IndexEntry::Special(kind) => Ok(Ok(Located::Special(kind))),
    }
}

/// The rule that is violated by an entry in the directory that is not the expected file.
pub fn rule_of(instead: &Instead) -> &'static Rule {
    match instead {
        Instead::Link => &rules::LINKED_FILE,
        Instead::Nothing | Instead::NoFile => &rules::CHUNK_FILE,
    }
}
