//! Texts that a value owns: as many bytes as the file says, or a fixed number with padding.

use super::owned::{Counted, OfBytes, counted_bytes};
use super::region::ensure_at_hand;
use crate::reference::{Layout, Nature};
use crate::terms::Form;
use crate::value::Value;
use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian, VecArgs};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// The name of JSON in those of types. The forge knows it in field references of others, whatever features it has itself.
#[cfg(any(feature = "forge", feature = "json"))]
pub(crate) const JSON: &str = "JSON";

/// The number of bytes of a text that a map shows as text.
const SHOWN_BYTES: usize = 4096;

/// A text that the value owns, byte by byte as it stands in the file.
///
/// `Text` is UTF-8, `Text<Latin1>` and `Text<Ascii>` are what they say. A number counts its bytes, by `#[br(count = …)]`.
/// `Text<Latin1, Padded<8, b' '>>` takes 8 bytes, filled up with spaces. `Text<Utf8, Ended<0>>` takes the bytes up to the first
/// zero. Of bytes that are counted, the text of [`Closed`] ends before a byte, and [`Filled`] has padding after it.
/// [`ClosedIn`] takes a fixed number of bytes. Bytes that are no text of the encoding are kept, and
/// the finding `encoding`.
///
/// ```
/// use everybyte::{Endian, Latin1, Padded, Text, layout, write};
///
/// #[layout]
/// struct Station {
///     #[br(temp)]
///     length: u8,
///     #[br(count = length)]
///     name: Text,
///     country: Text<Latin1, Padded<4, b' '>>,
/// }
///
/// let station = Station { name: "Zürich".into(), country: "CH".try_into()? };
/// assert_eq!(write(&station, Endian::Big)?, b"\x07Z\xc3\xbcrichCH  ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Text<E = Utf8, P = Unpadded> {
    bytes: Vec<u8>,
    kind: PhantomData<fn() -> (E, P)>,
}

/// An encoding of texts.
pub trait Encoding {
    /// Its name.
    const NAME: &'static str;

    /// The text of these bytes; `None` if they are none.
    fn decode(bytes: &[u8]) -> Option<Cow<'_, str>>;

    /// The bytes of a text; `None` if it has letters that the encoding has not.
    fn encode(text: &str) -> Option<Vec<u8>>;

    /// A text of `length` bytes for a file that is made up, where letters alone are none. `choose` gives a number below another one.
    #[doc(hidden)]
    fn made_up(_length: usize, _choose: &mut dyn FnMut(u64) -> u64) -> Option<Vec<u8>> {
        None
    }
}

/// UTF-8.
pub enum Utf8 {}

/// ISO 8859-1: a byte for each of the first 256 letters of Unicode.
pub enum Latin1 {}

/// ASCII, of 7 bits.
pub enum Ascii {}

/// UTF-16, the lower byte of each unit first.
pub enum Utf16Le {}

/// UTF-16, the higher byte of each unit first.
pub enum Utf16Be {}

impl Encoding for Utf8 {
    const NAME: &'static str = "UTF-8";

    fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
        std::str::from_utf8(bytes).ok().map(Cow::Borrowed)
    }

    fn encode(text: &str) -> Option<Vec<u8>> {
        Some(text.as_bytes().to_vec())
    }
}

impl Encoding for Latin1 {
    const NAME: &'static str = "Latin-1";

    fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
        Some(bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into())
    }

    fn encode(text: &str) -> Option<Vec<u8>> {
        text.chars().map(|letter| u8::try_from(letter).ok()).collect()
    }
}

impl Encoding for Ascii {
    const NAME: &'static str = "ASCII";

    fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
        if bytes.is_ascii() { Utf8::decode(bytes) } else { None }
    }

    fn encode(text: &str) -> Option<Vec<u8>> {
        text.is_ascii().then(|| text.as_bytes().to_vec())
    }
}

macro_rules! utf16 {
    ($($encoding:ident $name:literal $of_bytes:ident $to_bytes:ident;)*) => {$(
        impl Encoding for $encoding {
            const NAME: &'static str = $name;

            fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
                let (units, []) = bytes.as_chunks::<2>() else { return None };
                let letters = char::decode_utf16(units.iter().map(|&unit| u16::$of_bytes(unit)));
                letters.collect::<Result<String, _>>().ok().map(Cow::Owned)
            }

            fn encode(text: &str) -> Option<Vec<u8>> {
                Some(text.encode_utf16().flat_map(u16::$to_bytes).collect())
            }
        }
    )*};
}

utf16! {
    Utf16Le "UTF-16LE" from_le_bytes to_le_bytes;
    Utf16Be "UTF-16BE" from_be_bytes to_be_bytes;
}

