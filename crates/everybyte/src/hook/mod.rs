//! The hooks that `#[layout]` gives to fields: parsers that stand in for a field's own, and record where it stands.
//!
//! Recording is off unless [`crate::trace`] runs. While it is off, a hook costs one look at a thread-local flag.

mod arithmetic;
mod derived;
mod field;
mod inline;
mod limited;

/// For what the macro itself implements, where the binrw of its user makes no difference.
pub use binrw;

pub use crate::fields::{Counted, OfBytes};
pub use crate::label::Label;
pub use arithmetic::{Arithmetic, Operand, Operator, computed};
pub use derived::{At, Kept, Settled, count_of, number, rule, summed, words};
pub use field::{Field, Held, NoArguments, Readable, Writable, bare, field, recorded, written};
#[cfg(feature = "arbitrary")]
pub use field::{Made, alternative_of, nested};
pub use inline::{inline, sized_inline, value_or_name};
pub use limited::{Limited, exactly, size, sized};

use crate::error::Problem;
use crate::fields::{bytes_left, counted_bytes, ensure_at_hand};
#[cfg(feature = "arbitrary")]
use crate::generator;
use crate::label::SHOWN_ELEMENTS;
use crate::reading::element;
use crate::recorder;
use crate::reference::Layout;
use crate::trace::write;
use binrw::io::{Read, Seek, SeekFrom};
use binrw::{BinRead, BinResult, BinWrite, Endian, VecArgs};

/// Lists larger than this are checked against the bytes at hand before they are allocated.
const LARGE_LIST: u64 = 1 << 20;

/// The binrw that everybyte uses. `#[layout]` requires it of the crate that it stands in.
#[diagnostic::on_unimplemented(
    message = "this crate depends on another version of `binrw` than `everybyte`",
    label = "another version",
    note = "write `binrw = \"0.15\"` into the dependencies of this crate"
)]
pub trait SameBinrw {}

impl SameBinrw for Endian {}

/// Compiles only for a type of the binrw that everybyte uses.
pub const fn assert_same_binrw<T: SameBinrw>() {}

/// A field that is mapped: the argument of the function that maps it is read the way its type says.
pub fn mapped<'a, V: BinRead + Layout, R: Read + Seek>(
    label: &'static Label,
) -> impl Fn(&mut R, Endian, V::Args<'a>) -> BinResult<V> {
    recorded(label, V::read_options)
}

