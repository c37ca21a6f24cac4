//! Fields at offsets: hooks that seek, read in a separate space, and return.
//!
//! The reader of such a field does not inherit the enclosing limits, but it draws from the budget of
//! [`elsewhere`](crate::elsewhere), because offsets may form loops or all point to the same bytes. An offset outside
//! the space is an error before anything is read.
//!
//! In an optional field, any problem becomes a finding and the field is `None`, so that one broken pointer does not
//! hide the rest of the file. Unavailable bytes are the exception, because the field may be readable once they are
//! available.

use super::derived::At;
use super::field::Readable;
use super::limited::Limited;
use super::offset_value::OffsetValue;
use crate::depth;
use crate::elsewhere;
use crate::error::{Problem, problem};
use crate::finding::Severity;
#[cfg(feature = "arbitrary")]
use crate::generator;
use crate::label::{Label, SHOWN_ELEMENTS};
use crate::mode::{self, TRACKED};
use crate::peek;
use crate::recorder::{self, Failure};
use crate::reference::Layout;
use crate::violation::{self, Violation};
use binrw::io::{self, Read, Seek, SeekFrom};
use binrw::{BinResult, Endian};

/// The position of a field and the number of bytes that it may take, or the reason why they cannot be computed.
#[derive(Debug, Clone)]
pub struct Place(Result<(u64, Option<u64>), String>);

impl Place {
    /// Creates a position from an origin, an offset and a size, if there is one.
    pub fn new<S: OffsetValue>(
        at: Result<impl OffsetValue, String>,
        origin: At,
        size: Option<Result<S, String>>,
    ) -> Self {
        let negative = |what: &str| format!("the {what} is negative");
        let place = || {
            let offset = at?.whole().ok_or_else(|| negative("offset"))?;
            let offset = origin.0.checked_add(offset).ok_or("the offset has more than 64 bits")?;
            let size = match size {
                Some(size) => Some(size?.whole().ok_or_else(|| negative("size"))?),
                None => None,
            };
            Ok((offset, size))
        };
        Place(place())
    }

    /// The offset from the start of the space.
    pub fn offset(&self) -> Result<u64, Problem> {
        self.0.as_ref().map(|(offset, _)| *offset).map_err(|message| Problem::Invalid(message.clone()))
    }

    /// The number of bytes, if it is stated.
    pub fn size(&self) -> Option<u64> {
        self.0.as_ref().ok().and_then(|(_, size)| *size)
    }
}

/// The size of a field whose size is not stated.
pub const UNSIZED: Option<Result<u64, String>> = None;

