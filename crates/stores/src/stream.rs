//! A file of a store from its first to its last byte.

use crate::options;
use crate::source::{StoreSource, open};
use ndbytes::{Limits, ReadRanges};
use std::io::{self, Cursor, Read};

/// The maximum number of bytes that are requested at once.
const STEP: u64 = 1 << 20;

struct StoreReader {
    source: StoreSource,
    length: u64,
    at: u64,
    part: Cursor<Vec<u8>>,
}

/// The bytes at an URL, with the options of the process.
///
/// # Errors
/// As for [`open`]; if the file is not there.
pub fn reader(url: &str, limits: Limits) -> io::Result<Box<dyn Read>> {
    let source = open(url, options::current(), limits)?;
    let length = source.length()?;
    Ok(Box::new(StoreReader { source, length, at: 0, part: Cursor::default() }))
}

impl Read for StoreReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.part.position() == self.part.get_ref().len() as u64 && self.at < self.length {
            let end = self.length.min(self.at.saturating_add(STEP));
            let [part] = <[_; 1]>::try_from(self.source.read_ranges(std::slice::from_ref(&(self.at..end)))?)
                .map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
            (self.at, self.part) = (end, Cursor::new(part));
        }
        self.part.read(buffer)
    }
}
