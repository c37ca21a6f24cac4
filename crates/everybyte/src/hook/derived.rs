//! Numbers that follow from other fields: computed when a structure is written, and held against the bytes when it is read.

use super::whole::Whole;
use crate::error::Problem;
use crate::fields::{Counted, counted_bytes};
use crate::finding::Severity;
use crate::flaw::{self, Flaw};
use crate::glance;
use crate::passes::owed;
use crate::recorder;
use crate::sums::Sum;
use binrw::io::{self, Read, Seek, SeekFrom, Write};
use binrw::{BinResult, BinWrite, Endian};
use std::ops::Range;

/// The place where a field begins, or where it ends. It takes no bytes.
#[derive(Debug, Clone, Copy)]
pub struct At(pub u64);

impl At {
    /// The place that is read.
    pub fn here<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        Ok(At(reader.stream_position()?))
    }

    /// The place that is written.
    pub fn of<W: Seek>(writer: &mut W) -> io::Result<Self> {
        writer.stream_position().map(At)
    }

    /// The number of bytes up to another place.
    pub fn to(self, end: At) -> u64 {
        end.0.saturating_sub(self.0)
    }
}

impl BinWrite for At {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, _: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(())
    }
}

/// A number as the type of its field; the name is that of the field.
pub fn number<T: TryFrom<u64>>(number: u64, name: &str) -> Result<T, Problem> {
    T::try_from(number).map_err(|_| Problem::Invalid(format!("{number} does not fit into `{name}`")))
}

/// The number of elements of a list.
pub fn count_of<T: Counted>(list: &T) -> u64 {
    list.count()
}

/// A number that is written at its place after the other fields, since it follows from them.
#[derive(Debug, Clone, Copy)]
pub struct Settled<T>(Option<(u64, T)>);

impl<T: TryFrom<u64>> Settled<T> {
    /// A number of this value at this place.
    pub fn new(at: At, value: Result<u64, Problem>, name: &str) -> Result<Self, Problem> {
        Ok(Settled(Some((at.0, number(value?, name)?))))
    }

    /// A number about the next element of a list of a structure around, in a file that is made up.
    pub fn owed(at: At, list: &'static str, is_place: bool, name: &str) -> Result<Self, Problem> {
        match owed(list, is_place) {
            Some(value) => Settled::new(at, Ok(value), name),
            None => Ok(Settled(None)),
        }
    }
}

impl<T> Settled<T> {
    /// Nothing to write.
    pub fn none() -> Self {
        Settled(None)
    }

    /// Nothing to read.
    pub fn unread<R>(_: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        Ok(Settled(None))
    }
}

impl<T: for<'a> BinWrite<Args<'a> = ()>> BinWrite for Settled<T> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, endian: Endian, (): ()) -> BinResult<()> {
        let Some((at, number)) = &self.0 else { return Ok(()) };
        let end = writer.stream_position()?;
        writer.seek(SeekFrom::Start(*at))?;
        number.write_options(writer, endian, ())?;
        writer.seek(SeekFrom::Start(end))?;
        Ok(())
    }
}

/// The bytes of a number at a place; none if its size is not fixed.
pub const fn own(at: At, size: Option<u64>) -> Range<u64> {
    match size {
        Some(size) => at.0..at.0.saturating_add(size),
        None => at.0..at.0,
    }
}

/// Stands after a checksum of bytes that do not stand beside it: the file is explained to judge it.
pub fn judged_later<R>(_: &mut R, _: Endian, (): ()) -> BinResult<()> {
    if glance::is_on() {
        glance::doubt();
    } else if flaw::are_wanted() && !recorder::is_on() {
        flaw::add(|| {
            let message = "checksums in elements that the map does not show are not checked".to_owned();
            let (severity, path) = (Severity::Warning, recorder::open_path());
            Flaw { rule: "limit", severity, path, bytes: 0..0, message }
        });
    }
    Ok(())
}

/// Holds a checksum against the bytes that it is made of.
pub fn summed<T: TryInto<u64>, R: Read + Seek>(
    sum: Option<&'static Sum>,
    name: &'static str,
    (start, end): (At, At),
    own: Range<u64>,
    stated: T,
) -> impl FnOnce(&mut R, Endian, ()) -> BinResult<Settled<T>> {
    move |reader, _, ()| {
        if let Some(sum) = sum.filter(|_| flaw::are_wanted() && flaw::may_sum(start.to(end), end.0)) {
            let here = reader.stream_position()?;
            reader.seek(SeekFrom::Start(start.0))?;
            let bytes = counted_bytes(reader, usize::try_from(start.to(end)).unwrap_or(usize::MAX));
            reader.seek(SeekFrom::Start(here))?;
            // Bytes that are not at hand are not judged.
            let expected = bytes.ok().map(|bytes| sum.of(&sum.bytes(&bytes, start.0..end.0, own.clone())));
            if let Some(expected) = expected.filter(|&expected| stated.try_into().ok() != Some(expected)) {
                flaw::add(|| {
                    let message = sum.told(expected, start.to(end), own.clone());
                    let path = recorder::path_beside(name);
                    let bytes = recorder::bytes_beside(name).unwrap_or(own.start..here.max(own.start));
                    Flaw { rule: "checksum", severity: Severity::Error, path, bytes, message }
                });
            }
        }
        Ok(Settled(None))
    }
}

