//! Sources whose bytes change between two requests. A long header is judged as first read, and nothing panics.

use ndbytes::{Checker, Input, Limits, ReadRanges};
use ndbytes_testkit::sources::Counted;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The sizes of head, tail and page, which are so small that the cached pages do not contain the headers.
const SIZES: [u64; 3] = [8, 64, 8];

/// A file whose bytes change after a number of requests.
struct Changing {
    before: Vec<u8>,
    after: Vec<u8>,
    /// The number of requests before the change.
    left: AtomicUsize,
}

impl ReadRanges for Changing {
    fn length(&self) -> io::Result<u64> {
        Ok(self.before.len() as u64)
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        let before = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        let bytes = if before { &self.before } else { &self.after };
        Ok(ranges.iter().map(|range| bytes[range.start as usize..range.end as usize].to_vec()).collect())
    }
}

/// A `.npy` file of three numbers, whose header is padded to 8 KiB.
fn npy() -> Vec<u8> {
    let text = "{'descr': '<u2', 'fortran_order': False, 'shape': (3,), }";
    let text = format!("{text:<8179}\n");
    let mut bytes = b"\x93NUMPY\x02\0".to_vec();
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.bytes());
    bytes.extend([1, 0, 2, 0, 3, 0]);
    bytes
}

/// A RawArray file of 600 axes with three numbers in Julia's encoding, followed by metadata.
fn rawarray() -> Vec<u8> {
    let (encoded, unsigned, axes) = (2, 2, 600);
    let extents = std::iter::once(3).chain(std::iter::repeat_n(1, axes - 1));
    let words = [encoded, unsigned, 8, 24, axes as u64];
    let mut bytes = b"rawarray".to_vec();
    bytes.extend(words.into_iter().chain(extents).flat_map(u64::to_le_bytes));
    bytes.extend([1, 2, 3]);
    bytes.extend(b"metadata");
    bytes
}

/// Checks and maps a file that changes, for each possible number of requests before the change.
fn change(before: &[u8], after: &[u8]) {
    let counted = Counted::new(before);
    let input = Input::from_source_in_pages(counted.clone(), Limits::default(), SIZES).unwrap();
    Checker::new().check_input(input).unwrap();
    let requests = counted.take().len();
    assert!(requests > 1, "the header is in the first request");
    for left in 0..=requests {
        for is_map in [false, true] {
            let source = Changing { before: before.into(), after: after.into(), left: left.into() };
            let input = Input::from_source_in_pages(source, Limits::default(), SIZES).unwrap();
            if is_map {
                Checker::new().byte_map(input).unwrap();
            } else {
                Checker::new().check_input(input).unwrap();
            }
        }
    }
}

#[test]
fn a_long_header_is_judged_once_if_the_file_changes() {
    for file in [npy(), rawarray()] {
        change(&file, &vec![0; file.len()]);
        change(&file, &vec![0xff; file.len()]);
        let head: Vec<_> = file[..8].iter().copied().chain(vec![0xff; file.len() - 8]).collect();
        change(&file, &head);
    }
}

#[test]
fn the_end_of_an_array_is_known_after_a_long_header() {
    let check = |bytes: &[u8]| {
        let input = Input::from_source_in_pages(Counted::new(bytes), Limits::default(), SIZES).unwrap();
        let report = Checker::new().check_input(input).unwrap();
        report.findings().iter().map(|finding| finding.to_string()).collect::<Vec<_>>()
    };
    let whole = npy();
    let long = [&whole[..], &[0; 5]].concat();
    let files: [&[u8]; 4] = [&whole, &long, &whole[..whole.len() - 1], &rawarray()];
    let expected: [&[&str]; 4] = [
        &[],
        &["error[npy/trailing-bytes]: the file has 5 bytes after the last of 3 items (trailing, byte 8198)"],
        &[
            "error[npy/truncated-payload]: the items are missing 1 byte (payload, byte 8197); expected 6 bytes; found 5 bytes",
        ],
        &["warning[rawarray/encoded]: the elements are LEB128 numbers (data, byte 4848)"],
    ];
    assert_eq!(files.map(check), expected);
}
