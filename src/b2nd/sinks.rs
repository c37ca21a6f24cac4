//! Where frames are written to: a file, or the folder of a sparse frame.

use super::assemble::{Around, Chunks};
use super::index::Entry;
use super::store::{FRAME_FILE, file_name};
use crate::Result;
use crate::atomic::AtomicFolder;
use std::io::{Seek, SeekFrom, Write};

/// The lock of C-Blosc2, in the folder of a sparse frame.
const LOCK: &str = ".b2lock";

/// Chunks that follow each other.
struct InFrame<'w, W> {
    sink: &'w mut W,
    length: u64,
}

impl<W: Write + Send> Chunks for InFrame<'_, W> {
    fn put(&mut self, _: u64, chunk: &[u8]) -> Result<Entry> {
        self.sink.write_all(chunk)?;
        let entry = Entry::At(self.length);
        self.length += chunk.len() as u64;
        Ok(entry)
    }
}

/// Chunks that are files.
struct InFolder<'f>(&'f mut AtomicFolder);

impl Chunks for InFolder<'_> {
    fn put(&mut self, number: u64, chunk: &[u8]) -> Result<Entry> {
        self.0.put(&file_name(number), &[chunk])?;
        Ok(Entry::At(number))
    }
}

/// Writes a contiguous frame from the sink's first byte on. `bytes` are all items.
pub fn write_frame<W: Write + Seek + Send>(mut around: Around<'_>, bytes: &[u8], sink: &mut W) -> Result<()> {
    sink.seek(SeekFrom::Start(around.header_length()?))?;
    around.put_chunks(bytes, &mut InFrame { sink, length: 0 })?;
    let (header, index, trailer) = around.finish()?;
    sink.write_all(&index)?;
    sink.write_all(&trailer)?;
    // What it says is known only now.
    sink.seek(SeekFrom::Start(0))?;
    Ok(sink.write_all(&header)?)
}

/// Writes a sparse frame. `bytes` are all items.
pub fn write_folder(mut around: Around<'_>, bytes: &[u8], folder: &mut AtomicFolder) -> Result<()> {
    around.put_chunks(bytes, &mut InFolder(folder))?;
    let (header, index, trailer) = around.finish()?;
    folder.put(FRAME_FILE, &[&header, &index, &trailer])
}

/// Whether a file in a folder belongs to a sparse frame.
pub fn is_of_frame(name: &str) -> bool {
    let number = name.strip_suffix(".chunk").and_then(|number| u64::from_str_radix(number, 16).ok());
    name == FRAME_FILE || name == LOCK || number.is_some_and(|number| file_name(number) == name)
}
