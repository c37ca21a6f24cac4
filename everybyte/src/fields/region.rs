//! Payloads: bytes that the layout locates but does not load.
//!
//! The header of a gigabyte file can be read from its first kilobytes, because these types only seek. A [`Region`] may end beyond
//! its space, for readers that report a truncated file and continue. [`Bytes`] may not, and [`Rest`] takes all remaining bytes.

use crate::error::Problem;
use crate::error::amount;
use crate::reference::{Layout, Nature, Said};
use crate::terms::{Content, Form};
use binrw::io::{Read, Seek, SeekFrom, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian, NamedArgs};
use std::borrow::Cow;
use std::ops::Range;

/// The declared length of a [`Region`] or of [`Bytes`].
///
/// ```
/// use everybyte::{Endian, Source, bytes::Region, layout, read};
///
/// /// A body whose length is counted in words of four bytes.
/// #[layout]
/// struct Packet {
///     words: u8,
///     #[br(args { length: u64::from(words) * 4 })]
///     body: Region,
/// }
///
/// let packet: Packet = read(Source::new(b"\x01abcd"), Endian::Little, ())?;
/// assert_eq!(packet.body.range(), 1..5);
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
#[derive(Debug, Clone, Copy, NamedArgs)]
pub struct RegionArgs {
    /// The number of bytes.
    pub length: u64,
}

/// A run of bytes of a declared length.
///
/// Reading one never fails: if the space ends early, `present` is the length of the part that exists. When a file is checked,
/// `present` is compared with `length`. Writing one only moves the position forward by the bytes that are present, because the
/// caller writes the contents.
///
/// ```
/// use everybyte::{Endian, Source, bytes::Region, layout, read};
///
/// #[layout]
/// struct Packet {
///     length: u8,
///     #[br(args { length: length.into() })]
///     body: Region,
/// }
///
/// let packet: Packet = read(Source::new(b"\x04abc"), Endian::Little, ()).unwrap();
/// assert_eq!(packet.body.range(), 1..4);
/// assert!(packet.body.is_truncated(), "one of four bytes is missing");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Region {
    /// Its first byte.
    pub offset: u64,
    /// The declared number of bytes.
    pub length: u64,
    /// The number of its bytes that exist in the space.
    pub present: u64,
}

impl Region {
    /// Returns whether the space ends before the region does.
    pub fn is_truncated(&self) -> bool {
        self.present < self.length
    }

    /// The range of the region's bytes in the space.
    pub fn range(&self) -> Range<u64> {
        self.offset..self.offset + self.present
    }

    /// Changes the declared length, in case it becomes known only after the structure is read. The field `rest`, which
    /// follows the region, loses or gains the bytes between the old end and the new end.
    pub fn set_length(&mut self, length: u64, rest: &mut Rest) {
        let left = self.present.saturating_add(rest.length);
        self.length = length;
        self.present = length.min(left);
        *rest = Rest { offset: self.offset.saturating_add(self.present), length: left - self.present };
    }
}

impl BinRead for Region {
    type Args<'a> = RegionArgs;

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, args: RegionArgs) -> BinResult<Self> {
        let offset = reader.stream_position()?;
        let present = bytes_left(reader)?.min(args.length);
        reader.seek(SeekFrom::Start(offset + present))?;
        Ok(Region { offset, length: args.length, present })
    }
}

impl BinWrite for Region {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        skip(writer, self.present)
    }
}

impl Layout for Region {
    const MIN_SIZE: u64 = 0;
    const SIZE: Option<u64> = None;
    const NATURE: Nature = Nature::VALUE.unsound();

    fn type_name() -> String {
        "bytes".into()
    }

    fn form() -> Form {
        Form::Sized(Content::Bytes)
    }

    fn meaning(&self) -> Cow<'static, str> {
        match self.is_truncated() {
            true if self.length == u64::MAX => format!("{} of more bytes than any file can hold", self.present).into(),
            true => format!("{} of {} bytes", self.present, self.length).into(),
            false => amount(self.length).into(),
        }
    }

    fn said(&self) -> Said {
        if self.is_truncated() { Said::Own } else { Said::Amount }
    }

    fn missing(&self) -> u64 {
        self.length - self.present
    }
}

#[cfg(feature = "arbitrary")]
impl arbitrary::Arbitrary<'_> for Region {
    /// Generates an empty region, because the contents of a region belong to the caller.
    fn arbitrary(_: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        Ok(Region::default())
    }
}

/// A [`Region`] of a declared length that lies completely inside the space.
///
/// ```
/// use everybyte::{Endian, Source, bytes::Bytes, layout, read};
///
/// #[layout]
/// struct Packet {
///     length: u8,
///     #[br(args { length: length.into() })]
///     body: Bytes,
/// }
///
/// let file = b"\x03abc";
/// let packet: Packet = read(Source::new(file), Endian::Little, ())?;
/// assert_eq!(packet.body.range(), 1..4);
/// assert!(read::<Packet>(Source::new(b"\x03ab"), Endian::Little, ()).is_err());
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bytes {
    /// Its first byte.
    pub offset: u64,
    /// The number of its bytes.
    pub length: u64,
}

