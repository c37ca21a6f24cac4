//! Numbers that follow from other fields. They are computed when a structure is written and checked when it is read.
//!
//! A length precedes the bytes that it counts, so its value is not yet known when the writer reaches it. The
//! generated writer writes a zero, records the position with [`At`], writes the other fields, and then seeks back,
//! which is what [`Settled`] does. A checksum also needs the bytes that were written. The writer is wrapped in
//! [`Kept`], which keeps a copy of these bytes, because the underlying writer cannot read them back.
//!
//! When reading, the same declaration becomes a check. It never stops the reader: a wrong number is only reported as a violation.

use super::offset_value::OffsetValue;
use super::states::{States, StatesA};
use crate::error::Problem;
use crate::fields::{Counted, counted_bytes};
use crate::finding::Severity;
use crate::passes::owed;
use crate::peek;
use crate::recorder;
use crate::sums::{Sum, Summed};
use crate::violation::{self, Violation};
use binrw::io::{self, Read, Seek, SeekFrom, Write};
use binrw::{BinResult, BinWrite, Endian};
use std::ops::Range;

/// The position at which a field begins or ends. It takes no bytes.
#[derive(Debug, Clone, Copy)]
pub struct At(pub u64);

impl At {
    /// The current position of the reader.
    pub fn here<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        Ok(At(reader.stream_position()?))
    }

    /// The current position of the writer.
    pub fn of<W: Seek>(writer: &mut W) -> io::Result<Self> {
        writer.stream_position().map(At)
    }

    /// The number of bytes up to another position.
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

/// Converts a number to the type of its field, which is named in the error.
pub fn number<T: TryFrom<u64>>(number: u64, name: &str) -> Result<T, Problem> {
    T::try_from(number).map_err(|_| Problem::Invalid(format!("{number} does not fit into `{name}`")))
}

/// A placeholder for a checksum that is not known yet, in the type of its field; `name` is the name of the field.
pub fn blank<T: States>(name: &str) -> Result<T, Problem> {
    T::blank().ok_or_else(|| Problem::Invalid(format!("`{name}` has no room for a checksum")))
}

/// Compiles only if a field of type `T` can contain the result of the function.
pub const fn ensure_stated<T: StatesA<S>, S>(_: fn(&[u8]) -> S) {}

/// Compiles only if a checksum can be compared with a field of type `T`.
pub const fn ensure_check<T: States>() {}

/// The number of elements in a list.
pub fn count_of<T: Counted>(list: &T) -> u64 {
    list.count()
}

/// A number that is written to its position after the other fields, because it follows from them.
#[derive(Debug, Clone, Copy)]
pub struct Settled<T>(Option<(u64, T)>);

impl<T: TryFrom<u64>> Settled<T> {
    /// Creates a number with this value at this position.
    pub fn new(at: At, value: Result<u64, Problem>, name: &str) -> Result<Self, Problem> {
        Ok(Settled(Some((at.0, number(value?, name)?))))
    }

    /// Creates a number that describes the next element of a list in an enclosing structure, for a generated file.
    pub fn owed(at: At, list: &'static str, is_place: bool, name: &str) -> Result<Self, Problem> {
        match owed(list, is_place) {
            Some(value) => Settled::new(at, Ok(value), name),
            None => Ok(Settled(None)),
        }
    }
}

impl<T: States> Settled<T> {
    /// Creates a checksum at this position.
    pub fn summed(at: At, sum: Result<Summed, Problem>, name: &str) -> Result<Self, Problem> {
        let sum = sum?;
        match T::of_sum(&sum) {
            Some(value) => Ok(Settled(Some((at.0, value)))),
            None => Err(Problem::Invalid(format!("the checksum {sum} does not fit into `{name}`"))),
        }
    }
}

impl<T> Settled<T> {
    /// Creates a value that writes nothing.
    pub fn none() -> Self {
        Settled(None)
    }

