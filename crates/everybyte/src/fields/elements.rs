//! Lists of elements of one fixed size, named by where they stand, never loaded by the layout.

use super::region::{bytes_left, skip};
use crate::error::Problem;
use crate::glance;
use crate::label::SHOWN_ELEMENTS;
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
#[derive(Debug, Clone, Copy, NamedArgs)]
pub struct ElementsArgs {
    /// The number of elements.
    pub count: u64,
}

/// A list of elements of one fixed size, named by where it stands, never loaded by the layout. The space has all of it.
///
/// Writing one writes nothing and moves on by its length, as for a [`Region`](crate::Region).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elements<T> {
    /// The number of elements.
    pub count: u64,
    /// The first byte.
    pub offset: u64,
    element: PhantomData<T>,
}

impl<T: Layout> Elements<T> {
    const EACH: u64 = T::SIZE.expect("an element has a fixed size");

    /// Elements to be written at an offset that is not known yet.
    pub fn new(count: u64) -> Self {
        Elements { count, offset: 0, element: PhantomData }
    }

    /// The bytes of the space that belong to them.
    pub fn range(&self) -> Range<u64> {
        self.offset..self.offset + self.count * Self::EACH
    }
}

impl<T: Layout + for<'a> BinRead<Args<'a> = ()>> BinRead for Elements<T> {
    type Args<'a> = ElementsArgs;

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, args: ElementsArgs) -> BinResult<Self> {
        let offset = find_room(reader, args.count, Self::EACH)?;
        let elements = Elements { count: args.count, offset, element: PhantomData };
        if recorder::is_on() || glance::is_on() {
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
    /// Always empty, as for [`Region`](crate::Region).
    fn arbitrary(_: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        Ok(Elements::new(0))
    }
}

/// The offset of a list that begins here, if the space has all of it.
pub fn find_room<R: Seek>(reader: &mut R, count: u64, element: u64) -> BinResult<u64> {
    let (offset, left) = (reader.stream_position()?, bytes_left(reader)?);
    if count.checked_mul(element).is_none_or(|bytes| bytes > left) {
        let err = Box::new(Problem::TooMany { count, element, left });
        return Err(binrw::Error::Custom { pos: offset, err });
    }
    Ok(offset)
}

/// Reads the first elements of a list. They have a node each, if they are recorded, and all others one.
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
            glance::doubt();
        }
    } else if shown < count {
        recorder::summary::<T>(name, shown..count, reached..reached + (count - shown) * each);
    }
    Ok(())
}
