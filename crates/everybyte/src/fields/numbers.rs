//! Runs of numbers whose type is known when they are read.

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

/// The type of a number.
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
    /// The bytes of one number.
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
#[derive(Debug, Clone, Copy, NamedArgs)]
pub struct NumbersArgs {
    /// The type of each.
    pub number: Number,
    /// The number of numbers.
    pub count: u64,
}

/// A run of numbers, named by where it stands, never loaded by the layout. The space has all of it.
///
/// Writing one writes nothing and moves on by its length, as for a [`Region`](crate::Region).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// The type of each.
    pub number: Number,
    /// The number of numbers.
    pub count: u64,
    /// The first byte.
    pub offset: u64,
}

impl Numbers {
    /// Numbers to be written at an offset that is not known yet.
    pub fn new(number: Number, count: u64) -> Self {
        Numbers { number, count, offset: 0 }
    }

    /// The bytes of the space that belong to them.
    pub fn range(&self) -> Range<u64> {
        self.offset..self.offset + self.count * self.number.size()
    }

    /// The bytes of one of them.
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
    /// Always empty, as for [`Region`](crate::Region).
    fn arbitrary(_: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        Ok(Numbers::new(Number::U8, 0))
    }
}