/// A field with assertions, which are looked at after it was read. Its node is complete once they hold.
pub fn asserted<V, A, R>(
    parse: impl Fn(&mut R, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<V> {
    move |reader, endian, args| {
        let value = parse(reader, endian, args)?;
        if recorder::is_on() {
            recorder::set_last_child_complete(false);
        }
        Ok(value)
    }
}

/// Stands after the assertions of a field.
pub fn assertions_hold() -> bool {
    if recorder::is_on() {
        recorder::set_last_child_complete(true);
    }
    true
}

/// Stands before the fields of a data enum's variant: forgets what an earlier variant recorded before it failed.
pub fn alternative<R>(name: &'static str) -> impl Fn(&mut R, Endian, ()) -> BinResult<()> {
    move |_, _, ()| {
        if recorder::is_on() {
            recorder::begin_alternative(name);
        }
        Ok(())
    }
}

/// The place of the alternative that a value chooses. Of a value that chooses none, this is an error, noted under the last one.
pub fn alternative_for(place: Option<usize>, last: &'static str, value: &dyn std::fmt::Debug) -> BinResult<usize> {
    place.ok_or_else(|| {
        let problem = Problem::Invalid(format!("no alternative is declared for {value:?}"));
        if recorder::is_on() {
            recorder::begin_alternative(last);
        }
        binrw::Error::Custom { pos: 0, err: Box::new(problem) }
    })
}

/// Fixed bytes.
pub fn magic<V, R: Read + Seek>(label: &'static Label, expected: V) -> impl Fn(&mut R, Endian, ()) -> BinResult<V>
where
    V: Layout + PartialEq + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>,
{
    recorded(label, move |reader: &mut R, endian, ()| {
        let pos = reader.stream_position()?;
        #[cfg(feature = "arbitrary")]
        if generator::is_on() {
            generator::put(pos, &write(&expected, endian)?);
        }
        let found = V::read_options(reader, endian, ())?;
        if found == expected {
            return Ok(found);
        }
        let (expected, found) = (write(&expected, endian)?, write(&found, endian)?);
        let err = Box::new(Problem::WrongMagic { expected, found });
        Err(binrw::Error::Custom { pos, err })
    })
}

/// A list whose number of elements the file declares. It is refused, before anything is allocated, if the rest of the space
/// cannot hold that many.
pub fn counted<'a, F: Element, R: Read + Seek>(
    label: &'static Label,
) -> impl Fn(&mut R, Endian, VecArgs<F::Args<'a>>) -> BinResult<Vec<F::Value>> {
    recorded(label, move |reader: &mut R, endian, args| F::list(reader, endian, args, label.name))
}

/// An array, whose elements have a node each.
pub fn array<'a, F: Array, R: Read + Seek>(
    label: &'static Label,
) -> impl Fn(&mut R, Endian, F::Args<'a>) -> BinResult<F::Value> {
    recorded(label, move |reader: &mut R, endian, args| F::elements(reader, endian, args, label.name))
}

/// The same for elements without arguments.
pub fn bare_array<F: Array, R: Read + Seek>(label: &'static Label) -> impl Fn(&mut R, Endian, ()) -> BinResult<F::Value>
where
    for<'a> F::Args<'a>: NoArguments,
{
    recorded(label, move |reader: &mut R, endian, ()| F::elements(reader, endian, NoArguments::none(), label.name))
}

/// The type of an array.
pub trait Array {
    type Value: Layout;
    type Args<'a>;

    fn elements<R: Read + Seek>(
        reader: &mut R,
        endian: Endian,
        args: Self::Args<'_>,
        name: &'static str,
    ) -> BinResult<Self::Value>;
}

impl<T, const N: usize, const MIN_SIZE: u64> Array for Field<[T; N], MIN_SIZE>
where
    T: BinRead + Layout + 'static,
    for<'b> T::Args<'b>: Clone,
{
    type Value = [T; N];
    type Args<'a> = T::Args<'a>;

    fn elements<R: Read + Seek>(
        reader: &mut R,
        endian: Endian,
        args: T::Args<'_>,
        name: &'static str,
    ) -> BinResult<[T; N]> {
        if !recorder::is_on() || T::IS_BYTE {
            return <[T; N]>::read_options(reader, endian, args);
        }
        let list = elements(reader, endian, &VecArgs { count: N, inner: args }, name)?;
        Ok(list.try_into().unwrap_or_else(|_| unreachable!("there are as many elements as the array has")))
    }
}

/// The type of the elements of a counted list.
pub trait Element {
    type Value: Layout;
    type Args<'a>: Clone;

    fn list<R: Read + Seek>(
        reader: &mut R,
        endian: Endian,
        args: VecArgs<Self::Args<'_>>,
        name: &'static str,
    ) -> BinResult<Vec<Self::Value>>;
}

impl<T, const MIN_SIZE: u64> Element for Field<T, MIN_SIZE>
where
    T: BinRead + Layout + 'static,
    for<'b> T::Args<'b>: Clone,
{
    type Value = T;
    type Args<'a> = T::Args<'a>;

    fn list<R: Read + Seek>(
        reader: &mut R,
        endian: Endian,
        args: VecArgs<T::Args<'_>>,
        name: &'static str,
    ) -> BinResult<Vec<T>> {
        const { assert!(T::MIN_SIZE > 0, "elements without a least size would make their count unbounded") };
        let left = bytes_left(reader)?;
        let count = args.count as u64;
        if count.checked_mul(T::MIN_SIZE).is_none_or(|bytes| bytes > left) {
            let err = Box::new(Problem::TooMany { count, element: T::MIN_SIZE, left });
            return Err(binrw::Error::Custom { pos: reader.stream_position()?, err });
        }
        if count.saturating_mul(size_of::<T>() as u64) > LARGE_LIST {
            ensure_at_hand(reader, count * T::MIN_SIZE)?;
            if Vec::<T>::new().try_reserve_exact(args.count).is_err() {
                let err = Box::new(Problem::Invalid(format!("there is no memory for {count} elements")));
                return Err(binrw::Error::Custom { pos: reader.stream_position()?, err });
            }
        }
        match recorder::is_on() && !T::IS_BYTE {
            false => Vec::read_options(reader, endian, args),
            true => elements(reader, endian, &args, name),
        }
    }
}

/// The elements of a list. The first [`SHOWN_ELEMENTS`] have a node each.
fn elements<'a, T, R: Read + Seek>(
    reader: &mut R,
    endian: Endian,
    args: &VecArgs<T::Args<'a>>,
    name: &'static str,
) -> BinResult<Vec<T>>
where
    T: BinRead + Layout + 'static,
    for<'b> T::Args<'b>: Clone,
{
    let one = |reader: &mut R, index: usize| {
        element(reader, (name, index as u64), endian, |reader| T::read_options(reader, endian, args.inner.clone()))
    };
    let shown = if args.count > SHOWN_ELEMENTS + 1 { SHOWN_ELEMENTS } else { args.count };
    let mut list = (0..shown).map(|index| one(reader, index)).collect::<BinResult<Vec<T>>>()?;
    if shown == args.count {
        return Ok(list);
    }
    let start = reader.stream_position()?;
    let rest = VecArgs { count: args.count - shown, inner: args.inner.clone() };
    match recorder::paused(|| Vec::<T>::read_options(reader, endian, rest)) {
        Ok(rest) => list.extend(rest),
        // Once more, one by one, so that the failing element has its node.
        Err(_) => {
            reader.seek(SeekFrom::Start(start))?;
            for index in shown..args.count {
                let reached = reader.stream_position()?;
                let read = recorder::paused(|| T::read_options(reader, endian, args.inner.clone()));
                let element = match read {
                    Ok(element) => element,
                    Err(_) => {
                        if index > shown {
                            recorder::summary::<T>(name, shown as u64..index as u64, start..reached);
                        }
                        reader.seek(SeekFrom::Start(reached))?;
                        one(reader, index)?
                    }
                };
                list.push(element);
            }
        }
    }
    recorder::summary::<T>(name, shown as u64..args.count as u64, start..reader.stream_position()?);
    Ok(list)
}

/// A text whose number of bytes the file declares.
pub fn counted_text<F: Text, R: Read + Seek>(
    label: &'static Label,
) -> impl Fn(&mut R, Endian, VecArgs<()>) -> BinResult<F::Value> {
    recorded(label, move |reader: &mut R, _, args: VecArgs<()>| F::read_bytes(reader, args.count))
}

/// The same without a node.
pub fn inline_counted<F: Text, R: Read + Seek>(
    label: &'static Label,
) -> impl Fn(&mut R, Endian, VecArgs<()>) -> BinResult<F::Value> {
    inline(label, |reader: &mut R, _, args: VecArgs<()>| F::read_bytes(reader, args.count))
}

/// The type of a text.
pub trait Text {
    type Value: Layout;

    fn read_bytes<R: Read + Seek>(reader: &mut R, count: usize) -> BinResult<Self::Value>;
}

impl<T: OfBytes, const MIN_SIZE: u64> Text for Field<T, MIN_SIZE> {
    type Value = T;

    fn read_bytes<R: Read + Seek>(reader: &mut R, count: usize) -> BinResult<T> {
        counted_bytes(reader, count).map(T::of_bytes)
    }
}
