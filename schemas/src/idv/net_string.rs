//! Text in the format of .NET's `BinaryWriter`.

use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian, VecArgs};
use everybyte::{
    Layout,
    bytes::{bytes_left, ensure_at_hand},
    error::Problem,
    map::Value,
    reference::{Content, Form},
    varint::Leb128,
};
use std::borrow::Cow;
use std::str::Utf8Error;

/// The maximum number of bytes that .NET reads as the length of a string.
const LONGEST_LENGTH: u64 = 5;

/// A length in bytes, at most 2^31 - 1, followed by that many bytes, which should be UTF-8. It is implemented by hand, because it
/// preserves and limits the number of bytes in which the length is encoded.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct NetString {
    length: Leb128,
    bytes: Vec<u8>,
}

impl NetString {
    /// Creates a string whose length is encoded in as few bytes as possible.
    ///
    /// # Panics
    /// Panics if it is longer than 2^31 - 1 bytes.
    pub fn new(text: impl Into<String>) -> Self {
        let bytes = text.into().into_bytes();
        assert!(i32::try_from(bytes.len()).is_ok(), "a string of .NET has at most 2^31 - 1 bytes");
        NetString { length: Leb128::new(bytes.len() as u64), bytes }
    }

    /// The text, if it is valid UTF-8.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The text as .NET reads it: see [`net_text`].
    pub fn lossy(&self) -> Cow<'_, str> {
        net_text(&self.bytes)
    }

    /// The bytes of the text.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The length as stored.
    pub fn length(&self) -> Leb128 {
        self.length
    }
}

/// Decodes bytes that should be UTF-8, in the same way as .NET. Bytes that are not UTF-8 become U+FFFD, and a truncated character
/// at the end of the text is dropped.
pub fn net_text(bytes: &[u8]) -> Cow<'_, str> {
    let is_cut = |error: Utf8Error| error.error_len().is_none();
    let cut = bytes.utf8_chunks().last().map_or(0, |last| match std::str::from_utf8(last.invalid()) {
        Err(error) if is_cut(error) => last.invalid().len(),
        _ => 0,
    });
    String::from_utf8_lossy(&bytes[..bytes.len() - cut])
}

/// Refuses the lengths that .NET refuses: those encoded in more than five bytes, and those over 2^31 - 1.
pub(crate) fn ensure_net_length(length: Leb128, position: u64) -> BinResult<()> {
    if length.length() > LONGEST_LENGTH || length.value() > i32::MAX as u64 {
        let message = format!("{} is not a valid length of a .NET string", length.value());
        return Err(binrw::Error::AssertFail { pos: position, message });
    }
    Ok(())
}

impl BinRead for NetString {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Self> {
        let start = reader.stream_position()?;
        let length = Leb128::read_options(reader, endian, ())?;
        ensure_net_length(length, start)?;
        let left = bytes_left(reader)?;
        if length.value() > left {
            let err = Box::new(Problem::TooMany { count: length.value(), element: 1, left });
            return Err(binrw::Error::Custom { pos: reader.stream_position()?, err });
        }
        ensure_at_hand(reader, length.value())?;
        let args = VecArgs { count: length.value() as usize, inner: () };
        Ok(NetString { length, bytes: Vec::read_options(reader, endian, args)? })
    }
}

impl BinWrite for NetString {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, endian: Endian, (): ()) -> BinResult<()> {
        self.length.write_options(writer, endian, ())?;
        Ok(writer.write_all(&self.bytes)?)
    }
}

impl Layout for NetString {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = None;

    fn type_name() -> String {
        "NetString".into()
    }

    fn form() -> Form {
        Form::Counted(Box::new(Leb128::form()), u64::MAX, Content::Utf8)
    }

    fn value(&self) -> Value {
        match self.text() {
            Some(text) => Value::Text(text.into()),
            None => Value::bytes(&self.bytes),
        }
    }

    fn heap(&self) -> u64 {
        self.bytes.heap()
    }

    fn meaning(&self) -> Cow<'static, str> {
        match (self.text(), self.length.is_overlong()) {
            (None, _) => "no UTF-8".into(),
            (_, true) => format!("its length takes {} bytes, more than necessary", self.length.length()).into(),
            (_, false) => "".into(),
        }
    }
}

everybyte::if_arbitrary! {
    impl<'a> everybyte::arbitrary::Arbitrary<'a> for NetString {
        fn arbitrary(unstructured: &mut everybyte::arbitrary::Unstructured<'a>) -> everybyte::arbitrary::Result<Self> {
            let bytes: Vec<u8> = unstructured.arbitrary()?;
            Ok(NetString { length: Leb128::new(bytes.len() as u64), bytes })
        }
    }
}
