//! Writes back the structures of frames.

use crate::written_back::Space;
use ndbytes::everybyte::{self, Endian, Source};
use ndbytes::schemas::b2nd::{ArrayLayer, METALAYER, OLD_METALAYER};
use ndbytes::schemas::blosc2::{
    BlockTable, ChunkBody, ChunkContent, ChunkHeader, FrameKind, Header, Metalayers, Special, Stream, Trailer,
};
use std::ops::Range;

/// Asserts that the structures of a frame, each written back, result in the frame. If there may be other bytes among
/// its chunks, the chunks are skipped.
pub fn assert_written_back(bytes: &[u8], has_dead_chunks: bool, what: &dyn Fn() -> String) {
    let file = Space { bytes, what };
    let (header, header_end) = file.read::<Header>(Endian::Big, 0, ());
    assert_eq!(header_end, header.header_length.0 as u64, "{}", what());
    file.same(Endian::Big, 0..header_end, &header, &contents(&header.metalayers));
    for (entry, content) in header.metalayers.directory.entries.iter().zip(&header.metalayers.contents) {
        if [METALAYER, OLD_METALAYER].contains(&entry.name.bytes()) {
            let place = content.bytes.range();
            // Bytes after the layer are not part of it.
            let (layer, end) = file.read::<ArrayLayer>(Endian::Big, place.start, ());
            file.same(Endian::Big, place.start..end, &layer, &[]);
        }
    }
    let end = header.frame_length.0;
    let tail = &bytes[end as usize - 22..];
    let trailer_start = end - u64::from(u32::from_be_bytes(*tail.first_chunk().unwrap()));
    let (trailer, trailer_end) = file.read::<Trailer>(Endian::Big, trailer_start, ());
    assert_eq!(trailer_end, end, "{}", what());
    file.same(Endian::Big, trailer_start..end, &trailer, &contents(&trailer.attributes));
    for content in &trailer.attributes.contents {
        file.same_chunk(content.bytes.range());
    }
    if header.nbytes.0 > 0 {
        let is_sparse = header.frame_type.kind() == FrameKind::SPARSE;
        let chunks_end = header_end + if is_sparse { 0 } else { header.cbytes.0 as u64 };
        let mut at = if has_dead_chunks { chunks_end } else { header_end };
        while at < chunks_end {
            at = file.same_chunk(at..chunks_end);
        }
        file.same_chunk(chunks_end..trailer_start);
    }
}

/// The same, but for the file of a chunk.
pub fn assert_chunk_written_back(bytes: &[u8], what: &dyn Fn() -> String) {
    assert_eq!(Space { bytes, what }.same_chunk(0..bytes.len() as u64), bytes.len() as u64, "{}", what());
}

fn contents(layers: &Metalayers) -> Vec<Range<u64>> {
    layers.contents.iter().map(|content| content.bytes.range()).collect()
}

impl Space<'_> {
    /// The same, but for a chunk and all its streams. Returns the end of the chunk.
    fn same_chunk(&self, place: Range<u64>) -> u64 {
        const LITTLE: Endian = Endian::Little;
        let start = place.start;
        let (header, header_end) = self.read::<ChunkHeader>(LITTLE, start, ());
        self.same(LITTLE, start..header_end, &header, &[]);
        let end = start + header.cbytes as u64;
        let content = content(&header, end - header_end);
        let source = Source::new(self.bytes).until(end).at(header_end);
        let body = everybyte::read::<ChunkBody>(source, LITTLE, binrw::args! { content }).unwrap();
        let mut at = source;
        everybyte::trace::read_next::<ChunkBody>(&mut at, LITTLE, binrw::args! { content }).unwrap();
        let place = header_end..at.position();
        let regions: Vec<Range<u64>> = match &body {
            ChunkBody::Empty {} => return end,
            ChunkBody::Value { value } => vec![value.range()],
            ChunkBody::Stored { items } => vec![items.range()],
            ChunkBody::Blocks { table } => {
                self.same_blocks(&header, table, start..end);
                let dictionary = table.dictionary.as_ref().map(|dictionary| dictionary.bytes.range());
                dictionary.into_iter().chain([table.starts.range()]).collect()
            }
        };
        self.same(LITTLE, place, &body, &regions);
        end
    }

    fn same_blocks(&self, header: &ChunkHeader, table: &BlockTable, chunk: Range<u64>) {
        let starts = &self.bytes[table.starts.range().start as usize..table.starts.range().end as usize];
        for (number, start) in starts.as_chunks::<4>().0.iter().enumerate() {
            let at = chunk.start + i32::from_le_bytes(*start) as u64;
            let is_last = (number as i64 + 1) * i64::from(header.blocksize) > i64::from(header.nbytes);
            let is_short = is_last && header.blocksize < header.nbytes;
            let streams = if header.flags.not_split() || is_short { 1 } else { header.typesize };
            let mut source = Source::new(self.bytes).until(chunk.end).at(at);
            for _ in 0..streams {
                let start = source.position();
                let stream = everybyte::trace::read_next::<Stream>(&mut source, Endian::Little, ());
                let stream = stream.unwrap_or_else(|error| panic!("{}: {error}", (self.what)()));
                self.same(Endian::Little, start..source.position(), &stream, &[stream.data.range()]);
            }
        }
    }
}

/// The form of the content after a chunk's header.
fn content(header: &ChunkHeader, behind: u64) -> ChunkContent {
    let kind = header.extension.as_ref().map(|extension| extension.chunk_kind);
    match kind.map_or(Special::NONE, |kind| kind.special()) {
        Special::NONE if header.flags.stored() => ChunkContent::Stored(behind),
        Special::NONE if header.nbytes == 0 => ChunkContent::Empty,
        Special::NONE => {
            let count = (header.nbytes as u64).div_ceil(header.blocksize as u64);
            ChunkContent::Blocks { count, dictionary: kind.is_some_and(|kind| kind.dictionary()) }
        }
        Special::VALUE => ChunkContent::Value(behind),
        _ => ChunkContent::Empty,
    }
}
