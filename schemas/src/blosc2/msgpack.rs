//! Msgpack tokens with the widths that the format requires: `d2 00 00 00 04` must not become `04`.
//!
//! A token is a marker, followed by its content. The type determines the marker. Any other marker is [`Problem::WrongMagic`], even
//! where msgpack would allow it.

use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian};
use everybyte::{
    Layout,
    error::Problem,
    layout,
    map::Value,
    reference::{Content, Form},
};
use std::borrow::Cow;

/// `d1`, a 16-bit integer.
#[layout(name = "msgpack i16")]
#[brw(big, magic = 0xd1u8)]
#[derive(Copy, Eq, Hash, Default)]
pub struct Int16(pub i16);

/// `d2`, a 32-bit integer.
#[layout(name = "msgpack i32")]
#[brw(big, magic = 0xd2u8)]
#[derive(Copy, Eq, Hash, Default)]
pub struct Int32(pub i32);

/// `d3`, a 64-bit integer.
#[layout(name = "msgpack i64")]
#[brw(big, magic = 0xd3u8)]
#[derive(Copy, Eq, Hash, Default)]
pub struct Int64(pub i64);

/// `cd`, an unsigned 16-bit integer.
#[layout(name = "msgpack u16")]
#[brw(big, magic = 0xcdu8)]
#[derive(Copy, Eq, Hash, Default)]
pub struct Uint16(pub u16);

/// `ce`, an unsigned 32-bit integer.
#[layout(name = "msgpack u32")]
#[brw(big, magic = 0xceu8)]
#[derive(Copy, Eq, Hash, Default)]
pub struct Uint32(pub u32);

/// `cf`, an unsigned 64-bit integer.
#[layout(name = "msgpack u64")]
#[brw(big, magic = 0xcfu8)]
#[derive(Copy, Eq, Hash, Default)]
pub struct Uint64(pub u64);

/// The head of an array: `dc` and the number of elements.
#[layout(name = "msgpack u16")]
#[brw(big, magic = 0xdcu8)]
#[derive(Copy, Eq, Hash, Default)]
pub struct Array16(pub u16);

/// The head of a map: `de` and the number of entries.
#[layout(name = "msgpack u16")]
#[brw(big, magic = 0xdeu8)]
#[derive(Copy, Eq, Hash, Default)]
pub struct Map16(pub u16);

/// The head of 16 bytes of an application-defined type: `d8` and the type.
#[layout(name = "msgpack u8")]
#[brw(big, magic = 0xd8u8)]
#[derive(Copy, Eq, Hash, Default)]
pub struct FixExt16(pub u8);

/// A marker that is always the same byte, such as `9e`, the head of an array of 14 elements.
#[layout(name = format!("msgpack {BYTE:02x}"), meaning = elements(BYTE))]
#[brw(magic = BYTE)]
#[derive(Copy, Eq, Hash, Default)]
pub struct Marker<const BYTE: u8>;

/// Formats the number of elements that a marker states.
fn elements(marker: u8) -> String {
    match marker {
        0x90..=0x9f => format!("array of {}", marker - 0x90),
        0xa0..=0xbf => format!("string of {}", marker - 0xa0),
        _ => String::new(),
    }
}

/// `c2` or `c3`, a boolean.
#[layout(name = "msgpack bool", expected = [0xc2, 0xc3], value = Value::Name(if self.is_true() { "true" } else { "false" }.into()))]
#[derive(Copy, Eq, Hash)]
pub struct Bool(u8);

impl Bool {
    /// Returns whether it is `c3`.
    pub fn is_true(self) -> bool {
        self.0 == 0xc3
    }
}

impl From<bool> for Bool {
    fn from(is_true: bool) -> Self {
        Bool(0xc2 + u8::from(is_true))
    }
}

/// The maximum length of a [`Name`].
pub const LONGEST_NAME: usize = 31;

/// `a0 + length`, a string of up to 31 bytes. It is implemented by hand, because its first byte is both the marker and the length.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Name(Vec<u8>);

impl Name {
    /// A name; `None` if it is longer than [`LONGEST_NAME`].
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

/// `90 + count`, the head of an array whose length is already known. Sixteen axes are out of msgpack's range: their head is `a0`, which
/// msgpack defines as an empty string.
#[layout(name = "msgpack array", expected = [AxesHead::new(count).0], value = Value::Uint(self.0.wrapping_sub(0x90).into()))]
#[br(import(count: u8))]
#[derive(Copy, Eq, Hash)]
pub struct AxesHead(u8);

impl AxesHead {
    /// Creates the head of an array with this many elements.
    pub fn new(count: u8) -> Self {
        AxesHead(0x90_u8.wrapping_add(count))
    }
}
