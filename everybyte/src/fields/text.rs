//! Owned texts, whose length is either stated by the file or fixed with padding.
//!
//! A text keeps the bytes of the file; the encoding and the padding are type parameters. Bytes that are invalid in the encoding are
//! kept, so the file is written back unchanged, and `check` reports them. Decoding happens only in [`Text::text`].

use super::owned::{Counted, OfBytes, counted_bytes};
use super::region::ensure_at_hand;
use crate::reference::{Layout, Nature};
use crate::terms::{Form, TextForm};
use crate::value::Value;
use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian, VecArgs};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// The name of JSON in type names. The forge recognises it in the field references of other crates, regardless of its own features.
#[cfg(any(feature = "forge", feature = "json"))]
pub(crate) const JSON: &str = "JSON";

/// The maximum length in bytes of a text that a map shows as text.
const SHOWN_BYTES: usize = 4096;

/// An owned text that keeps the exact bytes of the file.
///
/// `Text` is UTF-8; `Text<Latin1>` and `Text<Ascii>` have other encodings. `#[br(count = …)]` states the number of bytes.
/// `Text<Latin1, Padded<8, b' '>>` takes 8 bytes, padded with spaces. `Text<Utf8, Ended<0>>` takes the bytes up to the first zero.
/// With [`Closed`], the text in the counted bytes ends before a certain byte; with [`Filled`], padding follows the text.
/// [`ClosedIn`] takes a fixed number of bytes. Bytes that are invalid in the encoding are kept and reported as the finding
/// `encoding`.
///
/// ```
/// use everybyte::{Endian, layout, text::{Latin1, Padded, Text}, write};
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
///
/// ```
/// use everybyte::text::{Encoding, Text};
/// use std::borrow::Cow;
///
/// /// Letters counted from A, as some cartridges store titles.
/// enum Letters {}
///
/// impl Encoding for Letters {
///     const NAME: &'static str = "letters";
///
///     fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
///         let letters = bytes.iter().map(|&byte| (byte < 26).then(|| char::from(b'A' + byte)));
///         Some(Cow::Owned(letters.collect::<Option<String>>()?))
///     }
///
///     fn encode(text: &str) -> Option<Vec<u8>> {
///         text.bytes().map(|letter| letter.is_ascii_uppercase().then(|| letter - b'A')).collect()
///     }
/// }
///
/// assert_eq!(Text::<Letters>::new("CAB")?.bytes(), [2, 0, 1]);
/// assert!(Text::<Letters>::new("cab").is_err());
/// # Ok::<(), everybyte::text::TextError>(())
/// ```
pub trait Encoding {
    /// Its name.
    const NAME: &'static str;

    /// Decodes bytes; `None` if they are invalid.
    fn decode(bytes: &[u8]) -> Option<Cow<'_, str>>;

    /// Encodes a text; `None` if the encoding cannot represent all of its characters.
    fn encode(text: &str) -> Option<Vec<u8>>;

    /// Returns text of `length` bytes for a generated file, if letters alone are not valid. `choose` must return a
    /// number below its argument.
    #[doc(hidden)]
    fn made_up(_length: usize, _choose: &mut dyn FnMut(u64) -> u64) -> Option<Vec<u8>> {
        None
    }
}

/// UTF-8.
///
/// ```
/// use everybyte::text::{Encoding, Utf8};
///
/// assert_eq!(Utf8::decode(b"Z\xc3\xbcrich").as_deref(), Some("Zürich"));
/// ```
pub enum Utf8 {}

/// ISO 8859-1: one byte for each of the first 256 characters of Unicode.
///
/// ```
/// use everybyte::text::{Encoding, Latin1};
///
/// assert_eq!(Latin1::decode(b"Z\xfcrich").as_deref(), Some("Zürich"));
/// ```
pub enum Latin1 {}

/// 7-bit ASCII.
///
/// ```
/// use everybyte::text::{Ascii, Encoding};
///
/// assert_eq!(Ascii::decode(b"CH").as_deref(), Some("CH"));
/// assert_eq!(Ascii::decode(b"Z\xfcrich"), None);
/// ```
pub enum Ascii {}

/// UTF-16, little-endian.
///
/// ```
/// use everybyte::text::{Encoding, Utf16Le};
///
/// assert_eq!(Utf16Le::decode(b"\xfc\0").as_deref(), Some("ü"));
/// ```
pub enum Utf16Le {}

/// UTF-16, big-endian.
///
/// ```
/// use everybyte::text::{Encoding, Utf16Be};
///
/// assert_eq!(Utf16Be::decode(b"\0\xfc").as_deref(), Some("ü"));
/// ```
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

/// The number of bytes that a text takes, and which of them are padding.
///
/// ```
/// use everybyte::text::{Closed, Ended, Padded, Padding};
///
/// assert_eq!(<Padded<8, b' '>>::FIXED, Some((8, b' ')));
/// assert_eq!((<Ended<0>>::END, <Ended<0>>::IS_ENDED), (Some(0), true));
/// assert_eq!((<Closed<0>>::END, <Closed<0>>::IS_ENDED), (Some(0), false));
/// ```
pub trait Padding {
    /// The number of bytes, if it is fixed, and the byte that pads them.
    const FIXED: Option<(usize, u8)>;

    /// The byte that pads a text after its end.
    const FILL: Option<u8> = match Self::FIXED {
        Some((_, byte)) => Some(byte),
        None => None,
    };

    /// The byte that ends a text. The bytes after it are not text.
    const END: Option<u8> = None;