/// A field at an offset.
pub fn placed<V: Layout, A, R: Read + Seek>(
    label: &'static Label,
    place: Place,
    parse: impl Fn(&mut Limited<'_>, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<V> {
    move |reader, endian, args| {
        let field = Aside { name: label.name, index: None, label: Some(label), has_parts: true };
        field.read(reader, &place, |reader| parse(reader, endian, args))
    }
}

/// Like `placed`, but for a field that causes a finding instead of an error if it cannot be read.
pub fn placed_or_none<V: Layout, A, R: Read + Seek>(
    label: &'static Label,
    place: Place,
    parse: impl Fn(&mut Limited<'_>, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<Option<V>> {
    move |reader, endian, args| {
        let field = Aside { name: label.name, index: None, label: Some(label), has_parts: true };
        field.read_or_none(reader, &place, |reader| parse(reader, endian, args))
    }
}

/// The positions of the elements of a list, with the arguments of each.
pub fn places<E, A>(all: impl IntoIterator<Item = E>, of: impl Fn(E) -> (Place, A)) -> Vec<(Place, A)> {
    all.into_iter().map(of).collect()
}

/// Returns the arguments unchanged, so that the compiler can infer their type.
pub fn arguments<F: Readable>(args: F::Args<'_>) -> F::Args<'_> {
    args
}

/// Returns a parser for a list whose elements have separate offsets.
pub fn each_placed<V: Layout, A: Clone, R: Read + Seek>(
    label: &'static Label,
    places: Vec<(Place, A)>,
    parse: impl Fn(&mut Limited<'_>, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, ()) -> BinResult<Vec<V>> {
    move |reader, endian, ()| {
        let read = |(field, (place, args)): (Aside, &(Place, A)), reader: &mut R| {
            field.read(reader, place, |reader| parse(reader, endian, args.clone()))
        };
        each(label, &places, reader, read)
    }
}

/// Like `each_placed`, but with a finding for each element that cannot be read.
pub fn each_placed_or_none<V: Layout, A: Clone, R: Read + Seek>(
    label: &'static Label,
    places: Vec<(Place, A)>,
    parse: impl Fn(&mut Limited<'_>, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, ()) -> BinResult<Vec<Option<V>>> {
    move |reader, endian, ()| {
        let read = |(field, (place, args)): (Aside, &(Place, A)), reader: &mut R| {
            field.read_or_none(reader, place, |reader| parse(reader, endian, args.clone()))
        };
        each(label, &places, reader, read)
    }
}

fn each<V: Layout, P, R>(
    label: &'static Label,
    places: &[P],
    reader: &mut R,
    read: impl Fn((Aside, &P), &mut R) -> BinResult<V>,
) -> BinResult<Vec<V>> {
    recorder::list::<Vec<V>, _>(label, || {
        let one =
            |(index, place): (usize, &P)| read((Aside::element(label, index, index < SHOWN_ELEMENTS), place), reader);
        places.iter().enumerate().map(one).collect()
    })
}

/// A field at an offset.
#[derive(Clone, Copy)]
pub struct Aside {
    name: &'static str,
    index: Option<u64>,
    label: Option<&'static Label>,
    /// False for a field with only a single node.
    has_parts: bool,
}

impl Aside {
    /// Creates the state for reading an element of a list.
    pub fn element(label: &'static Label, index: usize, has_parts: bool) -> Self {
        Aside { name: label.name, index: Some(index as u64), label: None, has_parts }
    }

    /// Reads the field and returns to the previous position.
    pub fn read<V: Layout, R: Read + Seek>(
        self,
        reader: &mut R,
        place: &Place,
        parse: impl FnOnce(&mut Limited<'_>) -> BinResult<V>,
    ) -> BinResult<V> {
        #[cfg(feature = "arbitrary")]
        if generator::is_on() {
            return depth::deeper(|| {
                generator::elsewhere(|source| {
                    let mut reader = Limited::new(source, 0, u64::MAX);
                    recorder::aside(&mut reader, (self.name, self.index), self.label, true, parse)
                })
            });
        }
        let here = reader.stream_position()?;
        let length = reader.seek(SeekFrom::End(0))?;
        let value = elsewhere::bounded(length, || {
            elsewhere::past_limits(|| depth::deeper(|| self.at_offset(reader, place, parse)))
        });
        reader.seek(SeekFrom::Start(here))?;
        value.map_err(|error| self.refused(error))
    }

    fn read_or_none<V: Layout, R: Read + Seek>(
        self,
        reader: &mut R,
        place: &Place,
        parse: impl FnOnce(&mut Limited<'_>) -> BinResult<V>,
    ) -> BinResult<Option<V>> {
        let here = reader.stream_position()?;
        match self.read(reader, place, parse) {
            Ok(value) => Ok(Some(value)),
            Err(error) if is_unavailable(&error) => Err(error),
            Err(error) => {
                // Only structures that are too deep are skipped, not the ones after them.
                depth::start_over();
                let failure = recorder::take_failure();
                if violation::are_wanted() {
                    let length = reader.seek(SeekFrom::End(0))?;
                    reader.seek(SeekFrom::Start(here))?;
                    self.report(failure, &error, (place, length));
                }
                Ok(None)
            }
        }
    }

    fn at_offset<V: Layout, R: Read + Seek>(
        self,
        reader: &mut R,
        place: &Place,
        parse: impl FnOnce(&mut Limited<'_>) -> BinResult<V>,
    ) -> BinResult<V> {
        let wrong = |pos: u64, problem: Problem| binrw::Error::Custom { pos, err: Box::new(problem) };
        let offset = place.offset().map_err(|problem| wrong(0, problem))?;
        let length = reader.seek(SeekFrom::End(0))?;
        if offset > length || (offset == length && V::MIN_SIZE > 0) {
            return Err(wrong(offset, Problem::Outside { offset, length }));
        }
        if !elsewhere::may_go_on() {
            return Err(wrong(offset, Problem::TooOften));
        }
        let size = place.size();
        let left = length - offset;
        if let Some(size) = size.filter(|&size| size > left) {
            return Err(wrong(offset, Problem::TooMany { count: size, element: 1, left }));
        }
        let end = size.map_or(u64::MAX, |size| offset + size);
        reader.seek(SeekFrom::Start(offset))?;
        let mut reader = Limited::new(reader, offset, end);
        let read = |reader: &mut Limited<'_>| {
            let value = parse(reader)?;
            if let Some(size) = size.filter(|_| reader.reached() < end) {
                super::limited::surplus(self.name, offset..offset + size, reader.reached())?;
                reader.seek(SeekFrom::Start(end))?;
            }
            Ok(value)
        };
        let value = match peek::is_on() {
            true => glanced(&mut reader, offset, read),
            false => recorder::aside(&mut reader, (self.name, self.index), self.label, self.has_parts, read),
        };
        elsewhere::debit(reader.reached().saturating_sub(offset));
        match value {
            Err(_) if reader.is_short() => Err(io::Error::from(io::ErrorKind::WouldBlock).into()),
            value => value,
        }
    }

    /// Records an error, unless it occurred inside the field, which already had a node in that case.
    fn refused(self, error: binrw::Error) -> binrw::Error {
        recorder::fail_before(self.name, self.index, &error);
        error
    }

    /// Adds the violation that makes a field absent.
    fn report(self, failure: Option<Failure>, error: &binrw::Error, (place, length): (&Place, u64)) {
        let offset = place.offset().unwrap_or(0);
        let failure = failure.unwrap_or_else(|| Failure {
            path: recorder::path_aside(self.name, self.index),
            bytes: offset..offset,
            problem: problem(error, None),
        });
        let Failure { path, bytes, problem } = failure;
        if matches!(problem, Problem::TooOften) {
            // All structures beyond the limit share one finding.
            return if peek::is_on() {
                peek::doubt()
            };
        }
        let problem = match problem {
            Problem::End { .. } => {
                let left = length.saturating_sub(bytes.start);
                Problem::End { needed: (bytes.end - bytes.start).max(left.saturating_add(1)), left }
            }
            problem => problem,
        };
        let (rule, message) = (problem.rule(), problem.to_string());
        violation::add(|| Violation { rule, severity: Severity::Error, path, bytes, message });
    }
}

/// Reads a structure at an offset without a map.
fn glanced<V: Layout, R: Seek>(reader: &mut R, offset: u64, read: impl FnOnce(&mut R) -> BinResult<V>) -> BinResult<V> {
    let before = mode::without(TRACKED);
    let (value, _) = peek::tracked(reader, read)?;
    drop(before);
    let end = reader.stream_position()?;
    recorder::judge(&value, offset..end);
    elsewhere::claim(offset..end);
    Ok(value)
}

/// Returns whether the error is about unavailable bytes: with more bytes, the field may be readable.
fn is_unavailable(error: &binrw::Error) -> bool {
    matches!(problem(error, None), Problem::Unavailable)
}
