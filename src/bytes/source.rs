//! Sources: files that are read in ranges, such as those in an object store.

use std::io::{self, ErrorKind};
use std::ops::Range;
use std::sync::Arc;

/// A remote file that can be read in ranges: on a web server, in an object store, or in any other file system.
///
/// All calls block. Several threads may call the methods at the same time. With an asynchronous client, block inside the method.
///
/// A source is not trusted. A range that is too short or too long is an error.
///
/// ```
/// use ndbytes::{Options, ReadRanges};
/// use std::io;
/// use std::ops::Range;
///
/// /// A file that an object store would have.
/// struct Stored(Vec<u8>);
///
/// impl ReadRanges for Stored {
///     fn length(&self) -> io::Result<u64> {
///         Ok(self.0.len() as u64) // a web server: `Content-Length`
///     }
///
///     fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
///         let get = |range: &Range<u64>| self.0[range.start as usize..range.end as usize].to_vec();
///         Ok(ranges.iter().map(get).collect()) // a web server: `Range: bytes=FIRST-LAST`, all at once
///     }
/// }
///
/// let source = Stored(vec![0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3]);
/// let array = Options::new().from_source(source)?.into_array()?;
/// assert_eq!(array.to_array::<u8>()?.as_slice(), Some(&[1, 2, 3][..]));
/// # Ok::<(), ndbytes::Error>(())
/// ```
pub trait ReadRanges: Send + Sync {
    /// The length of the file in bytes. It is called once, when the file is opened.
    ///
    /// # Errors
    /// Any error from the source.
    fn length(&self) -> io::Result<u64>;

    /// Reads several ranges, in the given order. No range is empty, and none extends beyond the length. If possible, request all of them at
    /// once, which takes one round trip.
    ///
    /// # Errors
    /// Any error from the source if one of the ranges cannot be read.
    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>>;

    /// The length, the first `head` bytes and the last `tail` bytes, which are needed to open a file. If the file is shorter, all
    /// of its bytes are returned. The default implementation first requests the length and then the bytes, which takes an
    /// additional round trip. A server that returns the length with every range needs only one: `Range: bytes=0-4095` and `Range:
    /// bytes=-65568` at once.
    ///
    /// # Errors
    /// Any error from the source.
    fn ends(&self, head: u64, tail: u64) -> io::Result<Ends> {
        let length = self.length().map_err(|error| refused("its length".into(), error))?;
        ensure_length(length)?;
        let (head, tail) = (head.min(length), length.saturating_sub(tail));
        if length == 0 {
            return Ok(Ends { length, head: Vec::new(), tail: Vec::new() });
        }
        if tail <= head {
            let [whole] = exactly(ask(self, std::slice::from_ref(&(0..length)))?)?;
            let (head, tail) = (whole[..head as usize].to_vec(), whole[tail as usize..].to_vec());
            return Ok(Ends { length, head, tail });
        }
        let [head, tail] = exactly(ask(self, &[0..head, tail..length])?)?;
        Ok(Ends { length, head, tail })
    }
}

/// The length of a file, its first bytes and its last bytes. In a short file, they overlap.
///
/// ```
/// use ndbytes::{Ends, ReadRanges};
/// # use std::{io, ops::Range};
/// #
/// # struct Stored(&'static [u8]);
/// #
/// # impl ReadRanges for Stored {
/// #     fn length(&self) -> io::Result<u64> {
/// #         Ok(self.0.len() as u64)
/// #     }
/// #
/// #     fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
/// #         Ok(ranges.iter().map(|range| self.0[range.start as usize..range.end as usize].to_vec()).collect())
/// #     }
/// # }
///
/// let source = Stored(b"abcdef"); // any source
/// let ends = source.ends(2, 3)?;
/// assert_eq!(ends, Ends { length: 6, head: b"ab".to_vec(), tail: b"def".to_vec() });
/// # Ok::<(), io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ends {
    /// The length of the file in bytes.
    pub length: u64,
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes.
    pub tail: Vec<u8>,
}

