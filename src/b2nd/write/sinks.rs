//! Outputs for frames: a file, or the directory of a sparse frame.

use super::frame::{Around, Chunks};
use super::plan::Plan;
use super::slabs::{Slabs, within};
use crate::bytes::atomic::{AtomicFolder, Names};
use crate::bytes::memory;
use crate::error::{Error, Result};
use ndbytes_schemas::blosc2::IndexEntry;
use ndbytes_schemas::blosc2::folder::{FRAME_FILE, chunk_file, chunk_number};
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

/// The lock file of C-Blosc2, in the directory of a sparse frame.
const LOCK: &str = ".b2lock";

/// Stores chunks in a contiguous frame.
struct InFrame<'w, W> {
    sink: &'w mut W,
    length: u64,
}

impl<W: Write + Send> Chunks for InFrame<'_, W> {
    fn put(&mut self, _: u64, chunk: &[u8]) -> Result<IndexEntry> {
        self.sink.write_all(chunk)?;
        let entry = IndexEntry::At(self.length);
        self.length += chunk.len() as u64;
        Ok(entry)
    }
}

/// Stores each chunk as a file.
struct InFolder<'f>(&'f mut AtomicFolder);

impl Chunks for InFolder<'_> {
    fn put(&mut self, number: u64, chunk: &[u8]) -> Result<IndexEntry> {
        self.0.put(&chunk_file(number), &[chunk])?;
        Ok(IndexEntry::At(number))
    }
}

/// The items of an array.
pub enum Source<'s> {
    /// All of the items.
    Bytes(&'s [u8]),
    /// A function that fills a buffer with the items of a box.
    Boxes(&'s mut ReadBox<'s>),
}

/// Fills a buffer with the items of a box of an array, with the last axis varying fastest.
pub type ReadBox<'s> = dyn FnMut(&[Range<usize>], &mut [u8]) -> Result<()> + 's;

impl Source<'_> {
    /// Stores all chunks, either from bytes in memory or, box by box, from a callback.
    fn put_chunks(self, plan: &Plan, around: &mut Around<'_>, chunks: &mut impl Chunks) -> Result<()> {
        let read = match self {
            Source::Bytes(bytes) => return around.put_chunks(&plan.geometry, bytes, chunks),
            Source::Boxes(read) => read,
        };
        let (item_size, mut bytes) = (plan.recipe.filters.item_size() as u64, Vec::new());
        for ranges in Slabs::new(&plan.geometry, item_size) {
            let slab = within(&plan.geometry, &ranges);
            let needed = slab.items * item_size;
            if !usize::try_from(needed).is_ok_and(|length| memory::set_length(&mut bytes, length)) {
                return Err(Error::Limit { what: "the items of a chunk", needed, left: 0 });
            }
            let places: Vec<Range<usize>> =
                ranges.iter().map(|range| range.start as usize..range.end as usize).collect();
            read(&places, &mut bytes)?;
            around.put_chunks(&slab, &bytes, chunks)?;
        }
        Ok(())
    }
}

/// Writes a contiguous frame, starting at the first byte of the sink.
pub fn write_frame<W: Write + Seek + Send>(
    plan: &Plan,
    mut around: Around<'_>,
    items: Source<'_>,
    sink: &mut W,
) -> Result<()> {
    sink.seek(SeekFrom::Start(around.header_length()?))?;
    items.put_chunks(plan, &mut around, &mut InFrame { sink, length: 0 })?;
    let (header, index, trailer) = around.finish()?;
    sink.write_all(&index)?;
    sink.write_all(&trailer)?;
    // Only now is the content of the header known.
    sink.seek(SeekFrom::Start(0))?;
    Ok(sink.write_all(&header)?)
}

/// Writes a sparse frame.
pub fn write_folder(plan: &Plan, mut around: Around<'_>, items: Source<'_>, folder: &mut AtomicFolder) -> Result<()> {
    items.put_chunks(plan, &mut around, &mut InFolder(folder))?;
    let (header, index, trailer) = around.finish()?;
    folder.put(FRAME_FILE, &[&header, &index, &trailer])
}

/// The files of a sparse frame.
pub const FRAME_NAMES: Names = Names { main: FRAME_FILE, is_one: is_of_frame };

/// Returns whether a file in a directory belongs to a sparse frame.
fn is_of_frame(_: &Path, name: &str) -> bool {
    name == FRAME_FILE || name == LOCK || chunk_number(name).is_some()
}
