//! A file with a computed payload, and a sink for a header.

use super::pattern;
use arbitrary::Arbitrary;
use ndbytes::ReadRanges;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A fault of a source, which starts at one of its requests.
#[derive(Debug, Clone, Copy, Arbitrary)]
pub enum Fault {
    Fails,
    GivesLess,
}

/// A header and a computed payload.
#[derive(Debug, Clone)]
pub struct Computed {
    head: Arc<[u8]>,
    payload: u64,
    requests: Arc<AtomicU64>,
    fault: Option<(u64, Fault)>,
}

impl Computed {
    pub fn new(head: Vec<u8>, payload: u64) -> Self {
        Computed { head: head.into(), payload, requests: Arc::default(), fault: None }
    }

    /// The same file, whose requests fail after the first `after`.
    pub fn with_fault(self, after: u64, fault: Fault) -> Self {
        Computed { requests: Arc::default(), fault: Some((after, fault)), ..self }
    }

    /// The number of bytes after the header.
    pub fn payload(&self) -> u64 {
        self.payload
    }

    /// All bytes.
    pub fn whole(&self) -> Vec<u8> {
        self.range(&(0..self.head.len() as u64 + self.payload))
    }

    fn range(&self, range: &Range<u64>) -> Vec<u8> {
        let head = self.head.len() as u64;
        let mut bytes = vec![0; (range.end - range.start) as usize];
        let (in_head, rest) = bytes.split_at_mut(range.end.min(head).saturating_sub(range.start) as usize);
        if let Some(part) = self.head.get(range.start as usize..).filter(|_| !in_head.is_empty()) {
            in_head.copy_from_slice(&part[..in_head.len()]);
        }
        pattern::fill(rest, range.start.max(head) - head);
        bytes
    }
}

impl ReadRanges for Computed {
    fn length(&self) -> io::Result<u64> {
        Ok(self.head.len() as u64 + self.payload)
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        let length = self.length()?;
        assert!(ranges.iter().all(|range| range.start < range.end && range.end <= length), "{ranges:?}");
        let request = self.requests.fetch_add(1, Ordering::Relaxed);
        let mut given: Vec<Vec<u8>> = ranges.iter().map(|range| self.range(range)).collect();
        match self.fault.filter(|&(after, _)| request >= after) {
            Some((_, Fault::Fails)) => Err(io::Error::other("the source fails")),
            Some((_, Fault::GivesLess)) => {
                given.iter_mut().for_each(|bytes| bytes.truncate(bytes.len() - 1));
                Ok(given)
            }
            None => Ok(given),
        }
    }
}

/// A sink that accepts only the first write of a writer, which is the header.
#[derive(Debug, Default)]
pub struct Head(Option<Vec<u8>>);

impl Head {
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.unwrap_or_default()
    }
}

impl Write for Head {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0 {
            None => self.0 = Some(bytes.to_vec()),
            Some(_) => return Err(io::Error::other("the header is enough")),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
