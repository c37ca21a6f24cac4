//! Structures at offsets, written: those whose offsets are computed stand after all that is written in order.
//!
//! Nothing is known of a place before everything in front of it has a length. So a value is written again, until each structure
//! has the place that the numbers say.

use super::derived::{At, number};
use super::field::Writable;
use crate::error::Problem;
use binrw::io::{Read, Seek, SeekFrom, Write};
use binrw::{BinResult, BinWrite, Endian};
use std::cell::RefCell;
use std::ops::Range;

/// The times that a value is written at most: places depend on lengths, and padding on places.
const MOST_PASSES: u32 = 8;

/// The bytes without content that may stand before a structure at an offset that the value states.
const MOST_EMPTY: u64 = 1 << 24;

/// The places of a value's structures.
#[derive(Debug, Default, Clone)]
struct Plan {
    /// The offsets of the structures whose offsets are computed, as the last pass left them.
    offsets: Vec<u64>,
    /// Their lengths in this pass.
    lengths: Vec<u64>,
    /// The end of what is written so far.
    reached: u64,
    /// The bytes of all structures in this pass.
    taken: Vec<Range<u64>>,
    /// The end of those whose offsets the value states.
    stated: u64,
    /// True if offsets are computed that the value states.
    is_all: bool,
}

thread_local! {
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
}

/// The plan of the value around this one. It is restored on drop, even in a panic.
struct Outer(Option<Plan>);

impl Drop for Outer {
    fn drop(&mut self) {
        PLAN.set(self.0.take());
    }
}

/// A value that is written: as it stands, or with all numbers computed that say where structures stand.
#[derive(Debug, Clone, Copy)]
pub struct Passes {
    /// The offset of the value.
    pub from: u64,
    /// The end of the bytes over which the value is written.
    pub over: u64,
    /// True if numbers of the value are computed, too.
    pub is_all: bool,
}

impl Passes {
    /// Writes a value: `write` is called until the places fit, and its last result counts. It returns the end of what is written
    /// in order.
    pub fn run<T>(self, mut write: impl FnMut() -> BinResult<(T, u64)>) -> BinResult<T> {
        let plan = Plan { reached: self.over, is_all: self.is_all, ..Plan::default() };
        let _outer = Outer(PLAN.replace(Some(plan)));
        self.settled(&mut write)
    }

    /// The same for a value that is measured first: `write` is called once, when the places fit.
    pub fn measured<T>(
        self,
        mut measure: impl FnMut() -> BinResult<u64>,
        write: impl FnOnce() -> BinResult<T>,
    ) -> BinResult<T> {
        let plan = Plan { reached: self.over, is_all: self.is_all, ..Plan::default() };
        let _outer = Outer(PLAN.replace(Some(plan)));
        self.settled(|| Ok(((), measure()?)))?;
        write()
    }

    fn settled<T>(self, mut write: impl FnMut() -> BinResult<(T, u64)>) -> BinResult<T> {
        for _ in 0..MOST_PASSES {
            let (written, end) = write()?;
            let settled = PLAN.with_borrow_mut(|plan| plan.as_mut().map_or(Ok(true), |plan| plan.settle(end, self)));
            if settled.map_err(refused)? {
                return Ok(written);
            }
        }
        let why = "the structures at offsets have no places: where they stand changes how long they are";
        Err(refused(Problem::Invalid(why.to_owned())))
    }
}

impl Plan {
    /// Places the structures after each other. Returns whether they stood there.
    fn settle(&mut self, end: u64, passes: Passes) -> Result<bool, Problem> {
        let mut taken = std::mem::take(&mut self.taken);
        taken.push(passes.from..end);
        let end = end.max(std::mem::take(&mut self.stated));
        let place = |end: &mut u64, &length: &u64| Some(std::mem::replace(end, end.saturating_add(length)));
        let offsets: Vec<u64> = self.lengths.iter().scan(end, place).collect();
        let is_settled = offsets == self.offsets;
        (self.offsets, self.reached) = (offsets, passes.over);
        self.lengths.clear();
        if is_settled {
            ensure_apart(taken)?;
        }
        Ok(is_settled)
    }
}