impl<S: ReadRanges + ?Sized> ReadRanges for Box<S> {
    fn length(&self) -> io::Result<u64> {
        (**self).length()
    }

    fn ends(&self, head: u64, tail: u64) -> io::Result<Ends> {
        (**self).ends(head, tail)
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        (**self).read_ranges(ranges)
    }
}

impl<S: ReadRanges + ?Sized> ReadRanges for Arc<S> {
    fn length(&self) -> io::Result<u64> {
        (**self).length()
    }

    fn ends(&self, head: u64, tail: u64) -> io::Result<Ends> {
        (**self).ends(head, tail)
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        (**self).read_ranges(ranges)
    }
}

/// The error for a source that did not return what was requested.
#[derive(Debug, thiserror::Error)]
#[error("the source did not return {what}: {source}")]
struct Refused {
    what: String,
    source: io::Error,
}

/// Requests the ends of a file, and checks the answer: no part may be shorter or longer than requested.
pub(super) fn ends_of(source: &dyn ReadRanges, head: u64, tail: u64) -> io::Result<Ends> {
    let ends = source.ends(head, tail).map_err(|error| match error.get_ref() {
        Some(named) if named.is::<Refused>() => error,
        // A missing file and a server that cannot be reached need no further explanation.
        _ if [ErrorKind::NotFound, ErrorKind::NotConnected].contains(&error.kind()) => error,
        _ => refused("its first and last bytes".into(), error),
    })?;
    ensure_length(ends.length)?;
    for (part, wanted) in [(&ends.head, head), (&ends.tail, tail)] {
        let (found, wanted) = (part.len() as u64, wanted.min(ends.length));
        if found != wanted {
            let kind = if found < wanted { ErrorKind::UnexpectedEof } else { ErrorKind::InvalidData };
            let why = format!("it returned {found} bytes, but {wanted} were requested");
            return Err(refused("its first and last bytes".into(), io::Error::new(kind, why)));
        }
    }
    Ok(ends)
}

/// Refuses a length that no file can have, because sources are not trusted.
fn ensure_length(length: u64) -> io::Result<()> {
    if length > i64::MAX as u64 {
        let why = format!("{length} bytes exceed the maximum size of a file");
        return Err(refused("its length".into(), io::Error::new(ErrorKind::InvalidData, why)));
    }
    Ok(())
}

/// Returns exactly as many parts as were requested.
fn exactly<const N: usize>(parts: Vec<Vec<u8>>) -> io::Result<[Vec<u8>; N]> {
    parts.try_into().map_err(|_| ErrorKind::InvalidData.into())
}

/// Requests ranges, and checks the answer: every part must have the length of its range.
pub(super) fn ask<S: ReadRanges + ?Sized>(source: &S, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
    let parts = source.read_ranges(ranges).map_err(|error| refused(words(ranges), error))?;
    if parts.len() != ranges.len() {
        let why = format!("it returned {} ranges, but {} were requested", parts.len(), ranges.len());
        return Err(refused(words(ranges), io::Error::new(ErrorKind::InvalidData, why)));
    }
    for (part, range) in parts.iter().zip(ranges) {
        let (found, wanted) = (part.len() as u64, range.end - range.start);
        if found != wanted {
            let kind = if found < wanted { ErrorKind::UnexpectedEof } else { ErrorKind::InvalidData };
            let why = format!("it returned {found} bytes, but {wanted} were requested");
            return Err(refused(words(std::slice::from_ref(range)), io::Error::new(kind, why)));
        }
    }
    Ok(parts)
}

/// Adds the request to the text of an error from a source.
fn refused(what: String, source: io::Error) -> io::Error {
    io::Error::new(source.kind(), Refused { what, source })
}

/// Formats the requested ranges for messages.
fn words(ranges: &[Range<u64>]) -> String {
    match ranges {
        [] => "no bytes".to_owned(),
        [range] => format!("bytes {}..{}", range.start, range.end),
        [range, others @ ..] => format!("bytes {}..{} and {} more ranges", range.start, range.end, others.len()),
    }
}
