//! Failing sources. An error states which bytes are missing, and nothing panics.

use ndbytes::{Checker, Error, Format, Input, Limits, ReadRanges, Result};
use ndbytes_compare::digest;
use ndbytes_testkit::corpus::{Sample, samples};
use ndbytes_testkit::sources::{Counted, Fault, Faulty, sizes};
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs everything that reads the bytes of a file.
fn read_all(sample: &Sample, source: impl ReadRanges + 'static) -> Result<()> {
    let input = Input::from_source_in_pages(source, Limits::default(), sizes(sample))?;
    Checker::new().check_input(input.again(Limits::default())?)?;
    Checker::new().byte_map(input.again(Limits::default())?)?;
    digest::bytes(&input)?;
    digest::values(&input, &Limits::default())?;
    Ok(())
}

fn is_good(sample: &&Sample) -> bool {
    sample.folder == "ok" && sample.bytes.len() > 320
}

#[test]
fn a_source_that_fails_is_an_error_that_names_the_range() {
    let mut errors = 0;
    for sample in samples().iter().filter(is_good) {
        let source = Counted::new(sample.bytes.clone());
        if read_all(sample, source.clone()).is_err() {
            continue;
        }
        let requests = source.take().len();
        for good in 0..requests {
            for fault in Fault::ALL {
                let source = Faulty { bytes: sample.bytes.clone(), fault, good: good.into() };
                let Err(error) = read_all(sample, source) else { continue };
                match (&error, fault) {
                    // The wrong bytes may or may not violate a rule.
                    (_, Fault::Shifted) => {}
                    (Error::Io { source, .. }, _) => {
                        let said = source.to_string();
                        assert!(said.starts_with("the source did not return bytes "), "{sample} {fault:?}: {said}");
                        errors += 1;
                    }
                    _ => panic!("{sample} {fault:?}: {error}"),
                }
            }
        }
    }
    assert!(errors > 1000, "{errors} errors");
}

/// A source that fails once.
struct FailsOnce {
    bytes: Vec<u8>,
    /// The number of requests before it fails.
    good: usize,
    requests: AtomicUsize,
}

impl ReadRanges for FailsOnce {
    fn length(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        if self.requests.fetch_add(1, Ordering::Relaxed) == self.good {
            return Err(io::Error::other("the line is busy"));
        }
        Ok(ranges.iter().map(|range| self.bytes[range.start as usize..range.end as usize].to_vec()).collect())
    }
}

/// A failure while locating the field of a finding must not change the reported position.
#[test]
fn a_source_that_fails_once_while_a_broken_table_is_judged_is_an_error_or_has_the_same_report() {
    let mut errors = 0;
    for sample in samples().iter().filter(|sample| sample.format == Some(Format::Idv) && sample.folder == "bad") {
        let bytes = [&sample.bytes[..], &[0; 4096]].concat();
        let checked =
            |source| Checker::new().check_input(Input::from_source_in_pages(source, Limits::default(), sizes(sample))?);
        let source = Counted::new(bytes.clone());
        let Ok(report) = checked(Box::new(source.clone()) as Box<dyn ReadRanges>) else { continue };
        for good in 0..source.take().len() {
            let source = FailsOnce { bytes: bytes.clone(), good, requests: AtomicUsize::new(0) };
            match checked(Box::new(source)) {
                Ok(other) => assert_eq!(other, report, "{sample}, after {good} requests"),
                Err(Error::Io { .. }) => errors += 1,
                Err(error) => panic!("{sample}: {error}"),
            }
        }
    }
    assert!(errors > 100, "{errors} errors");
}

/// A source that claims this many bytes: a header, followed by zeros.
struct Claimed(u64, &'static [u8]);

impl ReadRanges for Claimed {
    fn length(&self) -> io::Result<u64> {
        Ok(self.0)
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        let byte = |place| self.1.get(place as usize).copied().unwrap_or(0);
        Ok(ranges.iter().map(|range| range.clone().map(byte).collect()).collect())
    }
}

#[test]
fn a_claimed_length_grants_no_memory() {
    const LENGTH: u64 = 1 << 40;
    // An array with four axes and 2^40 bytes.
    const HEADER: &[u8] = &[0, 0, 8, 4, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0];
    let input = || Input::from_source(Claimed(LENGTH + HEADER.len() as u64, HEADER), Limits::default()).unwrap();
    let array = ndbytes::idx::Options::new().read(input()).unwrap();
    assert_eq!(array.shape(), [1024; 4]);
    let refused = |error: Error| assert!(matches!(error, Error::Limit { needed, .. } if needed >= LENGTH), "{error}");
    refused(array.to_array::<u8>().unwrap_err());
    refused(array.view::<u8>().unwrap_err());
    refused(array.bytes().unwrap_err());
    refused(input().bytes().unwrap_err());
    assert_eq!(
        array.item::<u8>(1023).err().map(|error| error.to_string()),
        Some(String::from(
            "1073741824 bytes are needed for the array, but only 1056964608 bytes of the memory limit are left"
        ))
    );
    let small = ndbytes::Options::new().from_source(Claimed(LENGTH + HEADER.len() as u64, HEADER)).unwrap();
    let small = small.into_array().unwrap();
    assert_eq!(small.scalar(LENGTH - 1).unwrap(), ndbytes::Scalar::Uint(0));
}

#[test]
fn a_length_that_no_file_has_is_refused() {
    let error = Input::from_source(Claimed(u64::MAX, &[]), Limits::default()).unwrap_err();
    let expected = "the source did not return its length: 18446744073709551615 bytes exceed the maximum size of a file";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn an_empty_source_is_an_empty_file() {
    let report = Checker::new().check_source(Counted::new([])).unwrap();
    assert_eq!(report.findings()[0].message, "the file is empty");
}

/// Bytes after a chunk do not count as room for its dictionary, however many are available.
#[test]
fn a_dictionary_without_room_has_one_report_in_memory_and_by_ranges() {
    let file = ndbytes_testkit::corpus::seeds().join("ranges/dictionary-without-room");
    let bytes = std::fs::read(file).unwrap();
    let in_memory = Checker::new().check_slice(&bytes).unwrap();
    assert!(in_memory.findings().iter().any(|finding| finding.rule.id == "b2nd/dictionary"), "{in_memory:?}");
    for page in [16, 64, 512] {
        let source = Counted::new(bytes.clone());
        let input = Input::from_source_in_pages(source, Limits::default(), [64, 16, page]).unwrap();
        assert_eq!(Checker::new().check_input(input).unwrap(), in_memory, "pages of {page} bytes");
    }
}
