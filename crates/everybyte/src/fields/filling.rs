//! Lists whose number of elements the file does not state.

use super::owned::{OfBytes, counted_bytes};
use super::region::bytes_left;
use crate::glance;
use crate::label::SHOWN_ELEMENTS;
use crate::mode::{self, TRACKED};
use crate::reading::{element, plain_element};
use crate::recorder;
use crate::reference::Layout;
use binrw::io::{Read, Seek, SeekFrom};
use binrw::{BinRead, BinResult, Endian};

/// A parser of elements that follow each other for `length` bytes, or to the end of the space if that comes first. The last
/// element may reach further. `u64::MAX` reads to the end of the space.
///
/// ```
/// use everybyte::{Endian, Source, filling, layout, read};
///
/// /// Bytes of the pairs, and the pairs.
/// #[layout]
/// struct Pairs {
///     length: u8,
///     #[br(parse_with = filling(length.into()))]
///     pairs: Vec<Pair>,
/// }
///
/// #[layout]
/// struct Pair {
///     name: u8,
///     value: u8,
/// }
///
/// let pairs: Pairs = read(Source::new(&[4, 1, 10, 2, 20, 99]), Endian::Little, ())?;
/// assert_eq!(pairs.pairs.len(), 2);
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
pub fn filling<'a, T, R: Read + Seek>(length: u64) -> impl Fn(&mut R, Endian, T::Args<'a>) -> BinResult<Vec<T>>
where
    T: BinRead + Layout,
    T::Args<'a>: Clone,
{
    const { assert!(T::MIN_SIZE > 0, "elements without a least size would make their number unbounded") };
    move |reader, endian, args: T::Args<'a>| {
        let end = reader.stream_position()? + bytes_left(reader)?.min(length);
        list(reader, endian, |reader, _| {
            #[cfg(feature = "arbitrary")]
            if let Some(choice) = crate::generator::choice(4).filter(|_| !T::IS_BYTE) {
                return Ok((choice > 0).then(|| args.clone()));
            }
            Ok((reader.stream_position()? < end).then(|| args.clone()))
        })
    }
}

/// A parser of elements that follow each other up to the first one for which `is_last` holds. That one belongs to the list. A
/// space that ends before is an error.
///
/// ```
/// use everybyte::{Endian, Source, layout, read, until};
///
/// #[layout]
/// struct Cards {
///     #[br(parse_with = until(|card: &Card| card.kind == 0))]
///     cards: Vec<Card>,
///     after: u8,
/// }
///
/// #[layout]
/// struct Card {
///     kind: u8,
///     value: u8,
/// }
///
/// let cards: Cards = read(Source::new(&[4, 1, 0, 2, 99]), Endian::Little, ())?;
/// assert_eq!((cards.cards.len(), cards.after), (2, 99));
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
pub fn until<'a, T, R: Read + Seek>(
    is_last: impl Fn(&T) -> bool,
) -> impl Fn(&mut R, Endian, T::Args<'a>) -> BinResult<Vec<T>>
where
    T: BinRead + Layout,
    T::Args<'a>: Clone,
{
    const { assert!(T::MIN_SIZE > 0, "elements without a least size would make their number unbounded") };
    move |reader, endian, args: T::Args<'a>| {
        list(reader, endian, |_, last: Option<&T>| Ok((!last.is_some_and(&is_last)).then(|| args.clone())))
    }
}

