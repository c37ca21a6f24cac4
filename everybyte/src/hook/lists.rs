//! Lists and texts whose length the file states.
//!
//! A count in a file cannot be trusted: four bytes can request four billion elements. Before anything is allocated, the
//! rest of the space must have room for the count times the minimum size of an element, which is why an element must
//! take at least one byte. If the space may be longer than the bytes at hand, the last byte of a large list is read
//! first.

use super::field::{Field, NoArguments};
use crate::error::Problem;
use crate::fields::{OfBytes, bytes_left, counted_bytes, ensure_at_hand};
use crate::label::{Label, SHOWN_ELEMENTS};
use crate::reading;
use crate::recorder;
use crate::reference::Layout;
use binrw::io::{Read, Seek, SeekFrom};
use binrw::{BinRead, BinResult, Endian, VecArgs};

/// Lists larger than this are checked against the available bytes before they are allocated.
const LARGE_LIST: u64 = 1 << 20;

/// The number of bytes that a list may allocate before its elements are read.
const MOST_RESERVED: usize = 1 << 12;

/// Returns a parser for a list whose number of elements the file declares. If the rest of the space cannot hold that many,
/// reading fails before anything is allocated.
pub fn counted<'a, F: Element, R: Read + Seek>(
    label: &'static Label,
) -> impl Fn(&mut R, Endian, VecArgs<F::Args<'a>>) -> BinResult<Vec<F::Value>> {
    move |reader, endian, args| {
        reading::field(reader, (label, endian), |reader| F::list(reader, endian, args, label.name))
    }
}

/// Returns a parser for an array, with one node per element.
pub fn array<'a, F: Array, R: Read + Seek>(
    label: &'static Label,
) -> impl Fn(&mut R, Endian, F::Args<'a>) -> BinResult<F::Value> {
    move |reader, endian, args| {
        reading::field(reader, (label, endian), |reader| F::elements(reader, endian, args, label.name))
    }
}

/// Like `array`, but for elements without arguments.
pub fn bare_array<F: Array, R: Read + Seek>(label: &'static Label) -> impl Fn(&mut R, Endian, ()) -> BinResult<F::Value>
where
    for<'a> F::Args<'a>: NoArguments,
{
    move |reader, endian, ()| {
        let read = |reader: &mut R| F::elements(reader, endian, NoArguments::none(), label.name);
        reading::field(reader, (label, endian), read)
    }
}

/// The type of array fields.
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
        if T::IS_BYTE || !(recorder::is_on() || reading::needs_each::<T>()) {
            return <[T; N]>::read_options(reader, endian, args);
        }
        let args = VecArgs { count: N, inner: args };
        let list = match recorder::is_on() {
            true => elements(reader, endian, &args, name)?,
            false => plain_elements(reader, endian, args)?,
        };
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
            false => plain_elements(reader, endian, args),
            true => elements(reader, endian, &args, name),
        }
    }
}

/// Reads further elements of a list. All functions that read elements call this one, so that the compiler generates only one copy
/// of it for each function that reads an element.
#[inline]
fn extend<'a, T, R: Read + Seek>(
    list: &mut Vec<T>,
    reader: &mut R,
    endian: Endian,
    args: &VecArgs<T::Args<'a>>,
) -> BinResult<()>
where
    T: BinRead,
    T::Args<'a>: Clone,
{
    for _ in 0..args.count {
        list.push(T::read_options(reader, endian, args.inner.clone())?);
    }
    Ok(())
}

/// Reads one element without any hooks.
fn element<'a, T, R: Read + Seek>(reader: &mut R, endian: Endian, args: &T::Args<'a>) -> BinResult<T>
where
    T: BinRead,
    T::Args<'a>: Clone,
{
    let mut list = Vec::new();
    extend(&mut list, reader, endian, &VecArgs { count: 1, inner: args.clone() })?;
    Ok(list.pop().unwrap_or_else(|| unreachable!("one was read")))
}

/// Reads the elements of a list without nodes.
#[expect(clippy::disallowed_methods, reason = "the caller has held the count against the bytes at hand")]
fn plain_elements<'a, T, R: Read + Seek>(
    reader: &mut R,
    endian: Endian,
    args: VecArgs<T::Args<'a>>,
) -> BinResult<Vec<T>>
where
    T: BinRead + Layout + 'static,
    for<'b> T::Args<'b>: Clone,
{
    // binrw reads many numbers at a time.
    if T::NATURE.is_flat && !reading::needs_each::<T>() {
        return Vec::read_options(reader, endian, args);
    }
    // The bytes of the elements exist, so allocating elements that are hardly larger is safe.
    let is_small = size_of::<T>() as u64 <= 2 * T::MIN_SIZE;
    let room = if is_small { usize::MAX } else { MOST_RESERVED / size_of::<T>() };
    let mut list = Vec::with_capacity(args.count.min(room));
    if reading::needs_each::<T>() {
        for _ in 0..args.count {
            list.push(reading::plain_element(reader, |reader| element(reader, endian, &args.inner))?);
        }
    } else {
        extend(&mut list, reader, endian, &args)?;
    }
    Ok(list)
}

/// Reads the elements of a list. Each of the first [`SHOWN_ELEMENTS`] has a node.
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
    let read = |reader: &mut R| element(reader, endian, &args.inner);
    let shown = if args.count > SHOWN_ELEMENTS + 1 { SHOWN_ELEMENTS } else { args.count };
    let mut list = Vec::new();
    for index in 0..shown {
        list.push(reading::element(reader, (name, index as u64), endian, read)?);
    }
    let start = reader.stream_position()?;
    for index in shown..args.count {
        let reached = reader.stream_position()?;
        if let Ok(element) = recorder::paused((name, index as u64), || reading::plain_element(reader, read)) {
            list.push(element);
            continue;
        }
        // Read the failing element again, so that it gets a node.
        if index > shown {
            recorder::summary::<T>(name, shown as u64..index as u64, start..reached);
        }
        reader.seek(SeekFrom::Start(reached))?;
        list.push(reading::element(reader, (name, index as u64), endian, read)?);
    }
    if shown < args.count {
        recorder::summary::<T>(name, shown as u64..args.count as u64, start..reader.stream_position()?);
    }
    Ok(list)
}

/// Returns a parser for text whose length in bytes the file states.
pub fn counted_text<F: Text, R: Read + Seek>(
    label: &'static Label,
) -> impl Fn(&mut R, Endian, VecArgs<()>) -> BinResult<F::Value> {
    move |reader, endian, args| {
        reading::field(reader, (label, endian), |reader| {
            #[cfg(feature = "arbitrary")]
            crate::generator::put_text_of(reader.stream_position()?, (label.examples, args.count), |choose| {
                F::Value::made_up(args.count, choose)
            });
            F::read_bytes(reader, args.count)
        })
    }
}

/// The type of text fields.
pub trait Text {
    type Value: OfBytes;

    fn read_bytes<R: Read + Seek>(reader: &mut R, count: usize) -> BinResult<Self::Value>;
}

impl<T: OfBytes, const MIN_SIZE: u64> Text for Field<T, MIN_SIZE> {
    type Value = T;

    fn read_bytes<R: Read + Seek>(reader: &mut R, count: usize) -> BinResult<T> {
        counted_bytes(reader, count).map(T::of_bytes)
    }
}
