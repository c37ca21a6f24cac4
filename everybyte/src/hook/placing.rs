//! Writes structures at offsets: their positions and the numbers that state them.
//!
//! A field whose offset is computed gets a slot in the plan of [`passes`](crate::passes). Slots are placed in order after
//! everything that is written in sequence. A field whose offset is in the value is written there, even if that leaves a gap. The
//! gap is limited to [`MOST_EMPTY`], because a wrong offset must not make the writer fill gigabytes with zeros.

use super::derived::{At, number};
use super::field::Writable;
use crate::error::Problem;
use crate::passes::{Plan, give, refused, with_plan};
use binrw::io::{Read, Seek, SeekFrom, Write};
use binrw::{BinResult, BinWrite, Endian};
use std::ops::Range;

/// The maximum gap before a structure at an offset that the value states.
const MOST_EMPTY: u64 = 1 << 24;

/// The structures that a field stores at offsets. They take no bytes in sequence.
#[derive(Debug, Clone)]
pub struct Slots {
    places: Places,
    lengths: std::cell::Cell<u64>,
    /// The name of the field and the origin of its offset.
    named: Option<(&'static str, At)>,
    /// True if each structure states the position of the next one.
    is_chain: bool,
}

#[derive(Debug, Clone)]
enum Places {
    /// The numbers of the structures in the plan.
    Computed(Range<usize>),
    /// The offsets stated by the value.
    Stated(Vec<u64>),
}

impl Slots {
    /// Reads nothing.
    pub fn unread<R: Read + Seek>(_: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        Ok(Slots::of(Places::Stated(Vec::new())))
    }

    fn of(places: Places) -> Self {
        Slots { places, lengths: std::cell::Cell::new(0), named: None, is_chain: false }
    }

    /// Sets the name of the field and the origin of its offsets.
    pub fn named(self, name: &'static str, origin: At) -> Self {
        Slots { named: Some((name, origin)), ..self }
    }

    /// Marks the structures as a chain, in which each one states the offset of the next.
    pub fn chained(self) -> Self {
        Slots { is_chain: true, ..self }
    }

    /// Creates the position of a structure that may be absent. With `is_told`, readers use a condition to determine
    /// whether it is present. Otherwise, an absent structure has the offset 0.
    pub fn computed_option(is_there: bool, is_told: bool) -> Result<Self, Problem> {
        match is_there || is_told {
            true => Slots::computed(usize::from(is_there)),
            false => Err(Problem::Invalid("a structure that is not there has no offset that could be computed".into())),
        }
    }

    /// Creates positions for elements that must all be present.
    pub fn computed_options(are_there: impl IntoIterator<Item = bool>) -> Result<Self, Problem> {
        let are_there: Vec<bool> = are_there.into_iter().collect();
        match are_there.iter().all(|&is_there| is_there) {
            true => Slots::computed(are_there.len()),
            false => Slots::computed_option(false, false),
        }
    }

    /// Creates positions for this many structures.
    pub fn computed(count: usize) -> Result<Self, Problem> {
        with_plan(|plan| {
            let why = "a value with structures at computed offsets is written by `everybyte::write`";
            let plan = plan.ok_or_else(|| Problem::Invalid(why.to_owned()))?;
            let first = plan.lengths.len();
            plan.lengths.extend(std::iter::repeat_n(0, count));
            Ok(Slots::of(Places::Computed(first..first + count)))
        })
    }

    /// Creates the positions of this many structures from the offsets in the value.
    pub fn stated(count: usize, offsets: impl IntoIterator<Item = Result<u64, Problem>>) -> Result<Self, Problem> {
        let offsets = offsets.into_iter().take(count).collect::<Result<Vec<u64>, Problem>>()?;
        if offsets.len() < count {
            let why = format!("there are {count} structures, but {} offsets", offsets.len());
            return Err(Problem::Invalid(why));
        }
        Ok(Slots::of(Places::Stated(offsets)))
    }

    /// The position of a structure.
    pub fn place(&self, index: usize) -> At {
        At(match &self.places {
            Places::Stated(offsets) => offsets.get(index).copied().unwrap_or(0),
            Places::Computed(slots) => {
                let slot = Some(slots.start + index).filter(|slot| slots.contains(slot));
                let offset = |plan: Option<&mut Plan>| plan?.offsets.get(slot?).copied();
                with_plan(offset).unwrap_or(0)
            }
        })
    }

    /// The total length of the structures in bytes.
    pub fn length(&self) -> u64 {
        self.lengths.get()
    }

    /// Writes one structure at its position and returns to the previous one.
    fn write<W: Seek>(
        &self,
        index: usize,
        writer: &mut W,
        write: impl FnOnce(&mut W) -> BinResult<()>,
    ) -> BinResult<()> {
        // A list that is not written has no slots.
        if matches!(&self.places, Places::Computed(slots) if !slots.contains(&(slots.start + index))) {
            return Ok(());
        }
        let (here, At(start)) = (writer.stream_position()?, self.place(index));
        with_plan(|plan| {
            let reached = plan.map_or(here, |plan| plan.reached.max(here));
            if matches!(self.places, Places::Stated(_)) && start > reached.saturating_add(MOST_EMPTY) {
                let why = format!("a structure at offset {start} would follow more than {MOST_EMPTY} empty bytes");
                return Err(refused(Problem::Invalid(why)));
            }
            Ok(())
        })?;
        writer.seek(SeekFrom::Start(start))?;
        write(writer)?;
        let end = writer.stream_position()?;
        let length = end.saturating_sub(start);
        self.lengths.set(self.lengths.get().saturating_add(length));
        // The offset of a chain's first element is not stored in an element.
        if let Some((name, origin)) = self.named.filter(|_| !self.is_chain || index > 0) {
            give(name, origin.to(At(start)), length);
        }
        with_plan(|plan| {
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

/// Writes a field at its offset, if it is present.
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
        if let Some((name, _)) = slots.named.filter(|_| slots.is_chain && !list.is_empty()) {
            // The last element states that no element follows it.
            give(name, 0, 0);
        }
        Ok(())
    }
}

/// Elements that may be absent.
type Options<F> = Vec<Option<<F as Writable>::Value>>;

/// Writes each element that is present at its offset.
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

/// Placeholders for the numbers of a list that are not known yet; `name` is the name of the field.
pub fn unset_list<T: TryFrom<u64>>(count: usize, name: &str) -> Result<Vec<T>, Problem> {
    (0..count).map(|_| number(0, name)).collect()
}

/// Numbers of a list, each written to its position after the other fields.
#[derive(Debug, Clone)]
pub struct SettledList<T>(Option<(u64, Vec<T>)>);

impl<T: TryFrom<u64>> SettledList<T> {
    /// Prepares to write the offsets of some structures from an origin.
    pub fn new(at: At, slots: &Slots, count: usize, origin: At, name: &str) -> Result<Self, Problem> {
        let one = |index| number(origin.to(slots.place(index)), name);
        Ok(SettledList(Some((at.0, (0..count).map(one).collect::<Result<_, _>>()?))))
    }
}

impl<T> SettledList<T> {
    /// Creates a value that writes nothing.
    pub fn none() -> Self {
        SettledList(None)
    }

    /// Reads nothing.
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
