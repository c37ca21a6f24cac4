//! Tokens of msgpack at the widths that the format fixes: `d2 00 00 00 04` must not become `04`.
//!
//! A token is its marker and what follows it. The marker is given by the type: another one is
//! [`Problem::WrongMagic`], even where msgpack would allow it.

use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian};
use everybyte::{Content, Form, Layout, Problem, Value};
use std::borrow::Cow;

/// Reads a marker, or fails at its byte.
fn marker<R: Read + Seek>(reader: &mut R, expected: u8) -> BinResult<()> {
    let pos = reader.stream_position()?;
    let found = u8::read_options(reader, Endian::Big, ())?;
    if found == expected {
        return Ok(());
    }
    let err = Box::new(Problem::WrongMagic { expected: vec![expected], found: vec![found] });
    Err(binrw::Error::Custom { pos, err })
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $number:ty = $marker:literal, $size:literal, $value:ident($wide:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[derive(everybyte::Arbitrary)]
        pub struct $name(pub $number);

        impl BinRead for $name {
            type Args<'a> = ();

            fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
                marker(reader, $marker)?;
                <$number>::read_options(reader, Endian::Big, ()).map($name)
            }
        }

        impl BinWrite for $name {
            type Args<'a> = ();

            fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
                writer.write_all(&[$marker])?;
                self.0.write_options(writer, Endian::Big, ())
            }
        }

        impl Layout for $name {
            const MIN_SIZE: u64 = $size;
            const SIZE: Option<u64> = Some($size);
            const IS_NUMBER: bool = true;

            fn type_name() -> String {
                concat!("msgpack ", stringify!($number)).into()
            }

            fn form() -> Form {
                Form::Marked($marker, Box::new(Form::Ordered(Endian::Big, Box::new(<$number>::form()))))
            }

            fn value(&self) -> Value {
                Value::$value(<$wide>::from(self.0))
            }
        }
    )*};
}

numbers! {
    /// `d1`, an integer of 16 bits.
    Int16: i16 = 0xd1, 3, Int(i128);
    /// `d2`, an integer of 32 bits.
    Int32: i32 = 0xd2, 5, Int(i128);
    /// `d3`, an integer of 64 bits.
    Int64: i64 = 0xd3, 9, Int(i128);
    /// `cd`, an unsigned integer of 16 bits.
    Uint16: u16 = 0xcd, 3, Uint(u128);
    /// `ce`, an unsigned integer of 32 bits.
    Uint32: u32 = 0xce, 5, Uint(u128);
    /// `cf`, an unsigned integer of 64 bits.
    Uint64: u64 = 0xcf, 9, Uint(u128);
    /// `dc` and the number of elements: the head of an array.
    Array16: u16 = 0xdc, 3, Uint(u128);
    /// `de` and the number of entries: the head of a map.
    Map16: u16 = 0xde, 3, Uint(u128);
    /// `d8` and an application's own type: the head of 16 bytes of that type.
    FixExt16: u8 = 0xd8, 2, Uint(u128);
}

/// A marker that is always the same byte, such as `9e`, the head of an array of 14 elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, everybyte::Arbitrary)]
pub struct Marker<const BYTE: u8>;

impl<const BYTE: u8> BinRead for Marker<BYTE> {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        marker(reader, BYTE).map(|()| Marker)
    }
}

impl<const BYTE: u8> BinWrite for Marker<BYTE> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(writer.write_all(&[BYTE])?)
    }
}

impl<const BYTE: u8> Layout for Marker<BYTE> {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = Some(1);

    fn type_name() -> String {
        format!("msgpack {BYTE:02x}")
    }

    fn form() -> Form {
        Form::Fixed(vec![BYTE])
    }

    fn value(&self) -> Value {
        Value::bytes(&[BYTE])
    }

    fn meaning(&self) -> Cow<'static, str> {
        match BYTE {
            0x90..=0x9f => format!("array of {}", BYTE - 0x90).into(),
            0xa0..=0xbf => format!("string of {}", BYTE - 0xa0).into(),
            _ => "".into(),
        }
    }
}

