//! Where the stored bytes of chunks are: in the file, or each in a file of its own.

use super::blocks::make_room;
use super::chunk::{Chunk, Expected, judge_chunk};
use super::frame::Frame;
use super::index::Entry;
use super::rules;
use crate::finding::{Findings, bytes};
use crate::input::Input;
use crate::limits::Budget;
use crate::lz::SLACK;
use crate::{Finding, Limits, Reference, Result, Rule};
use ndbytes_schemas::Endian;
use std::ops::Range;
use std::path::Path;

/// How much of a chunk is read at once to see what it is.
const FIRST: u64 = 4 << 10;

/// A chunk that is stored somewhere.
pub struct StoredChunk<'a> {
    bytes: Bytes<'a>,
    /// Where the chunk begins.
    pub base: u64,
    /// The bytes that it can have.
    pub room: u64,
    /// Of its bytes, the first ones, as far as they were read to see what it is; none of what is in memory.
    first: Vec<u8>,
}

enum Bytes<'a> {
    /// A part of the frame's file.
    Frame(&'a Input<'a>),
    /// A file of its own.
    File(Box<Input<'static>>),
}

/// The chunk of an entry.
pub enum Located<'a> {
    /// It is stored.
    Stored(StoredChunk<'a>),
    /// Nothing is stored; its items are what the entry says.
    Special(Entry),
}

/// The file in the folder of a sparse frame that is not a chunk.
pub(crate) const FRAME_FILE: &str = "chunks.b2frame";

/// Whether a path leads to a folder that holds a sparse frame: that is opened as one file is.
pub fn is_sparse_frame(path: impl AsRef<Path>) -> bool {
    path.as_ref().join(FRAME_FILE).is_file()
}

/// The name of a chunk's file in the folder of a sparse frame.
pub fn file_name(number: u64) -> String {
    format!("{number:08X}.chunk")
}

/// Finds a chunk.
///
/// # Errors
/// Within: why there is none. Around it: [`Error::Io`](crate::Error::Io).
pub fn locate<'a>(input: &'a Input<'a>, frame: &Frame, chunk: u64) -> Result<Result<Located<'a>, Box<Finding>>> {
    let entry = frame.index.entry(chunk);
    let refuse_as = |rule: &'static Rule, reference, message: String| {
        let finding = Finding::new(rule, &format!("index.entries[{chunk}]"), frame.index_place.clone(), message);
        Ok(Err(Box::new(finding.with_reference(reference))))
    };
    let refuse = |rule: &'static Rule, message| refuse_as(rule, rule.reference, message);
    match entry {
        Entry::At(number) if frame.is_sparse() => {
            let (Ok(_), Some(folder)) = (u32::try_from(number), input.folder()) else {
                return refuse(&rules::INDEX_ENTRY, format!("chunk {chunk} is in file {number}, which cannot be"));
            };
            let name = file_name(number);
            match file(&folder.join(&name))? {
                Ok(file) => Ok(Ok(Located::Stored(file))),
                Err(why) => refuse(&rules::CHUNK_FILE, format!("the file {name} of chunk {chunk} {why}")),
            }
        }
        Entry::At(offset) => {
            let Some(place) = frame.chunk_place(offset) else {
                let all = frame.chunks_place();
                let room = bytes(all.end - all.start);
                let message = format!("chunk {chunk} begins at byte {offset} of the chunks, which have {room}");
                return refuse(&rules::INDEX_ENTRY, message);
            };
            Ok(Ok(Located::Stored(StoredChunk::within(input, place))))
        }
        Entry::Undefined(entry) => {
            // C-Blosc2 looks at three bits.
            let means_something = (entry as u64) >> 56 & 0x07 != 0;
            let reference = if means_something { Reference::Accepts } else { Reference::Refuses };
            let message = format!("the entry {entry:#x} of chunk {chunk} means nothing");
            refuse_as(&rules::INDEX_ENTRY, reference, message)
        }
        Entry::Nan if !matches!(frame.item_size(), 4 | 8) => {
            let message = format!("chunk {chunk} is NaN, but an item has {}", bytes(frame.item_size()));
            refuse(&rules::SPECIAL_VALUE, message)
        }
        special => Ok(Ok(Located::Special(special))),
    }
}