/// How many bytes a text takes, and which of them are no text.
pub trait Padding {
    /// The number of bytes, if it is fixed, and the byte that fills them up.
    const FIXED: Option<(usize, u8)>;

    /// The byte that fills up a text after its end.
    const FILL: Option<u8> = match Self::FIXED {
        Some((_, byte)) => Some(byte),
        None => None,
    };

    /// The byte that ends a text. What stands after it is no text.
    const END: Option<u8> = None;

    /// True if the text takes the bytes up to its end, and no number counts them.
    const IS_ENDED: bool = false;
}

/// As many bytes as are counted.
pub enum Unpadded {}

/// `N` bytes, filled up with `BYTE` after the text.
pub enum Padded<const N: usize, const BYTE: u8> {}

/// The bytes up to and including the first `BYTE`, which is no part of the text.
pub enum Ended<const BYTE: u8> {}

/// As many bytes as are counted. The text ends before the first `BYTE`, if there is one.
pub enum Closed<const BYTE: u8> {}

/// `N` bytes. The text ends before the first `BYTE`, if there is one.
pub enum ClosedIn<const N: usize, const BYTE: u8> {}

/// As many bytes as are counted, filled up with `BYTE` after the text.
pub enum Filled<const BYTE: u8> {}

impl<const BYTE: u8> Padding for Ended<BYTE> {
    const FIXED: Option<(usize, u8)> = None;
    const END: Option<u8> = Some(BYTE);
    const IS_ENDED: bool = true;
}

impl<const BYTE: u8> Padding for Closed<BYTE> {
    const FIXED: Option<(usize, u8)> = None;
    const END: Option<u8> = Some(BYTE);
}

impl<const N: usize, const BYTE: u8> Padding for ClosedIn<N, BYTE> {
    const FIXED: Option<(usize, u8)> = Some((N, BYTE));
    const END: Option<u8> = Some(BYTE);
}

impl<const BYTE: u8> Padding for Filled<BYTE> {
    const FIXED: Option<(usize, u8)> = None;
    const FILL: Option<u8> = Some(BYTE);
}

impl Padding for Unpadded {
    const FIXED: Option<(usize, u8)> = None;
}

impl<const N: usize, const BYTE: u8> Padding for Padded<N, BYTE> {
    const FIXED: Option<(usize, u8)> = Some((N, BYTE));
}

/// A text that does not fit: it has letters that the encoding has not, or too many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError(pub(super) String);

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TextError {}

impl<E: Encoding, P: Padding> Text<E, P> {
    /// A text.
    ///
    /// # Errors
    /// If it has letters that the encoding has not, the byte that ends it, or more bytes than there is room for.
    pub fn new(text: &str) -> Result<Self, TextError> {
        let Some(mut bytes) = E::encode(text) else {
            return Err(TextError(format!("{text:?} has letters that {} has not", E::NAME)));
        };
        if let Some(end) = P::END
            && bytes.contains(&end)
        {
            return Err(TextError(format!("{text:?} has the byte {end:#04x}, which ends it")));
        }
        if let Some((size, byte)) = P::FIXED {
            if bytes.len() > size {
                let length = bytes.len();
                return Err(TextError(format!("{text:?} takes {length} bytes, but there is room for {size}")));
            }
            bytes.extend(std::iter::repeat_n(byte, size - bytes.len()));
        } else {
            bytes.extend(P::END);
        }
        Ok(Text { bytes, kind: PhantomData })
    }

    /// The text without its padding; `None` if its bytes are none.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        let filled = |fill: u8| self.bytes.iter().rposition(|&byte| byte != fill).map_or(0, |last| last + 1);
        let bytes = &self.bytes[..P::FILL.map_or(self.bytes.len(), filled)];
        let ended = P::END.and_then(|end| bytes.iter().position(|&byte| byte == end));
        E::decode(&bytes[..ended.unwrap_or(bytes.len())])
    }

    /// The bytes as they stand in the file, padding included.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text { bytes: text.as_bytes().to_vec(), kind: PhantomData }
    }
}

macro_rules! fallible {
    ($($encoding:ty),*) => {$(
        impl TryFrom<&str> for Text<$encoding> {
            type Error = TextError;

            fn try_from(text: &str) -> Result<Self, TextError> {
                Text::new(text)
            }
        }
    )*};
}

fallible!(Latin1, Ascii, Utf16Le, Utf16Be);

impl<E: Encoding, const N: usize, const BYTE: u8> TryFrom<&str> for Text<E, Padded<N, BYTE>> {
    type Error = TextError;

    fn try_from(text: &str) -> Result<Self, TextError> {
        Text::new(text)
    }
}

impl<E, P> fmt::Debug for Text<E, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.bytes))
    }
}