/// `c2` or `c3`, a boolean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, everybyte::Arbitrary)]
pub struct Bool(pub bool);

impl BinRead for Bool {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        let pos = reader.stream_position()?;
        match u8::read_options(reader, Endian::Big, ())? {
            0xc2 => Ok(Bool(false)),
            0xc3 => Ok(Bool(true)),
            found => {
                let err = Box::new(Problem::WrongMagic { expected: vec![0xc2], found: vec![found] });
                Err(binrw::Error::Custom { pos, err })
            }
        }
    }
}

impl BinWrite for Bool {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(writer.write_all(&[0xc2 + u8::from(self.0)])?)
    }
}

impl Layout for Bool {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = Some(1);

    fn type_name() -> String {
        "msgpack bool".into()
    }

    fn value(&self) -> Value {
        Value::Name(if self.0 { "true" } else { "false" }.into())
    }
}

/// The longest [`Name`].
pub const LONGEST_NAME: usize = 31;

/// `a0 + length`, a string of up to 31 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Name(Vec<u8>);

impl Name {
    /// A name, or `None` if it is longer than [`LONGEST_NAME`].
    pub fn new(name: &[u8]) -> Option<Self> {
        (name.len() <= LONGEST_NAME).then(|| Name(name.to_vec()))
    }

    /// The bytes of the name.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text, with replacement characters for bytes that are not UTF-8.
    pub fn lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }
}

impl BinRead for Name {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        let pos = reader.stream_position()?;
        let head = u8::read_options(reader, Endian::Big, ())?;
        if head & 0xe0 != 0xa0 {
            let err = Box::new(Problem::WrongMagic { expected: vec![0xa0 | head & 0x1f], found: vec![head] });
            return Err(binrw::Error::Custom { pos, err });
        }
        let mut name = vec![0; usize::from(head & 0x1f)];
        reader.read_exact(&mut name)?;
        Ok(Name(name))
    }
}

impl BinWrite for Name {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        writer.write_all(&[0xa0 | self.0.len() as u8])?;
        Ok(writer.write_all(&self.0)?)
    }
}

impl Layout for Name {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = None;

    fn type_name() -> String {
        "msgpack string".into()
    }

    fn form() -> Form {
        Form::Counted(Box::new(u8::form()), LONGEST_NAME as u64, Content::Utf8)
    }

    fn value(&self) -> Value {
        match std::str::from_utf8(&self.0) {
            Ok(text) => Value::Text(text.into()),
            Err(_) => Value::bytes(&self.0),
        }
    }

    fn heap(&self) -> u64 {
        self.0.heap()
    }
}

everybyte::if_arbitrary! {
    impl<'a> everybyte::arbitrary::Arbitrary<'a> for Name {
        fn arbitrary(unstructured: &mut everybyte::arbitrary::Unstructured<'a>) -> everybyte::arbitrary::Result<Self> {
            let length = unstructured.int_in_range(0..=LONGEST_NAME)?;
            Ok(Name(unstructured.bytes(length)?.to_vec()))
        }
    }
}

/// `90 + count`, the head of an array whose number of elements is known before. Sixteen axes do not fit msgpack's range:
/// their head is `a0`, which msgpack defines as an empty string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, everybyte::Arbitrary)]
pub struct AxesHead(pub u8);

impl BinRead for AxesHead {
    type Args<'a> = (u8,);

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (count,): (u8,)) -> BinResult<Self> {
        marker(reader, 0x90_u8.wrapping_add(count)).map(|()| AxesHead(count))
    }
}

impl BinWrite for AxesHead {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(writer.write_all(&[0x90_u8.wrapping_add(self.0)])?)
    }
}

impl Layout for AxesHead {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = Some(1);
    const IS_NUMBER: bool = true;

    fn type_name() -> String {
        "msgpack array".into()
    }

    fn value(&self) -> Value {
        Value::Uint(self.0.into())
    }
}
