//! Streams that split their bytes anywhere.

use crate::bounds::limits;
use crate::bytes::is_limited;
use crate::random::Random;
use ndbytes::{Checker, Error, File, Options};
use std::io::{self, ErrorKind, Read};

/// A stream that returns a few bytes at a time, is interrupted, and may fail.
struct Splitting<'a> {
    rest: &'a [u8],
    random: Random,
    /// The number of bytes after which the stream fails.
    fails_after: Option<usize>,
}

impl Read for Splitting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.random.one_in(4) {
            return Err(ErrorKind::Interrupted.into());
        }
        let most = [1, 2, 7, 64, 4096][self.random.below(5) as usize];
        let mut length = buffer.len().min(self.rest.len()).min(1 + self.random.below(most) as usize);
        if let Some(left) = &mut self.fails_after {
            if *left == 0 {
                return Err(io::Error::other("the stream fails"));
            }
            length = length.min(*left);
            *left -= length;
        }
        let (given, rest) = self.rest.split_at(length);
        buffer[..length].copy_from_slice(given);
        self.rest = rest;
        Ok(length)
    }
}

/// Asserts that a stream has the same report and content as in memory, however it splits its bytes.
pub fn examine(bytes: &[u8]) {
    let mut random = Random::of(bytes);
    let mut split = |fails_after| Splitting { rest: bytes, random: Random::new(random.next()), fails_after };
    let checker = Checker::new().limits(limits());
    let slice = checker.check_slice(bytes).expect("bytes in memory can be read");
    let stream = checker.check_reader(split(None)).expect("the stream does not fail");
    // The bytes of a stream are debited, so less memory is left for its content.
    match (is_limited(&slice), is_limited(&stream)) {
        (false, false) => assert_eq!(slice, stream),
        (slice, stream) => assert!(!slice || stream),
    }
    let options = Options::new().limits(limits());
    match (options.from_slice(bytes), options.from_reader(split(None))) {
        (Ok(slice), Ok(stream)) => compare(&slice, &stream),
        (_, Err(Error::Limit { .. })) => {}
        (Err(slice), Err(stream)) => assert_eq!(slice.to_string(), stream.to_string()),
        (slice, stream) => panic!("{slice:?}, but {stream:?}"),
    }
    if !bytes.is_empty() {
        let place = Random::of(bytes).below(bytes.len() as u64) as usize;
        let failed = checker.check_reader(split(Some(place)));
        assert!(matches!(failed, Err(Error::Io { .. })), "{failed:?} of a stream that fails after {place} bytes");
    }
}

/// Asserts that files with the same bytes have the same content.
pub fn compare(slice: &File<'_>, stream: &File<'_>) {
    assert_eq!(slice.warnings(), stream.warnings());
    match (slice, stream) {
        (File::Array(slice), File::Array(stream)) => {
            assert_eq!((slice.shape(), slice.item_type()), (stream.shape(), stream.item_type()));
            match (slice.bytes(), stream.bytes()) {
                (Ok(slice), Ok(stream)) => assert!(slice == stream, "the items differ"),
                (_, Err(Error::Limit { .. })) => {}
                (Err(slice), Err(stream)) => assert_eq!(slice.to_string(), stream.to_string()),
                (slice, stream) => panic!("{:?}, but {:?}", slice.err(), stream.err()),
            }
        }
        (File::Table(slice), File::Table(stream)) => crate::tables::compare(slice, stream),
        _ => panic!("{:?}, but {:?}", slice.format(), stream.format()),
    }
}