impl<E, P> Clone for Text<E, P> {
    fn clone(&self) -> Self {
        Text { bytes: self.bytes.clone(), kind: PhantomData }
    }
}

impl<E, P> PartialEq for Text<E, P> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<E, P> Eq for Text<E, P> {}

/// Empty, padding alone, or the byte that ends it.
impl<E, P: Padding> Default for Text<E, P> {
    fn default() -> Self {
        let bytes = match (P::FIXED, P::END) {
            (Some((size, byte)), _) => vec![byte; size],
            (None, Some(end)) if P::IS_ENDED => vec![end],
            _ => Vec::new(),
        };
        Text { bytes, kind: PhantomData }
    }
}

macro_rules! counted {
    ($(($($parameter:tt)*) $padding:ty),* $(,)?) => {$(
        impl<E: Encoding, $($parameter)*> OfBytes for Text<E, $padding> {
            fn of_bytes(bytes: Vec<u8>) -> Self {
                Text { bytes, kind: PhantomData }
            }

            fn made_up(length: usize, choose: &mut dyn FnMut(u64) -> u64) -> Option<Vec<u8>> {
                E::made_up(length, choose)
            }
        }

        impl<E, $($parameter)*> Counted for Text<E, $padding> {
            fn count(&self) -> u64 {
                self.bytes.len() as u64
            }
        }

        impl<E: Encoding, $($parameter)*> BinRead for Text<E, $padding> {
            type Args<'a> = VecArgs<()>;

            fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, args: VecArgs<()>) -> BinResult<Self> {
                counted_bytes(reader, args.count).map(Text::of_bytes)
            }
        }
    )*};
}

counted!(() Unpadded, (const BYTE: u8) Closed<BYTE>, (const BYTE: u8) Filled<BYTE>);

impl<E: Encoding, const BYTE: u8> BinRead for Text<E, Ended<BYTE>> {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Self> {
        let mut bytes = Vec::new();
        #[cfg(feature = "arbitrary")]
        if crate::generator::is_on() {
            crate::generator::put_text(reader.stream_position()?, BYTE);
        }
        while bytes.last() != Some(&BYTE) {
            bytes.push(u8::read_options(reader, endian, ())?);
        }
        Ok(Text { bytes, kind: PhantomData })
    }
}

macro_rules! fixed {
    ($($padding:ident)*) => {$(
        impl<E: Encoding, const N: usize, const BYTE: u8> BinRead for Text<E, $padding<N, BYTE>> {
            type Args<'a> = ();

            fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
                ensure_at_hand(reader, N as u64)?;
                let mut bytes = vec![0; N];
                reader.read_exact(&mut bytes)?;
                Ok(Text { bytes, kind: PhantomData })
            }
        }
    )*};
}

fixed!(Padded ClosedIn);

impl<E, P> BinWrite for Text<E, P> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(writer.write_all(&self.bytes)?)
    }
}

impl<E: Encoding, P: Padding> Layout for Text<E, P> {
    const MIN_SIZE: u64 = match P::FIXED {
        Some((size, _)) => size as u64,
        None => P::IS_ENDED as u64,
    };
    const SIZE: Option<u64> = match P::FIXED {
        Some((size, _)) => Some(size as u64),
        None => None,
    };
    const IS_LIST: bool = P::FIXED.is_none() && !P::IS_ENDED;
    const MAY_BE_FLAWED: bool = true;
    const NATURE: Nature = Nature::VALUE.unsound();

    fn type_name() -> String {
        match P::FIXED {
            Some((size, _)) => format!("{} text of {size}", E::NAME),
            None => format!("{} text", E::NAME),
        }
    }

    fn form() -> Form {
        match P::FIXED {
            Some((size, _)) => Form::Bytes(size as u64),
            None if P::IS_ENDED && P::END == Some(0) => Form::NulString,
            None if P::IS_ENDED => Form::Opaque(None),
            None => Form::List(Box::new(u8::form())),
        }
    }

    fn value(&self) -> Value {
        match self.text() {
            Some(text) if text.len() <= SHOWN_BYTES => Value::Text(text.into_owned()),
            _ => Value::bytes(&self.bytes),
        }
    }

    fn flaw(&self) -> Option<(&'static str, String)> {
        self.text().is_none().then(|| ("encoding", format!("its bytes are no {}", E::NAME)))
    }

    fn heap(&self) -> u64 {
        self.bytes.capacity() as u64
    }
}

#[cfg(feature = "arbitrary")]
impl<'a, E: Encoding, P: Padding> arbitrary::Arbitrary<'a> for Text<E, P> {
    fn arbitrary(unstructured: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
        let text: &str = unstructured.arbitrary()?;
        Ok(Text::new(text).unwrap_or_default())
    }
}
