//! Fields that stand at offsets: the hooks that seek, read in a space of their own, and come back.

use super::derived::At;
use super::field::Readable;
use super::limited::Limited;
use super::whole::Whole;
use crate::depth;
use crate::elsewhere;
use crate::error::{Problem, problem};
use crate::finding::Severity;
use crate::flaw::{self, Flaw};
#[cfg(feature = "arbitrary")]
use crate::generator;
use crate::glance;
use crate::label::{Label, SHOWN_ELEMENTS};
use crate::mode::{self, TRACKED};
use crate::recorder::{self, Failure};
use crate::reference::Layout;
use binrw::io::{self, Read, Seek, SeekFrom};
use binrw::{BinResult, Endian};

/// The place of a field, and the bytes that it may take; or why that cannot be computed.
#[derive(Debug, Clone)]
pub struct Place(Result<(u64, Option<u64>), String>);

impl Place {
    /// An offset from an origin, and the size if one is stated.
    pub fn new<S: Whole>(at: Result<impl Whole, String>, origin: At, size: Option<Result<S, String>>) -> Self {
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
}

/// No size is stated.
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

/// The same for a field that is a finding, and no error, if it cannot be read.
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

/// The places of the elements of a list, and the arguments of each.
pub fn places<E, A>(all: impl IntoIterator<Item = E>, of: impl Fn(E) -> (Place, A)) -> Vec<(Place, A)> {
    all.into_iter().map(of).collect()
}

/// The arguments of a type.
pub fn arguments<F: Readable>(args: F::Args<'_>) -> F::Args<'_> {
    args
}

/// A list whose elements stand at offsets, each at its own.
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

/// The same for elements each of which is a finding if it cannot be read.
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
        let one = |(index, place): (usize, &P)| {
            let has_parts = index < SHOWN_ELEMENTS;
            let field = Aside { name: label.name, index: Some(index as u64), label: None, has_parts };
            read((field, place), reader)
        };
        places.iter().enumerate().map(one).collect()
    })
}

/// A field that stands aside.
#[derive(Clone, Copy)]
struct Aside {
    name: &'static str,
    index: Option<u64>,
    label: Option<&'static Label>,
    /// False for a field that gets one node alone.
    has_parts: bool,
}

impl Aside {
    fn read<V: Layout, R: Read + Seek>(
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
                // Structures that are too deep are not read; others are.
                depth::start_over();
                let failure = recorder::take_failure();
                if flaw::are_wanted() {
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
        let size = place.0.as_ref().ok().and_then(|(_, size)| *size);
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
        let value = match glance::is_on() {
            true => glanced(&mut reader, offset, read),
            false => recorder::aside(&mut reader, (self.name, self.index), self.label, self.has_parts, read),
        };
        elsewhere::debit(reader.reached().saturating_sub(offset));
        match value {
            Err(_) if reader.is_short() => Err(io::Error::from(io::ErrorKind::WouldBlock).into()),
            value => value,
        }
    }

    /// Notes an error, unless it came up inside the field, which had a node then.
    fn refused(self, error: binrw::Error) -> binrw::Error {
        recorder::fail_before(self.name, self.index, &error);
        error
    }

    /// Adds what is wrong with a field that is not there then.
    fn report(self, failure: Option<Failure>, error: &binrw::Error, (place, length): (&Place, u64)) {
        let offset = place.offset().unwrap_or(0);
        let failure = failure.unwrap_or_else(|| Failure {
            path: recorder::path_aside(self.name, self.index),
            bytes: offset..offset,
            problem: problem(error, None),
        });
        let Failure { path, bytes, problem } = failure;
        if matches!(problem, Problem::TooOften) {
            // One finding for all of them.
            return if glance::is_on() {
                glance::doubt()
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
        flaw::add(|| Flaw { rule, severity: Severity::Error, path, bytes, message });
    }
}

/// Reads a structure at an offset without a map.
fn glanced<V: Layout, R: Seek>(reader: &mut R, offset: u64, read: impl FnOnce(&mut R) -> BinResult<V>) -> BinResult<V> {
    let before = mode::without(TRACKED);
    let (value, _) = glance::tracked(reader, read)?;
    drop(before);
    let end = reader.stream_position()?;
    recorder::judge(&value, offset..end);
    elsewhere::claim(offset..end);
    Ok(value)
}

/// Returns whether bytes are not at hand: with more of them, a field can be read.
fn is_unavailable(error: &binrw::Error) -> bool {
    matches!(problem(error, None), Problem::Unavailable)
}