/// Opens the file of a chunk, or says what it is instead.
fn file<'a>(path: &Path) -> Result<Result<StoredChunk<'a>, &'static str>> {
    match path.metadata() {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Ok(Err("is not a file")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Err("is missing")),
        Err(error) => return Err(crate::Error::io(path, error)),
    }
    let input = Input::open(path, Limits::default())?;
    let room = input.length();
    Ok(Ok(StoredChunk { bytes: Bytes::File(Box::new(input)), base: 0, room, first: Vec::new() }))
}

impl<'a> StoredChunk<'a> {
    /// A chunk in a part of a file.
    pub fn within(input: &'a Input<'a>, place: Range<u64>) -> Self {
        StoredChunk { bytes: Bytes::Frame(input), base: place.start, room: place.end - place.start, first: Vec::new() }
    }

    /// The input that the chunk stands in.
    pub fn input(&self) -> &Input<'_> {
        match &self.bytes {
            Bytes::Frame(input) => input,
            Bytes::File(input) => input,
        }
    }

    /// The chunk's header, judged; findings have offsets in the file.
    pub fn chunk(
        &mut self,
        expected: Expected,
        number: u64,
        space: u32,
        findings: &mut Findings,
    ) -> Result<Option<Chunk>> {
        let length = self.room.min(FIRST);
        let mut found = Findings::default();
        let chunk = if self.input().is_in_memory() {
            let head = self.input().range(self.base..self.base + length)?;
            judge_chunk(head, self.room, expected, &mut found)
        } else {
            let mut first = vec![0; length as usize];
            self.input().read_at(&mut first, self.base)?;
            self.first = first;
            judge_chunk(&self.first, self.room, expected, &mut found)
        };
        for finding in found.into_vec() {
            // C-Blosc2 takes what is missing from a chunk's file for whatever lies in memory.
            let is_cut = matches!(self.bytes, Bytes::File(_)) && finding.rule == &rules::CHUNK_STORED_LENGTH;
            let reference = if is_cut { Reference::Accepts } else { finding.reference };
            findings.push(self.placed(finding, number, space).with_reference(reference));
        }
        if let (Some(chunk), Bytes::File(_)) = (&chunk, &self.bytes)
            && chunk.cbytes != self.room
        {
            let message = format!("the file has {} behind the chunk", bytes(self.room - chunk.cbytes));
            let finding = Finding::new(&rules::CHUNK_FILE, "cbytes", 0..0, message);
            let finding = finding.placed_in(&chunk.header, Endian::Little).with_reference(Reference::Accepts);
            findings.push(self.placed(finding, number, space));
        }
        Ok(chunk)
    }

    /// A finding in the chunk as one in the file.
    pub fn placed(&self, finding: Finding, number: u64, space: u32) -> Finding {
        finding.within(&format!("chunks[{number}]")).shifted(self.base).in_space(space)
    }

    /// Bytes of the chunk, and some behind them if there are any; copied to the buffer unless they are in memory.
    pub fn fetch<'s>(&'s self, range: Range<u64>, buffer: &'s mut Vec<u8>, budget: &Budget) -> Result<&'s [u8]> {
        let end = (range.end + SLACK as u64).min(self.room);
        if self.input().is_in_memory() {
            return self.input().range(self.base + range.start..self.base + end);
        }
        if range.end <= self.first.len() as u64 {
            return Ok(&self.first[range.start as usize..]);
        }
        self.load(range, buffer, budget)?;
        Ok(buffer)
    }

    /// Copies bytes of the chunk to a buffer, and some behind them if there are any.
    pub fn load(&self, range: Range<u64>, buffer: &mut Vec<u8>, budget: &Budget) -> Result<()> {
        let end = (range.end + SLACK as u64).min(self.room);
        make_room(buffer, (end - range.start) as usize, budget)?;
        self.input().read_at(buffer, self.base + range.start)
    }

    /// Whether fetching bytes costs nothing.
    pub fn is_at_hand(&self, chunk: &Chunk) -> bool {
        self.input().is_in_memory() || chunk.cbytes <= self.first.len() as u64
    }
}
