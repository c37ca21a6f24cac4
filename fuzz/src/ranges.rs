//! Files that are read in ranges, in pages of any size.

use crate::bounds::limits;
use crate::bytes::is_limited;
use crate::random::Random;
use crate::{slices, streaming};
use ndbytes::{Checker, Error, Format, Input, Options, ReadRanges, Report};
use ndbytes_schemas::idx::Idx;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of bytes to request first. For a file without a format, only the last number reveals what it may be.
const HEADS: [u64; 4] = [64, 256, Idx::LONGEST_HEADER as u64, 4096];

/// The size of a page, and of the end that is requested when a file is opened.
const PAGES: [u64; 4] = [16, 64, 512, 4096];

/// The fault of a source.
#[derive(Debug, Clone, Copy)]
enum Fault {
    Fails,
    GivesLess,
    GivesMore,
    GivesFewer,
}

const FAULTS: [Fault; 4] = [Fault::Fails, Fault::GivesLess, Fault::GivesMore, Fault::GivesFewer];

/// A remote file, with a fault that starts at one of its requests.
#[derive(Clone, Debug)]
pub struct Source {
    bytes: Arc<[u8]>,
    requests: Arc<AtomicU64>,
    fault: Option<(u64, Fault)>,
}

impl Source {
    /// A file whose source does not fail.
    pub fn sound(bytes: impl Into<Arc<[u8]>>) -> Self {
        Source { bytes: bytes.into(), requests: Arc::default(), fault: None }
    }

    /// Returns the same file, with requests that fail from one of them on.
    fn with_fault(&self, fault: (u64, Fault)) -> Self {
        Source { bytes: self.bytes.clone(), requests: Arc::default(), fault: Some(fault) }
    }
}

impl ReadRanges for Source {
    fn length(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        assert!(
            ranges.iter().all(|range| range.start < range.end && range.end <= self.bytes.len() as u64),
            "{ranges:?}"
        );
        let request = self.requests.fetch_add(1, Ordering::Relaxed);
        let of = |range: &Range<u64>| self.bytes[range.start as usize..range.end as usize].to_vec();
        let mut given: Vec<Vec<u8>> = ranges.iter().map(of).collect();
        match self.fault.filter(|&(from, _)| request >= from) {
            None => {}
            Some((_, Fault::Fails)) => return Err(io::Error::other("the source fails")),
            Some((_, Fault::GivesLess)) => given.iter_mut().for_each(|bytes| bytes.truncate(bytes.len() - 1)),
            Some((_, Fault::GivesMore)) => given.iter_mut().for_each(|bytes| bytes.push(0)),
            Some((_, Fault::GivesFewer)) => given.truncate(ranges.len() - 1),
        }
        Ok(given)
    }
}

/// Asserts that a file read in ranges has the same report and content as in memory, whatever the page size.
pub fn examine(bytes: &[u8]) {
    let mut random = Random::of(bytes);
    let checker = Checker::new().limits(limits());
    let slice = checker.check_slice(bytes).expect("bytes in memory can be read");
    // Detecting IDX requires its whole header.
    let heads = match slice.format {
        None => &HEADS[3..],
        Some(Format::Idx) => &HEADS[2..],
        Some(_) => &HEADS[..],
    };
    let head = heads[random.below(heads.len() as u64) as usize];
    let [tail, page] = [(); 2].map(|()| PAGES[random.below(PAGES.len() as u64) as usize]);
    let open = |source: &Source| Input::from_source_in_pages(source.clone(), limits(), [head, tail, page]);
    let whole = Source::sound(bytes);
    let input = || open(&whole).expect("the source does not fail");
    let paged = checker.check_input(input()).expect("the source does not fail");
    compare_reports(&slice, &paged);
    let options = Options::new().limits(limits());
    match (options.from_slice(bytes), options.read(input())) {
        (Ok(slice), Ok(paged)) => {
            streaming::compare(&slice, &paged);
            slices::examine_file(&paged, &mut random);
        }
        (_, Err(Error::Limit { .. })) => {}
        (Err(slice), Err(paged)) => assert_eq!(slice.to_string(), paged.to_string()),
        (slice, paged) => panic!("{slice:?}, but {paged:?} in pages"),
    }
    let requests = whole.requests.load(Ordering::Relaxed).max(1);
    let fault = (random.below(requests), FAULTS[random.below(FAULTS.len() as u64) as usize]);
    let faulty = whole.with_fault(fault);
    match open(&faulty).and_then(|input| checker.check_input(input)) {
        Ok(report) => compare_reports(&slice, &report),
        Err(Error::Io { .. }) => assert!(faulty.requests.load(Ordering::Relaxed) > fault.0),
        Err(error) => panic!("{error} of a source with {fault:?}"),
    }
}

/// Compares reports. Pages are debited, so less memory is left for their content.
pub fn compare_reports(slice: &Report, paged: &Report) {
    match (is_limited(slice), is_limited(paged)) {
        (false, false) => assert_eq!(slice, paged),
        (slice, paged) => assert!(!slice || paged),
    }
}
