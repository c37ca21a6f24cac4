//! Lists whose length the file does not state.
//!
//! The elements end where their bytes end, when a condition holds, or when another list ends. Each of these parsers checks at
//! compile time that an element takes at least one byte. Otherwise, a file could contain infinitely many elements of zero bytes.

use super::owned::{OfBytes, counted_bytes};
use super::region::bytes_left;
use crate::label::SHOWN_ELEMENTS;
use crate::mode::{self, TRACKED};
use crate::peek;
use crate::reading::{element, plain_element};
use crate::recorder;
use crate::reference::Layout;
use binrw::io::{Read, Seek, SeekFrom};
use binrw::{BinRead, BinResult, Endian};

/// A parser that reads consecutive elements for `length` bytes, or up to the end of the space if that comes first. The last element
/// may extend further. `u64::MAX` reads to the end of the space.
///
/// ```
/// use everybyte::{Endian, Source, layout, list::filling, read};
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
    const { assert!(T::MIN_SIZE > 0, "elements that can be empty would make their number unbounded") };
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

/// A parser that reads elements up to and including the first one for which `is_last` returns true. It is an error if
/// the space ends before that.
///
/// ```
/// use everybyte::{Endian, Source, layout, list::until, read};
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
    const { assert!(T::MIN_SIZE > 0, "elements that can be empty would make their number unbounded") };
    move |reader, endian, args: T::Args<'a>| {
        list(reader, endian, |_, all: &[T]| Ok((!all.last().is_some_and(&is_last)).then(|| args.clone())))
    }
}

/// A parser that reads elements until `is_whole` returns true for the list read so far. It is called after each element, so a
/// condition that visits all elements takes quadratic time. For sums, use [`until_sum`].
///
/// ```
/// use everybyte::{Endian, Source, layout, list::until_all, read};
///
/// /// Levels, up to two equal ones.
/// #[layout]
/// struct Levels {
///     #[br(parse_with = until_all(|all: &[u8]| matches!(all, [.., last, again] if last == again)))]
///     levels: Vec<u8>,
/// }
///
/// let levels: Levels = read(Source::new(&[1, 2, 3, 3, 9]), Endian::Little, ())?;
/// assert_eq!(levels.levels, [1, 2, 3, 3]);
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
pub fn until_all<'a, T, R: Read + Seek>(
    is_whole: impl Fn(&[T]) -> bool,
) -> impl Fn(&mut R, Endian, T::Args<'a>) -> BinResult<Vec<T>>
where
    T: BinRead + Layout,
    T::Args<'a>: Clone,
{
    const { assert!(T::MIN_SIZE > 0, "elements without a least size would make their number unbounded") };
    move |reader, endian, args: T::Args<'a>| {
        let goes_on = |_: &mut R, all: &[T]| Ok((all.is_empty() || !is_whole(all)).then(|| args.clone()));
        list(reader, endian, goes_on)
    }
}

/// A parser that reads elements until the sum of the numbers that `part` returns for them reaches `total`. If `total`
/// is 0, no elements are read.
///
/// ```
/// use everybyte::{Endian, Source, layout, list::until_sum, read};
///
/// /// Constants that take slots of a table, some of them two.
/// #[layout]
/// struct Pool {
///     slots: u8,
///     #[br(parse_with = until_sum(slots.into(), |constant: &Constant| if constant.kind == 5 { 2 } else { 1 }))]
///     constants: Vec<Constant>,
///     after: u8,
/// }
///
/// #[layout]
/// struct Constant {
///     kind: u8,
///     value: u8,
/// }
///
/// let pool: Pool = read(Source::new(&[4, 5, 10, 1, 11, 1, 12, 99]), Endian::Big, ())?;
/// assert_eq!((pool.constants.len(), pool.after), (3, 99));
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
pub fn until_sum<'a, T, R: Read + Seek>(
    total: u64,
    part: impl Fn(&T) -> u64,
) -> impl Fn(&mut R, Endian, T::Args<'a>) -> BinResult<Vec<T>>
where
    T: BinRead + Layout,
    T::Args<'a>: Clone,
{
    const { assert!(T::MIN_SIZE > 0, "elements without a least size would make their number unbounded") };
    move |reader, endian, args: T::Args<'a>| {
        let mut sum = 0_u64;
        list(reader, endian, |_, all: &[T]| {
            sum = sum.saturating_add(all.last().map_or(0, &part));
            Ok((sum < total).then(|| args.clone()))
        })
    }
}

/// A parser that reads one element per item of `items`, in order. `arguments` returns the arguments of each element.
///
/// ```
/// use everybyte::{Endian, Source, layout, list::each, read};
///
/// /// Names, each as long as its number states.
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
    const { assert!(T::MIN_SIZE > 0, "elements that can be empty would make their number unbounded") };
    move |reader, endian, ()| {
        let mut items = items.clone().into_iter();
        list(reader, endian, |_, _| Ok(items.next().map(&arguments)))
    }
}

/// Reads elements while `next`, which receives the elements so far, returns arguments for another one. Only the first elements get
/// a node each.
fn list<'a, T, R: Read + Seek>(
    reader: &mut R,
    endian: Endian,
    mut next: impl FnMut(&mut R, &[T]) -> BinResult<Option<T::Args<'a>>>,
) -> BinResult<Vec<T>>
where
    T: BinRead + Layout,
    T::Args<'a>: Clone,
{
    if mode::has(TRACKED) && !T::IS_BYTE {
        // The elements are contiguous, so a parser that records no nodes can treat them as one field.
        return peek::placed(reader, |reader| list(reader, endian, next));
    }
    let is_traced = recorder::is_on() && !T::IS_BYTE;
    let name = if is_traced { recorder::open_name() } else { "" };
    let mut list = Vec::new();
    let mut rest = reader.stream_position()?;
    while let Some(args) = next(reader, &list)? {
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
                // Read the list again, so that the failing element gets a node.
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

/// A parser for all remaining bytes of the space or of the enclosing `size`: a `Vec<u8>` or a [`Text`](crate::text::Text).
///
/// ```
/// use everybyte::{Endian, Source, layout, list::rest, read, text::{Latin1, Text}};
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
/// Returns the reader's error if the bytes are not available.
pub fn rest<T: OfBytes, R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<T> {
    let left = bytes_left(reader)?;
    counted_bytes(reader, usize::try_from(left).unwrap_or(usize::MAX)).map(T::of_bytes)
}

/// Adds one shared node for the elements up to `count` that have no separate nodes.
fn summarise<T: Layout>(name: &'static str, count: usize, start: u64, end: u64) {
    if count > SHOWN_ELEMENTS {
        recorder::summary::<T>(name, SHOWN_ELEMENTS as u64..count as u64, start..end);
    }
}