/// A parser of one element for each item of `items`, one after the other. `arguments` gives those of the element.
///
/// ```
/// use everybyte::{Endian, Source, each, layout, read};
///
/// /// Names, each as long as its number says.
/// #[layout]
/// struct Names {
///     count: u8,
///     #[br(count = count)]
///     lengths: Vec<u8>,
///     #[br(parse_with = each(&lengths, |&length| (length,)))]
///     names: Vec<Name>,
/// }
///
/// #[layout]
/// #[br(import(length: u8))]
/// struct Name {
///     kind: u8,
///     #[br(count = length)]
///     letters: Vec<u8>,
/// }
///
/// let names: Names = read(Source::new(b"\x02\x01\x020a0bc"), Endian::Little, ())?;
/// assert_eq!(names.names[1].letters, b"bc");
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
pub fn each<'a, T, R: Read + Seek, I: IntoIterator + Clone>(
    items: I,
    arguments: impl Fn(I::Item) -> T::Args<'a>,
) -> impl Fn(&mut R, Endian, ()) -> BinResult<Vec<T>>
where
    T: BinRead + Layout,
    T::Args<'a>: Clone,
{
    const { assert!(T::MIN_SIZE > 0, "elements without a least size would make their number unbounded") };
    move |reader, endian, ()| {
        let mut items = items.clone().into_iter();
        list(reader, endian, |_, _| Ok(items.next().map(&arguments)))
    }
}

/// Reads elements as long as `next`, which is given the last one, has arguments for another one. The first ones have a node each.
fn list<'a, T, R: Read + Seek>(
    reader: &mut R,
    endian: Endian,
    mut next: impl FnMut(&mut R, Option<&T>) -> BinResult<Option<T::Args<'a>>>,
) -> BinResult<Vec<T>>
where
    T: BinRead + Layout,
    T::Args<'a>: Clone,
{
    if mode::has(TRACKED) && !T::IS_BYTE {
        // The elements follow each other: they are one field to the parser that leaves bytes out.
        return glance::placed(reader, |reader| list(reader, endian, next));
    }
    let is_traced = recorder::is_on() && !T::IS_BYTE;
    let name = if is_traced { recorder::open_name() } else { "" };
    let mut list = Vec::new();
    let mut rest = reader.stream_position()?;
    while let Some(args) = next(reader, list.last())? {
        let place = list.len();
        let element = if is_traced && place < SHOWN_ELEMENTS {
            let read = |reader: &mut R| T::read_options(reader, endian, args.clone());
            let element = element(reader, (name, place as u64), endian, read)?;
            rest = reader.stream_position()?;
            element
        } else {
            let plain = |reader: &mut R| plain_element(reader, |reader| T::read_options(reader, endian, args.clone()));
            if !is_traced {
                list.push(plain(reader)?);
                continue;
            }
            let reached = reader.stream_position()?;
            match recorder::paused((name, place as u64), || plain(reader)) {
                Ok(element) => element,
                // Once more, so that the failing element has its node.
                Err(_) => {
                    summarise::<T>(name, place, rest, reached);
                    reader.seek(SeekFrom::Start(reached))?;
                    let read = |reader: &mut R| T::read_options(reader, endian, args.clone());
                    element(reader, (name, place as u64), endian, read)?
                }
            }
        };
        list.push(element);
    }
    if is_traced {
        summarise::<T>(name, list.len(), rest, reader.stream_position()?);
    }
    Ok(list)
}

/// A parser of all bytes that are left, of the space or of the `size` around: a `Vec<u8>`, or a [`Text`](crate::Text).
///
/// ```
/// use everybyte::{Endian, Latin1, Source, Text, layout, read, rest};
///
/// #[layout]
/// struct Note {
///     kind: u8,
///     #[br(parse_with = rest)]
///     text: Text<Latin1>,
/// }
///
/// let note: Note = read(Source::new(b"\x01all of it"), Endian::Little, ())?;
/// assert_eq!(note.text.text().unwrap(), "all of it");
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
///
/// # Errors
/// The error of the reader, if the bytes are not at hand.
pub fn rest<T: OfBytes, R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<T> {
    let left = bytes_left(reader)?;
    counted_bytes(reader, usize::try_from(left).unwrap_or(usize::MAX)).map(T::of_bytes)
}

/// One node for the elements up to `count` that have none of their own.
fn summarise<T: Layout>(name: &'static str, count: usize, start: u64, end: u64) {
    if count > SHOWN_ELEMENTS {
        recorder::summary::<T>(name, SHOWN_ELEMENTS as u64..count as u64, start..end);
    }
}