/// Refuses structures that share bytes: what is written last would be read in place of the others.
fn ensure_apart(mut taken: Vec<Range<u64>>) -> Result<(), Problem> {
    taken.retain(|bytes| bytes.start < bytes.end);
    taken.sort_by_key(|bytes| bytes.start);
    match taken.windows(2).find(|pair| pair[1].start < pair[0].end) {
        Some(pair) => {
            let why = format!("two structures would share the byte at the offset {}", pair[1].start);
            Err(Problem::Invalid(why))
        }
        None => Ok(()),
    }
}

fn refused(problem: Problem) -> binrw::Error {
    binrw::Error::Custom { pos: 0, err: Box::new(problem) }
}

/// The structures of a field that stand at offsets. They take no bytes in order.
#[derive(Debug, Clone)]
pub struct Slots {
    places: Places,
    lengths: std::cell::Cell<u64>,
}

#[derive(Debug, Clone)]
enum Places {
    /// The numbers of the structures among all of the plan.
    Computed(Range<usize>),
    /// The offsets that the value states.
    Stated(Vec<u64>),
}

impl Slots {
    /// Reads nothing.
    pub fn unread<R: Read + Seek>(_: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        Ok(Slots::of(Places::Stated(Vec::new())))
    }

    fn of(places: Places) -> Self {
        Slots { places, lengths: std::cell::Cell::new(0) }
    }

    /// A place for a structure that may be absent. `is_told` says that a condition tells a reader so; the number is 0 then.
    pub fn computed_option(is_there: bool, is_told: bool) -> Result<Self, Problem> {
        match is_there || is_told {
            true => Slots::computed(usize::from(is_there)),
            false => Err(Problem::Invalid("a structure that is not there has no offset that could be computed".into())),
        }
    }

    /// Places for elements, all of which have to be there.
    pub fn computed_options(are_there: impl IntoIterator<Item = bool>) -> Result<Self, Problem> {
        let are_there: Vec<bool> = are_there.into_iter().collect();
        match are_there.iter().all(|&is_there| is_there) {
            true => Slots::computed(are_there.len()),
            false => Slots::computed_option(false, false),
        }
    }

    /// Places for this many structures.
    pub fn computed(count: usize) -> Result<Self, Problem> {
        PLAN.with_borrow_mut(|plan| {
            let why = "a value with structures at computed offsets is written by `everybyte::write`";
            let plan = plan.as_mut().ok_or_else(|| Problem::Invalid(why.to_owned()))?;
            let first = plan.lengths.len();
            plan.lengths.extend(std::iter::repeat_n(0, count));
            Ok(Slots::of(Places::Computed(first..first + count)))
        })
    }

    /// The places that the value states, for this many structures.
    pub fn stated(count: usize, offsets: impl IntoIterator<Item = Result<u64, Problem>>) -> Result<Self, Problem> {
        let offsets = offsets.into_iter().take(count).collect::<Result<Vec<u64>, Problem>>()?;
        if offsets.len() < count {
            let why = format!("there are {count} structures, but {} offsets", offsets.len());
            return Err(Problem::Invalid(why));
        }
        Ok(Slots::of(Places::Stated(offsets)))
    }

    /// The place of a structure.
    pub fn place(&self, index: usize) -> At {
        At(match &self.places {
            Places::Stated(offsets) => offsets.get(index).copied().unwrap_or(0),
            Places::Computed(slots) => {
                let slot = Some(slots.start + index).filter(|slot| slots.contains(slot));
                let offset = |plan: &Option<Plan>| plan.as_ref()?.offsets.get(slot?).copied();
                PLAN.with_borrow(offset).unwrap_or(0)
            }
        })
    }

    /// The bytes of the structures.
    pub fn length(&self) -> u64 {
        self.lengths.get()
    }

    /// Writes one structure at its place, and comes back.
    fn write<W: Seek>(
        &self,
        index: usize,
        writer: &mut W,
        write: impl FnOnce(&mut W) -> BinResult<()>,
    ) -> BinResult<()> {
        let (here, At(start)) = (writer.stream_position()?, self.place(index));
        PLAN.with_borrow_mut(|plan| {
            let reached = plan.as_ref().map_or(here, |plan| plan.reached.max(here));
            if matches!(self.places, Places::Stated(_)) && start > reached.saturating_add(MOST_EMPTY) {
                let why =
                    format!("a structure at the offset {start} would stand after more than {MOST_EMPTY} empty bytes");
                return Err(refused(Problem::Invalid(why)));
            }
            Ok(())
        })?;
        writer.seek(SeekFrom::Start(start))?;
        write(writer)?;
        let end = writer.stream_position()?;
        let length = end.saturating_sub(start);
        self.lengths.set(self.lengths.get().saturating_add(length));
        PLAN.with_borrow_mut(|plan| {
            let Some(plan) = plan else { return };
            plan.reached = plan.reached.max(end);
            plan.taken.push(start..end);
            match &self.places {
                Places::Computed(slots) => plan.lengths[slots.start + index] = length,
                Places::Stated(_) => plan.stated = plan.stated.max(end),
            }
        });
        writer.seek(SeekFrom::Start(here))?;
        Ok(())
    }
}

