//! Reading layouts: fast, and traced into a tree of nodes.

use crate::error::problem;
use crate::error::{ParseError, Problem};
use crate::node::Node;
use crate::recorder;
use crate::reference::Layout;
use crate::source::Source;
use crate::value::Value;
use binrw::io::{self, Cursor, SeekFrom};
use binrw::{BinRead, BinResult, BinWrite, Endian};

/// Reads a structure. A failure is read again, traced, so that the error names field and offset.
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
    T::read_options(source, endian, args.clone()).or_else(|_| trace(start, endian, args).0)
}

/// Reads a structure and records every field of it. A broken structure is recorded up to the break.
pub fn trace<'a, T>(source: Source<'_>, endian: Endian, args: T::Args<'a>) -> (Result<T, Box<ParseError>>, Node)
where
    T: BinRead + Layout,
{
    let (result, mut root) = recorder::session(source, |reader| T::read_options(reader, endian, args));
    let result = result.map_err(|error| Box::new(describe(&error, &root, source)));
    let ends = matches!(&result, Err(error) if matches!(error.problem, Problem::End { .. }));
    end_with_space(&mut root, source.length(), ends);
    (result, root)
}

/// The bytes of a structure. Regions inside it become zeros where something follows them.
pub fn write<T>(value: &T, endian: Endian) -> BinResult<Vec<u8>>
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    let mut bytes = Cursor::new(Vec::new());
    value.write_options(&mut bytes, endian, ())?;
    Ok(bytes.into_inner())
}

/// The bytes that a structure takes, including the regions inside it.
pub fn length_of<T>(value: &T, endian: Endian) -> u64
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    let mut measure = Measure::default();
    // A structure that cannot be written has no length that anything could have room for.
    value.write_options(&mut measure, endian, ()).map_or(u64::MAX, |()| measure.0)
}

/// Counts what is written.
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

/// The place of a failure, from the trail of unfinished nodes, and what is wrong there.
fn describe(error: &binrw::Error, root: &Node, source: Source<'_>) -> ParseError {
    let mut path = String::new();
    let mut alternatives = Vec::new();
    let mut node = root;
    loop {
        if let Value::Name(alternative) = &node.value {
            alternatives.push(&**alternative);
        }
        let Some(broken) = node.children.iter().rev().find(|child| !child.complete) else { break };
        broken.step(&mut path);
        node = broken;
    }
    let (offset, mut length) = (node.start, node.end - node.start);
    let left = source.length().saturating_sub(offset);
    let problem = match problem(error, &alternatives) {
        Problem::End { .. } => {
            // A field of variable length, such as text without its end, took all that is left and needs more.
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

/// Ends unfinished nodes at the end of the space, or before; `exactly` there if the end of the space stopped them.
fn end_with_space(node: &mut Node, length: u64, exactly: bool) {
    let end = if exactly && !node.complete { length } else { node.end.min(length) };
    node.end = end.max(node.start);
    for child in node.children.iter_mut().filter(|child| !child.complete) {
        end_with_space(child, length, exactly);
    }
}

fn bytes_at(source: Source<'_>, offset: u64, length: u64) -> Vec<u8> {
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(16);
    source.bytes_from(offset).iter().take(length).copied().collect()
}
