//! Inputs in the form that the Arrow and Parquet readers expect.
//!
//! Parquet's reader requests ranges that the file claims. They are compared with the length of the input before
//! anything is allocated. Parts are read, not mapped, so only the buffer takes memory; a member of an archive or a
//! stream works as well as a file.

use crate::error::{Error, Result};
#[cfg(feature = "parquet")]
use bytes::Bytes;
use ndbytes::Input;
#[cfg(feature = "parquet")]
use parquet::errors::{ParquetError, Result as ParquetResult};
#[cfg(feature = "parquet")]
use parquet::file::reader::{ChunkReader, Length};
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An input for the Arrow and Parquet readers: a file, a member of an archive, or the content of standard input.
///
/// ```
/// use ndbytes::{Input, Limits};
/// use ndbytes_arrow::InputReader;
/// use std::io::Read;
///
/// let input = Input::open("../../samples/surface.ra", Limits::default())?;
/// let mut reader = InputReader::new(input.into());
/// reader.read_exact(&mut [0; 8]).unwrap();
/// assert_eq!((reader.count(), reader.length()), (8, 160));
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// It is read piece by piece. Clones share the input and its counter, which a progress bar can show.
#[derive(Debug, Clone)]
pub struct InputReader {
    input: Arc<Input<'static>>,
    position: u64,
    read: Arc<AtomicU64>,
}

impl InputReader {
    /// Reads an input from its first byte.
    pub fn new(input: Arc<Input<'static>>) -> Self {
        InputReader { input, position: 0, read: Arc::default() }
    }

    /// Returns the number of bytes.
    pub fn length(&self) -> u64 {
        self.input.length()
    }

    /// Returns the bytes at an offset, which must exist.
    pub(crate) fn part(&self, start: u64, length: u64) -> Result<Vec<u8>> {
        let length = usize::try_from(length).map_err(|error| Error::Broken(error.to_string()))?;
        let mut bytes = crate::memory::room(length, "a part of the file")?;
        crate::memory::lengthen(&mut bytes, length);
        self.fill(&mut bytes, start)?;
        Ok(bytes)
    }

    /// Reads the bytes at an offset, which must exist.
    pub(crate) fn fill(&self, bytes: &mut [u8], start: u64) -> Result<()> {
        self.input.read_at(bytes, start)?;
        self.read.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Returns the number of bytes read so far.
    pub fn count(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}

impl Read for InputReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.input.length().saturating_sub(self.position);
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        self.input.read_at(&mut buffer[..length], self.position).map_err(io::Error::other)?;
        self.position += length as u64;
        self.read.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

impl Seek for InputReader {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        let position = match target {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(distance) => self.input.length().checked_add_signed(distance),
            SeekFrom::Current(distance) => self.position.checked_add_signed(distance),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

#[cfg(feature = "parquet")]
impl Length for InputReader {
    fn len(&self) -> u64 {
        self.input.length()
    }
}

#[cfg(feature = "parquet")]
impl ChunkReader for InputReader {
    type T = io::BufReader<InputReader>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(io::BufReader::new(InputReader { position: start, ..self.clone() }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        // A length that the file claims is checked against the file before anything is allocated.
        if start.checked_add(length as u64).is_none_or(|end| end > self.input.length()) {
            let length = self.input.length();
            return Err(ParquetError::EOF(format!("a part of the file ends after its {length} bytes")));
        }
        let mut bytes = vec![0; length];
        self.input.read_at(&mut bytes, start).map_err(|error| ParquetError::External(Box::new(error)))?;
        self.read.fetch_add(length as u64, Ordering::Relaxed);
        Ok(Bytes::from(bytes))
    }
}