    /// Reads nothing.
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

/// The bytes of a number at a position; empty if its size is not fixed.
pub const fn own(at: At, size: Option<u64>) -> Range<u64> {
    match size {
        Some(size) => at.0..at.0.saturating_add(size),
        None => at.0..at.0,
    }
}

/// Runs after a checksum over bytes elsewhere, which is checked by explaining the file.
pub fn judged_later<R>(_: &mut R, _: Endian, (): ()) -> BinResult<()> {
    if peek::is_on() {
        peek::doubt();
    } else if violation::are_wanted() && !recorder::is_on() {
        violation::add(|| {
            let message = "checksums in elements that the map does not show are not checked".to_owned();
            let (severity, path) = (Severity::Warning, recorder::open_path());
            Violation { rule: "limit", severity, path, bytes: 0..0, message }
        });
    }
    Ok(())
}

/// Verifies a checksum against the bytes that it covers.
pub fn summed<T: States, R: Read + Seek>(
    sum: Option<&'static Sum>,
    name: &'static str,
    (start, end): (At, At),
    own: Range<u64>,
    stated: T,
) -> impl FnOnce(&mut R, Endian, ()) -> BinResult<Settled<T>> {
    move |reader, _, ()| {
        if let Some(sum) = sum.filter(|_| violation::are_wanted() && violation::may_sum(start.to(end), end.0)) {
            let here = reader.stream_position()?;
            reader.seek(SeekFrom::Start(start.0))?;
            let bytes = counted_bytes(reader, usize::try_from(start.to(end)).unwrap_or(usize::MAX));
            reader.seek(SeekFrom::Start(here))?;
            // Unavailable bytes are not checked.
            let expected = bytes.ok().map(|bytes| sum.of(&sum.bytes(&bytes, start.0..end.0, own.clone())));
            if let Some(expected) = expected.filter(|expected| stated.stated().as_ref() != Some(expected)) {
                violation::add(|| {
                    let message = sum.told(&expected, start.to(end), own.clone());
                    let path = recorder::path_beside(name);
                    let bytes = recorder::bytes_beside(name).unwrap_or(own.start..here.max(own.start));
                    Violation { rule: "checksum", severity: Severity::Error, path, bytes, message }
                });
            }
        }
        Ok(Settled(None))
    }
}

/// Records the number that a rule requires of the next field, if a file is being generated.
pub fn wanted<R, T: OffsetValue>(
    number: impl Fn() -> Result<T, String>,
) -> impl FnOnce(&mut R, Endian, ()) -> BinResult<()> {
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

/// Like `wanted`, but for a bit field with this name.
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

/// The other side of an equation about a bit field. Whether `T` is a number selects one of the traits below.
pub struct Asked<T>(Option<T>);

impl<T> Asked<T> {
    /// The result of a computation, if there is one.
    pub fn of(value: Result<T, String>) -> Self {
        Asked(value.ok())
    }
}

/// Selected for a number.
pub trait AskedNumber {
    /// The number.
    fn asked(&self) -> Option<u64>;
}

impl<T: OffsetValue> AskedNumber for Asked<T> {
    fn asked(&self) -> Option<u64> {
        self.0.as_ref().and_then(OffsetValue::whole)
    }
}

/// Selected for anything else.
pub trait AskedNothing {
    /// Returns `None`, because there is no number.
    fn asked(&self) -> Option<u64> {
        None
    }
}

impl<T> AskedNothing for &Asked<T> {}

/// Checks a field against a rule of the format. A condition that cannot be computed counts as violated. Generated files satisfy the
/// rule if `is_met` is true.
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
        if violation::are_wanted()
            && let Some(message) = violation()
        {
            let end = reader.stream_position()?;
            let path = recorder::path_beside(name);
            violation::add(|| Violation { rule, severity, path, bytes: at.0..end.max(at.0), message });
        }
        Ok(())
    }
}

/// The message of a rule, with the values from the file.
pub fn words(words: std::fmt::Arguments<'_>) -> String {
    words.to_string()
}

/// A writer and seeker of any type, so that nested structures have the same writer.
trait Stream: Write + Seek {}

impl<W: Write + Seek> Stream for W {}

/// A writer that keeps the written bytes, for checksums.
///
/// It stores the writer as a trait object. Otherwise, each nested structure with a checksum would add a level to the
/// writer's type, endlessly for a type that contains itself.
pub struct Kept<'w> {
    inner: &'w mut (dyn Stream + 'w),
    position: u64,
    /// The runs of written bytes, each with its offset. Bytes between the runs belong to the caller.
    runs: Vec<(u64, Vec<u8>)>,
}

impl<'w> Kept<'w> {
    /// Creates a writer that keeps everything written from here on.
    pub fn new<W: Write + Seek>(writer: &'w mut W) -> Self {
        let position = writer.stream_position().unwrap_or(0);
        Kept { inner: writer, position, runs: Vec::new() }
    }

    /// The checksum of the bytes between two positions.
    pub fn sum(&self, sum: Option<&'static Sum>, (start, end): (At, At), own: Range<u64>) -> Result<Summed, Problem> {
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
