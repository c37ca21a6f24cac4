//! Sources: files that are read by ranges, such as those of an object store.

use std::io::{self, ErrorKind};
use std::ops::Range;
use std::sync::Arc;

/// A file somewhere else, which gives ranges of its bytes: on a web server, in an object store, in any file system.
///
/// All calls block. Threads may call at the same time. Whoever has an asynchronous client waits for it inside.
///
/// A source is not trusted. A range that comes too short or too long is an error, whatever is read.
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
    /// The length of the file in bytes. It is asked for once, when the file is opened.
    ///
    /// # Errors
    /// Any that the source has.
    fn length(&self) -> io::Result<u64>;

    /// The bytes of ranges, in the order of the ranges. No range is empty, and none reaches beyond the length. A source that
    /// can asks for all of them at once: they cost one round trip then.
    ///
    /// # Errors
    /// Any that the source has, if one of the ranges cannot be read.
    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>>;
}

impl<S: ReadRanges + ?Sized> ReadRanges for Box<S> {
    fn length(&self) -> io::Result<u64> {
        (**self).length()
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        (**self).read_ranges(ranges)
    }
}

impl<S: ReadRanges + ?Sized> ReadRanges for Arc<S> {
    fn length(&self) -> io::Result<u64> {
        (**self).length()
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        (**self).read_ranges(ranges)
    }
}

/// The error of a source that did not give what was requested.
#[derive(Debug, thiserror::Error)]
#[error("the source did not give {what}: {source}")]
struct Refused {
    what: String,
    source: io::Error,
}

/// Asks for the length, and names that in the error.
pub(super) fn length_of(source: &dyn ReadRanges) -> io::Result<u64> {
    let length = source.length().map_err(|error| refused("its length".into(), error))?;
    if length > i64::MAX as u64 {
        let why = format!("{length} bytes are more than a file can have");
        return Err(refused("its length".into(), io::Error::new(ErrorKind::InvalidData, why)));
    }
    Ok(length)
}

/// Asks for ranges, and judges the answer: every part has the length of its range.
pub(super) fn ask(source: &dyn ReadRanges, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
    let parts = source.read_ranges(ranges).map_err(|error| refused(words(ranges), error))?;
    if parts.len() != ranges.len() {
        let why = format!("it answered {} ranges, but {} were requested", parts.len(), ranges.len());
        return Err(refused(words(ranges), io::Error::new(ErrorKind::InvalidData, why)));
    }
    for (part, range) in parts.iter().zip(ranges) {
        let (found, wanted) = (part.len() as u64, range.end - range.start);
        if found != wanted {
            let kind = if found < wanted { ErrorKind::UnexpectedEof } else { ErrorKind::InvalidData };
            let why = format!("it gave {found} bytes, but {wanted} were requested");
            return Err(refused(words(std::slice::from_ref(range)), io::Error::new(kind, why)));
        }
    }
    Ok(parts)
}

fn refused(what: String, source: io::Error) -> io::Error {
    io::Error::new(source.kind(), Refused { what, source })
}

fn words(ranges: &[Range<u64>]) -> String {
    match ranges {
        [] => "no bytes".to_owned(),
        [range] => format!("bytes {}..{}", range.start, range.end),
        [range, others @ ..] => format!("bytes {}..{} and {} more ranges", range.start, range.end, others.len()),
    }
}
