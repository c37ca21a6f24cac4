//! Sources that record requests, and sources that fail.
//!
//! A store answers each request after a round trip. The results of a reader do not show whether it made one request or
//! a thousand, so these sources record every request, and tests compare the lists.

use super::corpus::Sample;
use ndbytes::schemas::idx::Idx;
use ndbytes::{Format, ReadRanges};
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The sizes of head, tail and pages, which are so small that nearly every file has bytes between them. The head of an
/// IDX file contains its whole header.
pub fn sizes(sample: &Sample) -> [u64; 3] {
    let head = if sample.format == Some(Format::Idx) { Idx::LONGEST_HEADER as u64 } else { 256 };
    [head, 64, 32]
}

/// A file in memory that records every request: the ranges of one call.
#[derive(Clone, Default)]
pub struct Counted {
    bytes: Arc<Vec<u8>>,
    requests: Arc<Mutex<Vec<Vec<Range<u64>>>>>,
}

impl Counted {
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Counted { bytes: Arc::new(bytes.into()), ..Counted::default() }
    }

    /// Returns the requests since the last call.
    pub fn take(&self) -> Vec<Vec<Range<u64>>> {
        std::mem::take(&mut self.requests.lock().unwrap())
    }
}

impl ReadRanges for Counted {
    fn length(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        assert!(!ranges.is_empty() && ranges.iter().all(|range| range.start < range.end), "{ranges:?}");
        self.requests.lock().unwrap().push(ranges.to_vec());
        Ok(ranges.iter().map(|range| self.bytes[range.start as usize..range.end as usize].to_vec()).collect())
    }
}

/// The way in which a source fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It refuses the request.
    Refusal,
    /// The last range is one byte too short.
    Short,
    /// The last range is one byte too long.
    Long,
    /// A range has no answer.
    Missing,
    /// The bytes are shifted by one.
    Shifted,
}

impl Fault {
    pub const ALL: [Fault; 5] = [Fault::Refusal, Fault::Short, Fault::Long, Fault::Missing, Fault::Shifted];
}

/// A source that fails after some requests.
pub struct Faulty {
    pub bytes: Vec<u8>,
    pub fault: Fault,
    /// The number of requests before it fails.
    pub good: AtomicUsize,
}

impl ReadRanges for Faulty {
    fn length(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        let get = |range: &Range<u64>| self.bytes[range.start as usize..range.end as usize].to_vec();
        let mut parts: Vec<Vec<u8>> = ranges.iter().map(get).collect();
        let is_good = self.good.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        let Some(last) = parts.last_mut().filter(|_| !is_good) else { return Ok(parts) };
        match self.fault {
            Fault::Refusal => return Err(io::Error::new(ErrorKind::ConnectionReset, "the line is dead")),
            Fault::Short => drop(last.pop()),
            Fault::Long => last.push(0),
            Fault::Missing => drop(parts.pop()),
            Fault::Shifted => parts.iter_mut().for_each(|part| part.rotate_left(1)),
        }
        Ok(parts)
    }
}
