//! Runs of numbers whose type is only known when they are read.

use super::elements::{find_room, record};
use super::region::skip;
use crate::recorder;
use crate::reference::{Layout, Nature};
use crate::terms::Form;
use binrw::io::{Read, Seek, SeekFrom, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian, NamedArgs};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// The type of the numbers in [`Numbers`], which the file states.
///
/// ```
/// use everybyte::number::Number;
///
/// assert_eq!((Number::U16.size(), Number::F64.size()), (2, 8));
/// assert_eq!(Number::F32.to_string(), "f32");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "they are named as Rust names them")]
pub enum Number {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    U128,
    F32,
    F64,
}

impl Number {
    /// The size of one number in bytes.
    pub fn size(self) -> u64 {
        match self {
            Number::I8 | Number::U8 => 1,
            Number::I16 | Number::U16 => 2,
            Number::I32 | Number::U32 | Number::F32 => 4,
            Number::I64 | Number::U64 | Number::F64 => 8,
            Number::U128 => 16,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Number::I8 => "i8",
            Number::I16 => "i16",
            Number::I32 => "i32",
            Number::I64 => "i64",
            Number::U8 => "u8",
            Number::U16 => "u16",
            Number::U32 => "u32",
            Number::U64 => "u64",
            Number::U128 => "u128",
            Number::F32 => "f32",
            Number::F64 => "f64",
        })
    }
}

/// The arguments of [`Numbers`].
///
/// ```
/// use everybyte::{Endian, Source, layout, list::Numbers, number::Number, read};
///
/// #[layout]
/// struct Samples {
///     bits: u8,
///     count: u8,
///     #[br(args { number: if bits == 16 { Number::I16 } else { Number::F32 }, count: count.into() })]
///     samples: Numbers,
/// }
///
/// let sound: Samples = read(Source::new(b"\x10\x02\x01\0\x02\0"), Endian::Little, ())?;
/// assert_eq!((sound.samples.number, sound.samples.range()), (Number::I16, 2..6));
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
#[derive(Debug, Clone, Copy, NamedArgs)]
pub struct NumbersArgs {
    /// The type of each number.
    pub number: Number,
    /// How many numbers there are.
    pub count: u64,
}

/// An array of numbers that the layout locates but does not load. It must lie completely inside the space.
///
/// Writing it only moves the position forward by its length, as for a [`Region`](crate::bytes::Region).
///
/// ```
/// use everybyte::{Endian, Source, layout, list::Numbers, number::Number, read};
///
/// #[layout]
/// struct Samples {
///     count: u8,
///     #[br(args { number: Number::U16, count: count.into() })]
///     samples: Numbers,
/// }
///
/// let samples: Samples = read(Source::new(b"\x02\x01\x00\x02\x00"), Endian::Little, ()).unwrap();
/// assert_eq!(samples.samples.place(1), 3..5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// The type of each number.
    pub number: Number,
    /// How many numbers there are.
    pub count: u64,
    /// The first byte.
    pub offset: u64,
}

impl Numbers {
    /// Creates numbers to write at an offset that is not known yet.
    pub fn new(number: Number, count: u64) -> Self {
        Numbers { number, count, offset: 0 }
    }

    /// The range of their bytes in the space.
    pub fn range(&self) -> Range<u64> {
        self.offset..self.offset + self.count * self.number.size()
    }

    /// The range of one number's bytes in the space.
    pub fn place(&self, index: u64) -> Range<u64> {
        let start = self.offset + index * self.number.size();
        start..start + self.number.size()
    }
}

impl BinRead for Numbers {
    type Args<'a> = NumbersArgs;

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, args: NumbersArgs) -> BinResult<Self> {
        let NumbersArgs { number, count } = args;
        let numbers = Numbers { number, count, offset: find_room(reader, count, number.size())? };
        if recorder::is_on() {
            numbers.record(reader, endian)?;
        }
        reader.seek(SeekFrom::Start(numbers.range().end))?;
        Ok(numbers)
    }
}

impl Numbers {
    fn record<R: Read + Seek>(&self, reader: &mut R, endian: Endian) -> BinResult<()> {
        let record = match self.number {
            Number::I8 => record::<i8, R>,
            Number::I16 => record::<i16, R>,
            Number::I32 => record::<i32, R>,
            Number::I64 => record::<i64, R>,
            Number::U8 => record::<u8, R>,
            Number::U16 => record::<u16, R>,
            Number::U32 => record::<u32, R>,
            Number::U64 => record::<u64, R>,
            Number::U128 => record::<u128, R>,
            Number::F32 => record::<f32, R>,
            Number::F64 => record::<f64, R>,
        };
        record(reader, endian, "number", self.count)
    }
}

impl BinWrite for Numbers {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        skip(writer, self.count * self.number.size())
    }
}

impl Layout for Numbers {
    const MIN_SIZE: u64 = 0;
    const SIZE: Option<u64> = None;
    const IS_NUMBER: bool = true;
    const IS_LIST: bool = true;
    const NATURE: Nature = Nature::VALUE;

    fn type_name() -> String {
        "numbers".into()
    }

    fn form() -> Form {
        Form::Numbers
    }

    fn meaning(&self) -> Cow<'static, str> {
        format!("{} × {}", self.count, self.number).into()
    }
}

#[cfg(feature = "arbitrary")]
impl arbitrary::Arbitrary<'_> for Numbers {
    /// Generates an empty list, as for [`Region`](crate::bytes::Region).
    fn arbitrary(_: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        Ok(Numbers::new(Number::U8, 0))
    }
}