/// Returns whether numbers that the value states are computed.
pub fn is_all() -> bool {
    PLAN.with_borrow(|plan| plan.as_ref().is_some_and(|plan| plan.is_all))
}

impl BinWrite for Slots {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, _: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(())
    }
}

/// Writes a field at its offset.
pub fn write_placed<'s, F: Writable, W: Write + Seek>(
    slots: &'s Slots,
) -> impl Fn(&F::Value, &mut W, Endian, F::Args<'_>) -> BinResult<()> + 's {
    move |value, writer, endian, args| slots.write(0, writer, |writer| F::write(value, writer, endian, args))
}

/// Writes a field at its offset, if it is there.
pub fn write_placed_option<'s, F: Writable, W: Write + Seek>(
    slots: &'s Slots,
) -> impl Fn(&Option<F::Value>, &mut W, Endian, F::Args<'_>) -> BinResult<()> + 's {
    move |value, writer, endian, args| match value {
        Some(value) => slots.write(0, writer, |writer| F::write(value, writer, endian, args)),
        None => Ok(()),
    }
}

/// Writes each element at its offset.
pub fn write_each_placed<'s, F: Writable, W: Write + Seek>(
    slots: &'s Slots,
) -> impl Fn(&Vec<F::Value>, &mut W, Endian, F::Args<'_>) -> BinResult<()> + 's
where
    for<'a> F::Args<'a>: Clone,
{
    move |list, writer, endian, args| {
        for (index, value) in list.iter().enumerate() {
            slots.write(index, writer, |writer| F::write(value, writer, endian, args.clone()))?;
        }
        Ok(())
    }
}

/// Elements that may be absent.
type Options<F> = Vec<Option<<F as Writable>::Value>>;

/// Writes each element that is there at its offset.
pub fn write_each_placed_option<'s, F: Writable, W: Write + Seek>(
    slots: &'s Slots,
) -> impl Fn(&Options<F>, &mut W, Endian, F::Args<'_>) -> BinResult<()> + 's
where
    for<'a> F::Args<'a>: Clone,
{
    move |list, writer, endian, args| {
        for (index, value) in list.iter().enumerate() {
            let Some(value) = value else { continue };
            slots.write(index, writer, |writer| F::write(value, writer, endian, args.clone()))?;
        }
        Ok(())
    }
}

/// The numbers of a list before they are known; the name is that of the field.
pub fn unset_list<T: TryFrom<u64>>(count: usize, name: &str) -> Result<Vec<T>, Problem> {
    (0..count).map(|_| number(0, name)).collect()
}

/// Numbers of a list, each written at its place after the other fields.
#[derive(Debug, Clone)]
pub struct SettledList<T>(Option<(u64, Vec<T>)>);

impl<T: TryFrom<u64>> SettledList<T> {
    /// The offsets of some structures from an origin, which are written at this place.
    pub fn new(at: At, slots: &Slots, count: usize, origin: At, name: &str) -> Result<Self, Problem> {
        let one = |index| number(origin.to(slots.place(index)), name);
        Ok(SettledList(Some((at.0, (0..count).map(one).collect::<Result<_, _>>()?))))
    }
}

impl<T> SettledList<T> {
    /// Nothing to write.
    pub fn none() -> Self {
        SettledList(None)
    }

    /// Nothing to read.
    pub fn unread<R>(_: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        Ok(SettledList(None))
    }
}

impl<T: for<'a> BinWrite<Args<'a> = ()>> BinWrite for SettledList<T> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, endian: Endian, (): ()) -> BinResult<()> {
        let Some((at, numbers)) = &self.0 else { return Ok(()) };
        let end = writer.stream_position()?;
        writer.seek(SeekFrom::Start(*at))?;
        numbers.iter().try_for_each(|number| number.write_options(writer, endian, ()))?;
        writer.seek(SeekFrom::Start(end))?;
        Ok(())
    }
}
