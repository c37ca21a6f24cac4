//! Lists of fixed-size elements that the layout locates but does not load.

use super::region::{bytes_left, skip};
use crate::error::Problem;
use crate::label::SHOWN_ELEMENTS;
use crate::peek;
use crate::reading;
use crate::recorder;
use crate::reference::{Book, Layout, Nature};
use crate::terms::Form;
use binrw::io::{Read, Seek, SeekFrom, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian, NamedArgs};
use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::Range;

/// The arguments of [`Elements`].
///
/// ```
/// use everybyte::{Endian, Source, layout, list::Elements, read};
///
/// #[layout]
/// struct Picture {
///     width: u8,
///     height: u8,
///     #[br(args { count: u64::from(width) * u64::from(height) })]
///     pixels: Elements<u16>,
/// }
///
/// let picture: Picture = read(Source::new(b"\x02\x01aabb"), Endian::Little, ())?;
/// assert_eq!(picture.pixels.count, 2);
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
#[derive(Debug, Clone, Copy, NamedArgs)]
pub struct ElementsArgs {
    /// The number of elements.
    pub count: u64,
}

/// A list of fixed-size elements that the layout locates but does not load. It must lie completely inside the space.
///
/// ```
/// use everybyte::{Endian, Source, layout, list::Elements, read};
///
/// #[layout]
/// struct Table {
///     count: u16,
///     #[br(args { count: count.into() })]
///     rows: Elements<u32>,
/// }
///
/// let file = b"\x02\0\x01\0\0\0\x02\0\0\0";
/// let table: Table = read(Source::new(file), Endian::Little, ())?;
/// assert_eq!(table.rows.range(), 2..10);
/// let second: u32 = read(Source::new(file).at(table.rows.offset + 4), Endian::Little, ())?;
/// assert_eq!(second, 2);
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
///
/// Writing it only moves the position forward by its length, as for a [`Region`](crate::bytes::Region).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elements<T> {
    /// The number of elements.
    pub count: u64,
    /// The first byte.
    pub offset: u64,
    element: PhantomData<T>,
}

impl<T: Layout> Elements<T> {
    /// The length of an element in bytes. Types of variable size fail to compile.
    const EACH: u64 = T::SIZE.expect("an element has a fixed size");

    /// Creates elements to write at an offset that is not known yet.
    pub fn new(count: u64) -> Self {
        Elements { count, offset: 0, element: PhantomData }
    }

    /// The range of their bytes in the space.
    pub fn range(&self) -> Range<u64> {
        self.offset..self.offset + self.count * Self::EACH
    }
}

impl<T: Layout + for<'a> BinRead<Args<'a> = ()>> BinRead for Elements<T> {
    type Args<'a> = ElementsArgs;

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, args: ElementsArgs) -> BinResult<Self> {
        let offset = find_room(reader, args.count, Self::EACH)?;
        let elements = Elements { count: args.count, offset, element: PhantomData };
        if recorder::is_on() || peek::is_on() {
            record::<T, R>(reader, endian, "element", args.count)?;
        }
        reader.seek(SeekFrom::Start(elements.range().end))?;
        Ok(elements)
    }
}

impl<T: Layout> BinWrite for Elements<T> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        skip(writer, self.count * Self::EACH)
    }
}

impl<T: Layout> Layout for Elements<T> {
    const MIN_SIZE: u64 = 0;
    const SIZE: Option<u64> = None;
    const IS_NUMBER: bool = T::IS_NUMBER;
    const IS_LIST: bool = true;
    const NATURE: Nature = Nature { is_sequential: T::NATURE.is_sequential, ..Nature::VALUE };

    fn type_name() -> String {
        format!("[{}]", T::type_name())
    }

    fn form() -> Form {
        Form::List(Box::new(T::form()))
    }

    fn meaning(&self) -> Cow<'static, str> {
        format!("{} × {}", self.count, T::type_name()).into()
    }

    fn describe(book: &mut Book) {
        T::describe(book);
    }
}

#[cfg(feature = "arbitrary")]
impl<T: Layout> arbitrary::Arbitrary<'_> for Elements<T> {
    /// Generates an empty list, as for [`Region`](crate::bytes::Region).
    fn arbitrary(_: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        Ok(Elements::new(0))
    }
}

/// Returns the offset of a list at the reader's position, if the space contains the whole list.
pub fn find_room<R: Seek>(reader: &mut R, count: u64, element: u64) -> BinResult<u64> {
    let (offset, left) = (reader.stream_position()?, bytes_left(reader)?);
    if count.checked_mul(element).is_none_or(|bytes| bytes > left) {
        let err = Box::new(Problem::TooMany { count, element, left });
        return Err(binrw::Error::Custom { pos: offset, err });
    }
    Ok(offset)
}

/// Reads the first elements of a list. If elements are recorded, the first ones get one node each, and all others share one node.
pub fn record<T, R: Read + Seek>(reader: &mut R, endian: Endian, name: &'static str, count: u64) -> BinResult<()>
where
    T: Layout + for<'a> BinRead<Args<'a> = ()>,
{
    let shown = if count > SHOWN_ELEMENTS as u64 + 1 { SHOWN_ELEMENTS as u64 } else { count };
    let (first, each) = (reader.stream_position()?, T::SIZE.unwrap_or(0));
    for index in 0..shown {
        let read = |reader: &mut R| T::read_options(reader, endian, ());
        match recorder::is_on() {
            true => recorder::element(reader, name, index, read)?,
            false => reading::plain_element(reader, read)?,
        };
    }
    let reached = reader.stream_position()?;
    if !recorder::is_on() {
        if reached != first + shown * each {
            peek::doubt();
        }
    } else if shown < count {
        recorder::summary::<T>(name, shown..count, reached..reached + (count - shown) * each);
    }
    Ok(())
}