    /// True if the text takes the bytes up to its end byte instead of a counted number of bytes.
    const IS_ENDED: bool = false;
}

/// As many bytes as the count states.
///
/// ```
/// use everybyte::text::{Text, Unpadded, Utf8};
///
/// assert_eq!(Text::<Utf8, Unpadded>::new("Zürich")?.bytes(), "Zürich".as_bytes());
/// # Ok::<(), everybyte::text::TextError>(())
/// ```
pub enum Unpadded {}

/// `N` bytes, padded with `BYTE` after the text.
///
/// ```
/// use everybyte::text::{Padded, Padding};
///
/// assert_eq!(<Padded<4, b' '> as Padding>::FIXED, Some((4, b' ')));
/// ```
pub enum Padded<const N: usize, const BYTE: u8> {}

/// The bytes up to and including the first `BYTE`, which is not part of the text.
///
/// ```
/// use everybyte::text::{Ended, Padding};
///
/// assert_eq!(<Ended<b'\n'> as Padding>::END, Some(b'\n'));
/// ```
pub enum Ended<const BYTE: u8> {}

/// As many bytes as the count states. The text ends before the first `BYTE`, if there is one.
///
/// ```
/// use everybyte::{Endian, Source, layout, read, text::{Ascii, Closed, Text}};
///
/// #[layout]
/// struct Entry {
///     #[br(count = 4)]
///     owner: Text<Ascii, Closed<0>>,
/// }
///
/// let entry: Entry = read(Source::new(b"me\0?"), Endian::Big, ())?;
/// assert_eq!(entry.owner.text().as_deref(), Some("me"));
/// assert_eq!(entry.owner.bytes(), b"me\0?", "the bytes after the end are kept");
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
pub enum Closed<const BYTE: u8> {}

/// `N` bytes. The text ends before the first `BYTE`, if there is one.
///
/// ```
/// use everybyte::text::{Ascii, ClosedIn, Text};
///
/// let owner = Text::<Ascii, ClosedIn<4, 0>>::new("me")?;
/// assert_eq!(owner.bytes(), b"me\0\0");
/// assert_eq!(owner.text().as_deref(), Some("me"));
/// # Ok::<(), everybyte::text::TextError>(())
/// ```
pub enum ClosedIn<const N: usize, const BYTE: u8> {}

/// As many bytes as the count states, padded with `BYTE` after the text.
///
/// ```
/// use everybyte::{Endian, Source, layout, read, text::{Ascii, Filled, Text}};
///
/// #[layout]
/// struct Entry {
///     length: u8,
///     #[br(count = length)]
///     unit: Text<Ascii, Filled<b' '>>,
/// }
///
/// let entry: Entry = read(Source::new(b"\x04cm  "), Endian::Big, ())?;
/// assert_eq!(entry.unit.text().as_deref(), Some("cm"));
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
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

/// The error for a text that is too long, contains the byte that ends it, or has characters that the encoding cannot represent.
///
/// ```
/// use everybyte::text::{Ascii, Text};
///
/// let error = Text::<Ascii>::new("Zürich").unwrap_err();
/// assert_eq!(error.to_string(), "\"Zürich\" has characters that ASCII cannot encode");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError(pub(super) String);

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TextError {}

impl<E: Encoding, P: Padding> Text<E, P> {
    /// Creates a text.
    ///
    /// # Errors
    /// Fails if the text has characters that the encoding cannot represent, contains the byte that ends it, or is too
    /// long.
    pub fn new(text: &str) -> Result<Self, TextError> {
        let Some(mut bytes) = E::encode(text) else {
            return Err(TextError(format!("{text:?} has characters that {} cannot encode", E::NAME)));
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

    /// The text without its padding; `None` if its bytes are not valid text.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        decoded::<E, P>(&self.bytes)
    }

    /// The bytes in the file, including padding.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Returns the text in the bytes of a field, without its padding; `None` if they are not valid text.
pub(crate) fn decoded<E: Encoding, P: Padding>(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let filled = |fill: u8| bytes.iter().rposition(|&byte| byte != fill).map_or(0, |last| last + 1);
    let bytes = &bytes[..P::FILL.map_or(bytes.len(), filled)];
    let ended = P::END.and_then(|end| bytes.iter().position(|&byte| byte == end));
    E::decode(&bytes[..ended.unwrap_or(bytes.len())])
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

/// The default is empty, only padding, or only the byte that ends the text.
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
        let size = P::FIXED.map_or_else(String::new, |(size, _)| format!(" of {size}"));
        let after = match (P::END, P::FILL) {
            (Some(end), _) => format!(" up to {end:#04x}"),
            (None, Some(fill)) => format!(" padded with {fill:#04x}"),
            (None, None) => String::new(),
        };
        format!("{} text{size}{after}", E::NAME)
    }

    fn form() -> Form {
        Form::Text(TextForm {
            encoding: E::NAME,
            size: P::FIXED.map(|(size, _)| size as u64),
            fill: P::FILL,
            end: P::END,
            is_ended: P::IS_ENDED,
        })
    }

    fn value(&self) -> Value {
        match self.text() {
            Some(text) if text.len() <= SHOWN_BYTES => Value::Text(text.into_owned()),
            _ => Value::bytes(&self.bytes),
        }
    }

    fn flaw(&self) -> Option<(&'static str, String)> {
        self.text().is_none().then(|| ("encoding", format!("its bytes are not {}", E::NAME)))
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
