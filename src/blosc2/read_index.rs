//! Reads and checks the index of a frame, which is a chunk that contains the positions of all chunks.

use super::chunk::header::{Chunk, Content, Expected, LONGEST_HEADER, header_nodes as chunk_nodes};
use super::chunk::judge::judge_chunk;
use super::chunk::loader::ChargedLoader;
use super::chunk::stored::StoredChunk;
use super::frame::{Frame, MOST_CHUNKS};
use super::index::Index;
use super::read_frame::Reader;
use crate::blosc2::rules;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::findings::words::bytes;
use ndbytes_schemas::blosc2::IndexEntry;
use std::ops::Range;

/// The length of an entry in bytes.
const EACH: u64 = IndexEntry::LENGTH as u64;

impl Reader<'_> {
    /// Reads and checks the index of a frame that has chunks.
    pub fn index(&mut self, frame: &Frame) -> Result<Option<(Chunk, Index)>> {
        let place = &frame.index_place;
        let Some(count) = self.chunk_count(frame) else { return Ok(None) };
        let Some(chunk) = self.index_chunk(place, count)? else { return Ok(None) };
        match self.index_entries(&chunk, place, count)? {
            Ok(index) => Ok(Some((chunk, index))),
            Err(finding) => {
                self.findings.push(of_index(*finding, place.start));
                Ok(None)
            }
        }
    }

    /// The number of chunks, if the frame has room for them.
    fn chunk_count(&mut self, frame: &Frame) -> Option<u64> {
        let header = &frame.header;
        if !frame.is_sparse() && header.cbytes.0 as u64 > frame.trailer_place.start - frame.header_length {
            let message = format!("{} of chunks do not fit between header and trailer", bytes(header.cbytes.0 as u64));
            self.say(&rules::INDEX_PLACE, "cbytes", message);
            return None;
        }
        let count = (header.nbytes.0 as u64).div_ceil(header.chunksize.0 as u64);
        if count > MOST_CHUNKS {
            let message = format!("the frame has {count} chunks, but at most {MOST_CHUNKS} are possible");
            self.say(&rules::CHUNK_COUNT, "nbytes", message);
            return None;
        }
        Some(count)
    }

    /// Reads and checks the header of the index chunk.
    fn index_chunk(&mut self, place: &Range<u64>, count: u64) -> Result<Option<Chunk>> {
        let room = place.end - place.start;
        let mut found = Findings::default();
        let mut head = vec![0; room.min(LONGEST_HEADER) as usize];
        self.input.read_at(&mut head, place.start)?;
        let expected = Expected { nbytes: Some(EACH * count), item_size: Some(EACH), ..Expected::default() };
        let chunk = judge_chunk(&head, room, expected, &mut found);
        if let Some(chunk) = &chunk
            && chunk.cbytes != room
        {
            let message = format!("the index takes {}, but there are {room} up to the trailer", bytes(chunk.cbytes));
            let finding = Finding::new(&rules::INDEX_PLACE, "cbytes", 0..0, message);
            found.push(finding.placed_by(&chunk_nodes(&head)).with_reference(Reference::Accepts));
        }
        self.findings.extend(found.into_vec().into_iter().map(|finding| of_index(finding, place.start)));
        Ok(chunk)
    }

    /// Decodes the entries of the index. The inner error is the finding that prevents decoding.
    fn index_entries(&self, chunk: &Chunk, place: &Range<u64>, count: u64) -> Result<Result<Index, Box<Finding>>> {
        Ok(match chunk.content {
            Content::Zeros | Content::Uninitialised => Ok(Index::same(IndexEntry::At(0), count)),
            Content::Value(EACH) => {
                let mut entry = [0; IndexEntry::LENGTH];
                self.input.read_at(&mut entry, place.start + chunk.header_length)?;
                Ok(Index::same(IndexEntry::from_bytes(entry), count))
            }
            _ => {
                let stored = StoredChunk::within(self.input, place.clone());
                let budget = self.input.budget();
                ChargedLoader::new(budget).whole(chunk, &stored, budget)?.map(Index::listed)
            }
        })
    }
}

/// Converts a finding about the chunk that contains the index and begins at `start`.
fn of_index(finding: Finding, start: u64) -> Finding {
    // These findings are harmless in a chunk of items. Whether they keep C-Blosc2 from reading the index depends on its content.
    let reference = match finding.rule {
        rule if rule == &rules::CHUNK_LENGTH => Reference::Refuses,
        rule if rule == &rules::CHUNK_ITEM_SIZE => Reference::Unforeseen,
        rule if rule == &rules::CHUNK_STORED_LENGTH && finding.reference == Reference::Accepts => Reference::Unforeseen,
        _ => finding.reference,
    };
    finding.with_reference(reference).within("index").shifted(start)
}
