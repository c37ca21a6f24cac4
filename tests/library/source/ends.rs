//! Opens files from a source that states the length with each answer.

use super::large::{array, field, table};
use ndbytes::{Ends, Input, Limits, Options, ReadRanges};
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A file whose server states the length with every range.
#[derive(Clone)]
struct Telling {
    bytes: Arc<Vec<u8>>,
    trips: Arc<AtomicUsize>,
    /// Changes the answer.
    lie: fn(&mut Ends),
}

impl Telling {
    fn new(bytes: Vec<u8>, lie: fn(&mut Ends)) -> Self {
        Telling { bytes: Arc::new(bytes), trips: Arc::default(), lie }
    }

    fn trips(&self) -> usize {
        self.trips.swap(0, Ordering::Relaxed)
    }
}

impl ReadRanges for Telling {
    fn length(&self) -> io::Result<u64> {
        unreachable!("the length is told with the ends")
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        self.trips.fetch_add(1, Ordering::Relaxed);
        Ok(ranges.iter().map(|range| self.bytes[range.start as usize..range.end as usize].to_vec()).collect())
    }

    fn ends(&self, head: u64, tail: u64) -> io::Result<Ends> {
        self.trips.fetch_add(1, Ordering::Relaxed);
        let (head, tail) = (head as usize, tail as usize);
        let head = self.bytes[..head.min(self.bytes.len())].to_vec();
        let mut ends = Ends {
            length: self.bytes.len() as u64,
            head,
            tail: self.bytes[self.bytes.len().saturating_sub(tail)..].to_vec(),
        };
        (self.lie)(&mut ends);
        Ok(ends)
    }
}

#[test]
fn a_file_is_opened_with_one_round_trip_if_the_length_is_told_with_its_bytes() {
    for bytes in [field(&array()), table()] {
        let source = Telling::new(bytes, |_| {});
        Options::new().read(Input::from_source(source.clone(), Limits::default()).unwrap()).unwrap();
        assert_eq!(source.trips(), 1);
    }
}

#[test]
fn a_file_of_any_length_is_put_together_of_its_ends() {
    for length in [0, 1, 255, 256, 257, 300, 319, 320, 321, 336, 400, 1000] {
        let bytes: Vec<u8> = (0..length).map(|byte| byte as u8).collect();
        let source = Telling::new(bytes.clone(), |_| {});
        let input = Input::from_source_in_pages(source, Limits::default(), [256, 64, 32]).unwrap();
        assert_eq!(input.bytes().unwrap(), bytes, "{length} bytes");
    }
}

/// A wrong answer about a file.
type Lie = fn(&mut Ends);

#[test]
fn ends_of_another_length_are_refused() {
    let lies: [(Lie, &str); 6] = [
        (|ends| ends.head.truncate(4095), "it returned 4095 bytes, but 4096 were requested"),
        (|ends| ends.head.push(0), "it returned 4097 bytes, but 4096 were requested"),
        (|ends| ends.tail.truncate(65_567), "bytes, but 65568 were requested"),
        (|ends| ends.tail.push(0), "bytes, but 65568 were requested"),
        (|ends| ends.length = 100, "but 100 were requested"),
        (|ends| ends.length = u64::MAX, "exceed the maximum size of a file"),
    ];
    let bytes = field(&array());
    for (lie, said) in lies {
        let error = Input::from_source(Telling::new(bytes.clone(), lie), Limits::default()).unwrap_err();
        let ndbytes::Error::Io { source, .. } = &error else { panic!("{error}") };
        assert!(source.to_string().contains(said), "{source}");
    }
}

#[test]
fn a_length_that_is_too_great_grants_no_memory() {
    let source = Telling::new(field(&array()), |ends| ends.length = 1 << 50);
    let error = Input::from_source(source, Limits::default()).unwrap().bytes().unwrap_err();
    assert!(matches!(error, ndbytes::Error::Limit { needed, .. } if needed == 1 << 50), "{error}");
}
