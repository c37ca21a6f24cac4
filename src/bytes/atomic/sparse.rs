//! Files in which runs of zeros take no space on disk.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

/// The unit in which most file systems store files.
const BLOCK: usize = 4096;
/// A block of zeros for comparison.
const ZEROS: [u8; BLOCK] = [0; BLOCK];

/// A new file. If a single call appends a complete block of zeros, the block is skipped, but still reads as zeros.
#[derive(Debug)]
pub struct SparseFile {
    file: File,
    position: u64,
    /// Its length, including skipped zeros.
    length: u64,
}

impl SparseFile {
    /// An empty file.
    pub fn new(file: File) -> Self {
        SparseFile { file, position: 0, length: 0 }
    }

    /// The file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Sets the final length if the file ends with skipped zeros.
    pub fn finish(self) -> io::Result<File> {
        self.file.set_len(self.length)?;
        Ok(self.file)
    }

    /// Moves the position past written or skipped bytes.
    fn advance(&mut self, bytes: usize) -> usize {
        self.position += bytes as u64;
        self.length = self.length.max(self.position);
        bytes
    }
}

impl Write for SparseFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A range that has already been written is not skipped, because it may contain other bytes.
        if self.position < self.length {
            let written = self.file.write(bytes)?;
            return Ok(self.advance(written));
        }
        let (end, is_skipped) = first_run(bytes, self.position);
        if is_skipped {
            self.file.seek(SeekFrom::Current(end as i64))?;
            return Ok(self.advance(end));
        }
        let written = self.file.write(&bytes[..end])?;
        Ok(self.advance(written))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Returns the length of the first run of bytes that are all skipped or all written, and whether they are skipped. Blocks are
/// counted from the file's first byte, and `bytes` begins at `position`.
fn first_run(bytes: &[u8], position: u64) -> (usize, bool) {
    let before = position.next_multiple_of(BLOCK as u64) - position;
    let (before, blocks) = bytes.split_at((before as usize).min(bytes.len()));
    let pieces = std::iter::once(before).filter(|before| !before.is_empty()).chain(blocks.chunks(BLOCK));
    let (mut end, mut run) = (0, None);
    for piece in pieces {
        let is_skipped = *piece == ZEROS[..piece.len()];
        if *run.get_or_insert(is_skipped) != is_skipped {
            break;
        }
        end += piece.len();
    }
    (end, run == Some(true))
}

impl Seek for SparseFile {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        // Skipped zeros at the end are not yet in the length that the system reports.
        let target = match target {
            SeekFrom::End(offset) => {
                let end = self.length.checked_add_signed(offset);
                SeekFrom::Start(end.ok_or(io::ErrorKind::InvalidInput)?)
            }
            target => target,
        };
        self.position = self.file.seek(target)?;
        Ok(self.position)
    }
}
