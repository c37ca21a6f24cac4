//! Integers of variable length.

use crate::reference::{Layout, Nature};
use crate::terms::Form;
use crate::value::Value;
use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian};
use std::borrow::Cow;

/// The maximum number of bytes that a 64-bit number takes.
const LONGEST: u8 = 10;

/// An unsigned LEB128 number of at most ten bytes. It keeps its length in bytes, since `80 00` is zero too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Leb128 {
    value: u64,
    length: u8,
}

impl Leb128 {
    /// A number in as few bytes as it needs.
    pub fn new(value: u64) -> Self {
        Leb128 { value, length: shortest(value) }
    }

    /// The number.
    pub fn value(self) -> u64 {
        self.value
    }

    /// The bytes that it takes.
    pub fn length(self) -> u64 {
        self.length.into()
    }

    /// Returns whether fewer bytes would do.
    pub fn is_overlong(self) -> bool {
        self.length > shortest(self.value)
    }
}

impl From<u64> for Leb128 {
    fn from(value: u64) -> Self {
        Leb128::new(value)
    }
}

impl Default for Leb128 {
    fn default() -> Self {
        Leb128::new(0)
    }
}

fn shortest(value: u64) -> u8 {
    (64 - value.leading_zeros()).div_ceil(7).max(1) as u8
}

impl BinRead for Leb128 {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        let start = reader.stream_position()?;
        match leb128::read::unsigned(reader) {
            Ok(value) => Ok(Leb128 { value, length: (reader.stream_position()? - start) as u8 }),
            Err(leb128::read::Error::IoError(error)) => Err(error.into()),
            Err(leb128::read::Error::Overflow) => {
                Err(binrw::Error::AssertFail { pos: start, message: "the number has over 64 bits".into() })
            }
        }
    }
}

impl BinWrite for Leb128 {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        let mut bytes = [0x80; LONGEST as usize];
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte |= (self.value >> (7 * place)) as u8 & 0x7F;
        }
        let length = usize::from(self.length);
        bytes[length - 1] &= 0x7F;
        Ok(writer.write_all(&bytes[..length])?)
    }
}

impl Layout for Leb128 {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = None;
    const IS_NUMBER: bool = true;
    const NATURE: Nature = Nature::VALUE;

    fn type_name() -> String {
        "leb128".into()
    }

    fn form() -> Form {
        Form::Leb128
    }

    fn value(&self) -> Value {
        Value::Uint(self.value.into())
    }

    fn meaning(&self) -> Cow<'static, str> {
        match self.is_overlong() {
            true => format!("in {} bytes, where {} would do", self.length, shortest(self.value)).into(),
            false => "".into(),
        }
    }
}

#[cfg(feature = "arbitrary")]
impl arbitrary::Arbitrary<'_> for Leb128 {
    fn arbitrary(unstructured: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        let value: u64 = unstructured.arbitrary()?;
        let value = value >> unstructured.int_in_range(0..=63)?;
        Ok(Leb128 { value, length: unstructured.int_in_range(shortest(value)..=LONGEST)? })
    }
}