/// Notes the number that a rule asks of the next field, if a file is made up.
pub fn wanted<R, T: Whole>(number: impl Fn() -> Result<T, String>) -> impl FnOnce(&mut R, Endian, ()) -> BinResult<()> {
    move |_, _, ()| {
        #[cfg(feature = "arbitrary")]
        if crate::generator::is_on()
            && let Some(number) = number().ok().and_then(|number| number.whole())
        {
            crate::generator::want(number);
        }
        let _ = number;
        Ok(())
    }
}

/// The same for a run of bits of this name.
pub fn wanted_run<R>(
    run: &'static str,
    number: impl Fn() -> Option<u64>,
) -> impl FnOnce(&mut R, Endian, ()) -> BinResult<()> {
    move |_, _, ()| {
        #[cfg(feature = "arbitrary")]
        if crate::generator::is_on()
            && let Some(number) = number()
        {
            crate::generator::want_run(run, number);
        }
        let _ = (run, number);
        Ok(())
    }
}

/// The other side of an equation about a run of bits. It is a number if `T` is one: the traits below are chosen by that.
pub struct Asked<T>(Option<T>);

impl<T> Asked<T> {
    /// The result of a computation; nothing if it has none.
    pub fn of(value: Result<T, String>) -> Self {
        Asked(value.ok())
    }
}

/// The choice for a number.
pub trait AskedNumber {
    /// The number.
    fn asked(&self) -> Option<u64>;
}

impl<T: Whole> AskedNumber for Asked<T> {
    fn asked(&self) -> Option<u64> {
        self.0.as_ref().and_then(Whole::whole)
    }
}

/// The choice for anything else.
pub trait AskedNothing {
    /// No number.
    fn asked(&self) -> Option<u64> {
        None
    }
}

impl<T> AskedNothing for &Asked<T> {}

/// Holds a field against a rule of the format. A condition that cannot be computed does not hold. Files that are made up hold it if
/// `is_met`.
pub fn rule<R: Seek>(
    (rule, severity, is_met): (&'static str, Severity, bool),
    name: &'static str,
    at: At,
    holds: impl Fn() -> Result<bool, String>,
    words: impl Fn() -> String,
) -> impl FnOnce(&mut R, Endian, ()) -> BinResult<()> {
    move |reader, _, ()| {
        let violation = || match holds() {
            Ok(true) => None,
            Ok(false) => Some(words()),
            Err(message) => Some(message),
        };
        #[cfg(not(feature = "arbitrary"))]
        let _ = is_met;
        #[cfg(feature = "arbitrary")]
        if crate::generator::is_on()
            && is_met
            && let Some(message) = violation()
        {
            return Err(binrw::Error::AssertFail { pos: at.0, message });
        }
        if flaw::are_wanted()
            && let Some(message) = violation()
        {
            let end = reader.stream_position()?;
            let path = recorder::path_beside(name);
            flaw::add(|| Flaw { rule, severity, path, bytes: at.0..end.max(at.0), message });
        }
        Ok(())
    }
}

/// The words of a rule, with what they say about the file.
pub fn words(words: std::fmt::Arguments<'_>) -> String {
    words.to_string()
}

/// A writer and a seeker of any type: structures inside structures have the same writer.
trait Stream: Write + Seek {}

impl<W: Write + Seek> Stream for W {}

/// A writer that keeps what is written, so that it can be summed.
pub struct Kept<'w> {
    inner: &'w mut (dyn Stream + 'w),
    position: u64,
    /// The offset of each run of bytes, and the bytes. Those between the runs belong to the caller.
    runs: Vec<(u64, Vec<u8>)>,
}

impl<'w> Kept<'w> {
    /// Keeps what is written from here on.
    pub fn new<W: Write + Seek>(writer: &'w mut W) -> Self {
        let position = writer.stream_position().unwrap_or(0);
        Kept { inner: writer, position, runs: Vec::new() }
    }

    /// The sum of the bytes between two places.
    pub fn sum(&self, sum: Option<&'static Sum>, (start, end): (At, At), own: Range<u64>) -> Result<u64, Problem> {
        let bytes = self.runs.iter().find_map(|(offset, bytes)| {
            let place = |at: At| usize::try_from(at.0.checked_sub(*offset)?).ok();
            bytes.get(place(start)?..place(end)?)
        });
        let bytes = if start.to(end) == 0 { Some(&[][..]) } else { bytes };
        let made = sum.zip(bytes).map(|(sum, bytes)| sum.of(&sum.bytes(bytes, start.0..end.0, own)));
        made.ok_or_else(|| {
            let why = "the bytes of a checksum are not in the value: their field needs a type that holds them";
            Problem::Invalid(why.into())
        })
    }
}

impl Write for Kept<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        let bytes = &bytes[..written];
        let run = self.runs.iter_mut().rev().find_map(|(offset, run)| {
            let place = usize::try_from(self.position.checked_sub(*offset)?).ok()?;
            (place <= run.len()).then_some((place, run))
        });
        match run {
            Some((place, run)) => {
                let over = written.min(run.len() - place);
                run[place..place + over].copy_from_slice(&bytes[..over]);
                run.extend_from_slice(&bytes[over..]);
            }
            None => self.runs.push((self.position, bytes.to_vec())),
        }
        self.position += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Seek for Kept<'_> {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        self.position = self.inner.seek(target)?;
        Ok(self.position)
    }

    fn stream_position(&mut self) -> io::Result<u64> {
        Ok(self.position)
    }
}
