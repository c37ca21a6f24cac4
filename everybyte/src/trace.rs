//! Reads layouts, either plainly or traced into a tree of nodes.
//!
//! [`read`] is fast because it does not track its position. If it fails, it reads the structure again with a trace,
//! only to determine the path and the offset of the error. Valid files never incur this cost.

use crate::depth;
use crate::elsewhere;
use crate::error::{ParseError, Problem};
use crate::mode;
use crate::nodes::{Id, Nodes};
use crate::passes::Passes;
use crate::recorder::{self, Failure};
use crate::reference::Layout;
use crate::source::Source;
use binrw::io::{self, Cursor, Seek, SeekFrom};
use binrw::{BinRead, BinResult, BinWrite, Endian};

/// The initial capacity for the bytes of a structure. Most structures are shorter.
const ROOM: usize = 128;

/// Reads a structure. If this fails, it reads the structure again with a trace, so that the error names the field and
/// the offset.
pub fn read<'a, T>(mut source: Source<'_>, endian: Endian, args: T::Args<'a>) -> Result<T, Box<ParseError>>
where
    T: BinRead + Layout,
    T::Args<'a>: Clone,
{
    read_next(&mut source, endian, args)
}

/// Reads a structure and moves the source to the byte after it.
pub fn read_next<'a, T>(source: &mut Source<'_>, endian: Endian, args: T::Args<'a>) -> Result<T, Box<ParseError>>
where
    T: BinRead + Layout,
    T::Args<'a>: Clone,
{
    let start = *source;
    // A parser may call this to read bytes from elsewhere, which are not fields of the file.
    let plain = mode::only(0);
    let read = elsewhere::bounded(source.length(), || depth::deeper(|| T::read_options(source, endian, args.clone())));
    drop(plain);
    read.or_else(|_| trace(start, endian, args).0)
}

/// Reads a structure and records all of its fields. A broken structure is recorded up to the point where it cannot be read. The
/// structure is the root of the nodes.
pub fn trace<'a, T>(source: Source<'_>, endian: Endian, args: T::Args<'a>) -> (Result<T, Box<ParseError>>, Nodes)
where
    T: BinRead + Layout,
{
    let mut nodes = Nodes::new();
    let (result, root) = nodes.trace(source, endian, args);
    nodes.add(root);
    for id in std::mem::take(&mut nodes.asides) {
        nodes.add(id);
    }
    (result, nodes)
}

impl Nodes {
    /// Reads a structure as [`trace`](crate::trace) does and records it among these fields. It has no position until it
    /// is [added](Nodes::add).
    pub fn trace<'a, T>(
        &mut self,
        source: Source<'_>,
        endian: Endian,
        args: T::Args<'a>,
    ) -> (Result<T, Box<ParseError>>, Id)
    where
        T: BinRead + Layout,
    {
        self.traced(source, |reader| T::read_options(reader, endian, args))
    }

    /// Like `trace`, but for a structure that a function reads.
    pub(crate) fn traced<'s, T: Layout>(
        &mut self,
        source: Source<'s>,
        read: impl FnOnce(&mut Source<'s>) -> BinResult<T>,
    ) -> (Result<T, Box<ParseError>>, Id) {
        let (result, root, failure, aside) = recorder::session(source, self, read);
        let (asides, opened) = aside;
        self.opened = opened;
        let result = match (result, failure) {
            (Ok(value), _) => Ok(value),
            (Err(_), Some(failure)) => Err(Box::new(described(failure, source))),
            (Err(error), None) => {
                let problem = Problem::Invalid(error.to_string());
                Err(Box::new(ParseError { path: String::new(), offset: source.position(), length: 0, problem }))
            }
        };
        let ends = matches!(&result, Err(error) if matches!(error.problem, Problem::End { .. }));
        self.end_with_space(root, source.length(), ends);
        asides.ids().for_each(|id| self.end_with_space(id, source.length(), ends));
        let wrapped = asides.wrapped(self);
        self.asides.extend(wrapped);
        (result, root)
    }
}

/// Writes a structure to bytes. Regions inside it become zeros if something follows them.
#[expect(clippy::disallowed_methods, reason = "the room is the same for all values")]
pub fn write<T>(value: &T, endian: Endian) -> BinResult<Vec<u8>>
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    Passes { from: 0, over: 0, is_all: false }.run(|| {
        let mut bytes = Cursor::new(Vec::with_capacity(ROOM));
        value.write_options(&mut bytes, endian, ())?;
        let end = bytes.position();
        Ok((bytes.into_inner(), end))
    })
}

/// Writes a structure over the bytes at an offset. Numbers that state positions of structures are computed if
/// `is_all`.
pub(crate) fn write_over<T>(
    value: &T,
    copy: &mut Cursor<Vec<u8>>,
    offset: u64,
    endian: Endian,
    is_all: bool,
) -> BinResult<()>
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    let over = copy.get_ref().len() as u64;
    let measure = || {
        let mut measure = Measure(offset);
        value.write_options(&mut measure, endian, ())?;
        Ok(measure.0)
    };
    Passes { from: offset, over, is_all }.measured(measure, || {
        copy.seek(SeekFrom::Start(offset))?;
        value.write_options(copy, endian, ())
    })
}

/// The number of bytes that a structure takes, including the regions inside it.
pub fn length_of<T>(value: &T, endian: Endian) -> u64
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    let mut measure = Measure::default();
    // A structure that cannot be written must not fit anywhere.
    let written = Passes { from: 0, over: 0, is_all: false }.measured(
        || {
            measure.0 = 0;
            value.write_options(&mut measure, endian, ())?;
            Ok(measure.0)
        },
        || Ok(()),
    );
    written.map_or(u64::MAX, |()| measure.0)
}

/// Counts the written bytes.
#[derive(Default)]
struct Measure(u64);

impl io::Write for Measure {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Seek for Measure {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        match target {
            SeekFrom::Start(position) => self.0 = position,
            SeekFrom::Current(0) => {}
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(self.0)
    }
}

/// Converts a failure to an error. Adds the number of bytes that are left and the bytes of an undefined code, which
/// binrw's error does not contain.
pub(crate) fn described(failure: Failure, source: Source<'_>) -> ParseError {
    let Failure { path, bytes, problem } = failure;
    let (offset, mut length) = (bytes.start, bytes.end - bytes.start);
    let left = source.length().saturating_sub(offset);
    let problem = match problem {
        Problem::End { .. } => {
            // A field of variable length, such as text without a terminator, took all remaining bytes and needs more.
            length = length.max(left.saturating_add(1));
            Problem::End { needed: length, left }
        }
        Problem::UnknownCode { .. } => Problem::UnknownCode { found: bytes_at(source, offset, length) },
        Problem::TooMany { count, element, left } => {
            length = left;
            Problem::TooMany { count, element, left }
        }
        other => other,
    };
    ParseError { path, offset, length, problem }
}

fn bytes_at(source: Source<'_>, offset: u64, length: u64) -> Vec<u8> {
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(16);
    source.bytes_from(offset).iter().take(length).copied().collect()
}
