//! Types with their own readers and writers.

use binrw::io::{Read, Seek, SeekFrom, Write};
use binrw::{BinRead, BinResult, BinWrite};
use everybyte::{Arbitrary, Endian, Layout, map::Value};

/// The distance to an earlier byte, and that byte, which is read again.
#[derive(Debug, Clone, PartialEq, Arbitrary)]
pub struct Again {
    distance: u8,
    byte: u8,
}

impl BinRead for Again {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Self> {
        let distance = u8::read_options(reader, endian, ())?;
        let here = reader.stream_position()?;
        reader.seek(SeekFrom::Current(-i64::from(distance)))?;
        // Without a distance, there is no earlier byte.
        let byte = if distance == 0 { 0 } else { u8::read_options(reader, endian, ())? };
        reader.seek(SeekFrom::Start(here))?;
        Ok(Again { distance, byte })
    }
}

impl BinWrite for Again {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, endian: Endian, (): ()) -> BinResult<()> {
        self.distance.write_options(writer, endian, ())?;
        Ok(writer.flush()?)
    }
}

impl Layout for Again {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = Some(1);

    fn type_name() -> String {
        "again".into()
    }

    fn value(&self) -> Value {
        Value::Uint(self.byte.into())
    }
}

/// A magic declared with binrw, and a number.
#[derive(Debug, Clone, PartialEq, BinRead, BinWrite, Arbitrary)]
#[brw(magic = b"#")]
pub struct Stamp(u8);

impl Layout for Stamp {
    const MIN_SIZE: u64 = 2;
    const SIZE: Option<u64> = Some(2);

    fn type_name() -> String {
        "stamp".into()
    }

    fn value(&self) -> Value {
        Value::Uint(self.0.into())
    }
}