impl Bytes {
    /// Creates bytes to write at an offset that is not known yet.
    pub fn new(length: u64) -> Self {
        Bytes { offset: 0, length }
    }

    /// The range of its bytes in the space.
    pub fn range(&self) -> Range<u64> {
        self.offset..self.offset + self.length
    }
}

impl BinRead for Bytes {
    type Args<'a> = RegionArgs;

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, args: RegionArgs) -> BinResult<Self> {
        let offset = reader.stream_position()?;
        let (left, length) = (bytes_left(reader)?, args.length);
        if length > left {
            let err = Box::new(Problem::TooMany { count: length, element: 1, left });
            return Err(binrw::Error::Custom { pos: offset, err });
        }
        reader.seek(SeekFrom::Start(offset + length))?;
        Ok(Bytes { offset, length })
    }
}

impl BinWrite for Bytes {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        skip(writer, self.length)
    }
}

impl Layout for Bytes {
    const MIN_SIZE: u64 = 0;
    const SIZE: Option<u64> = None;
    const NATURE: Nature = Nature::VALUE;

    fn type_name() -> String {
        "bytes".into()
    }

    fn form() -> Form {
        Form::Sized(Content::Bytes)
    }

    fn meaning(&self) -> Cow<'static, str> {
        amount(self.length).into()
    }

    fn said(&self) -> Said {
        Said::Amount
    }
}

#[cfg(feature = "arbitrary")]
impl arbitrary::Arbitrary<'_> for Bytes {
    /// Generates an empty value, as for [`Region`].
    fn arbitrary(_: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        Ok(Bytes::default())
    }
}

/// All bytes from here to the end of the space.
///
/// ```
/// use everybyte::{Endian, Source, bytes::Rest, layout, read};
///
/// #[layout]
/// struct Packet {
///     kind: u8,
///     body: Rest,
/// }
///
/// let packet: Packet = read(Source::new(b"\x01abc"), Endian::Little, ())?;
/// assert_eq!(packet.body.range(), 1..4);
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rest {
    /// Its first byte.
    pub offset: u64,
    /// The number of bytes; may be 0.
    pub length: u64,
}

impl Rest {
    /// The range of its bytes in the space.
    pub fn range(&self) -> Range<u64> {
        self.offset..self.offset + self.length
    }
}

impl BinRead for Rest {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        let offset = reader.stream_position()?;
        let length = bytes_left(reader)?;
        reader.seek(SeekFrom::Start(offset + length))?;
        Ok(Rest { offset, length })
    }
}

impl BinWrite for Rest {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        skip(writer, self.length)
    }
}

impl Layout for Rest {
    const MIN_SIZE: u64 = 0;
    const SIZE: Option<u64> = None;
    const NATURE: Nature = Nature::VALUE;

    fn type_name() -> String {
        "bytes".into()
    }

    fn form() -> Form {
        Form::Rest
    }

    fn meaning(&self) -> Cow<'static, str> {
        if self.length == 0 { "none".into() } else { amount(self.length).into() }
    }

    fn said(&self) -> Said {
        Said::AmountOrNone
    }
}

#[cfg(feature = "arbitrary")]
impl arbitrary::Arbitrary<'_> for Rest {
    /// Generates an empty value, as for [`Region`].
    fn arbitrary(_: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        Ok(Rest::default())
    }
}

/// Counts the bytes between the reader's position and the end of its space.
///
/// # Errors
/// Returns the error of the reader's `seek`.
pub fn bytes_left<R: Seek>(reader: &mut R) -> BinResult<u64> {
    let here = reader.stream_position()?;
    let end = reader.seek(SeekFrom::End(0))?;
    reader.seek(SeekFrom::Start(here))?;
    Ok(end.saturating_sub(here))
}

/// Fails, before anything is allocated, unless the next `length` bytes can be read. A space may be longer than the bytes that are
/// available. In your own field types, call this before allocating a length that a file declares.
///
/// # Errors
/// Returns the reader's error for the last of these bytes.
pub fn ensure_at_hand<R: Read + Seek>(reader: &mut R, length: u64) -> BinResult<()> {
    if length == 0 {
        return Ok(());
    }
    let here = reader.stream_position()?;
    reader.seek(SeekFrom::Start(here + length - 1))?;
    reader.read_exact(&mut [0])?;
    reader.seek(SeekFrom::Start(here))?;
    Ok(())
}

/// Moves the writer past bytes that the caller fills in.
pub(crate) fn skip<W: Seek>(writer: &mut W, length: u64) -> BinResult<()> {
    let here = writer.stream_position()?;
    writer.seek(SeekFrom::Start(here + length))?;
    Ok(())
}
