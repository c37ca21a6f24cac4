//! The targets of frames: a file, or the folder of a sparse frame.

use super::frame::{Around, Chunks};
use crate::bytes::atomic::{AtomicFolder, Names};
use crate::error::Result;
use ndbytes_schemas::blosc2::IndexEntry;
use ndbytes_schemas::blosc2::folder::{FRAME_FILE, chunk_file, chunk_number};
use std::io::{Seek, SeekFrom, Write};

/// The lock of C-Blosc2, in the folder of a sparse frame.
const LOCK: &str = ".b2lock";

/// Chunks that follow each other.
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

/// Chunks that are files.
struct InFolder<'f>(&'f mut AtomicFolder);

impl Chunks for InFolder<'_> {
    fn put(&mut self, number: u64, chunk: &[u8]) -> Result<IndexEntry> {
        self.0.put(&chunk_file(number), &[chunk])?;
        Ok(IndexEntry::At(number))
    }
}

/// Writes a contiguous frame from the sink's first byte on. `bytes` are all items.
pub fn write_frame<W: Write + Seek + Send>(mut around: Around<'_>, bytes: &[u8], sink: &mut W) -> Result<()> {
    sink.seek(SeekFrom::Start(around.header_length()?))?;
    around.put_chunks(bytes, &mut InFrame { sink, length: 0 })?;
    let (header, index, trailer) = around.finish()?;
    sink.write_all(&index)?;
    sink.write_all(&trailer)?;
    // The content of the header is known only now.
    sink.seek(SeekFrom::Start(0))?;
    Ok(sink.write_all(&header)?)
}

/// Writes a sparse frame. `bytes` are all items.
pub fn write_folder(mut around: Around<'_>, bytes: &[u8], folder: &mut AtomicFolder) -> Result<()> {
    around.put_chunks(bytes, &mut InFolder(folder))?;
    let (header, index, trailer) = around.finish()?;
    folder.put(FRAME_FILE, &[&header, &index, &trailer])
}

/// The files of a sparse frame.
pub const FRAME_NAMES: Names = Names { main: FRAME_FILE, is_one: is_of_frame };

/// Returns whether a file in a folder belongs to a sparse frame.
fn is_of_frame(name: &str) -> bool {
    name == FRAME_FILE || name == LOCK || chunk_number(name).is_some()
}
