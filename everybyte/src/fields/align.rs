//! Padding up to the next multiple of a number.
//!
//! A value that was read keeps its length, and its bytes if any of them differ from the padding byte. A default value has
//! neither, and the writer pads from its current position to the multiple. The same type therefore works for reading,
//! editing and creating files.

use super::region::{bytes_left, ensure_at_hand};
use crate::alignment::Alignment;
use crate::error::amount;
use crate::reference::{Layout, Nature, Said};
use crate::terms::Form;
use crate::value::Value;
use binrw::io::{self, Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian, NamedArgs};
use std::borrow::Cow;

/// The arguments of [`Align`].
///
/// ```
/// use everybyte::{Format, bytes::Align, check, layout};
///
/// /// The file states the size of its blocks.
/// #[layout]
/// struct Record {
///     block: u8,
///     value: u8,
///     #[br(args { to: block.into() })]
///     padding: Align<4>,
/// }
/// # impl Format for Record { const NAME: &'static str = "record"; }
///
/// assert_eq!(check::<Record>(b"\x08!\0\0\0\0\0\0"), []);
/// assert_eq!(check::<Record>(b"\x02!"), []);
/// ```
#[derive(Debug, Clone, Copy, Default, NamedArgs)]
pub struct AlignArgs {
    /// The offset from which multiples are counted; by default, the beginning of the space.
    #[named_args(default = 0)]
    pub from: u64,
    /// The end is a multiple of this number; by default `N`.
    #[named_args(default = 0)]
    pub to: u64,
}

/// Padding bytes `BYTE` up to the next multiple of `N`. Other bytes are kept and reported as the finding `padding`.
///
/// Multiples are counted from the beginning of the space or, with `#[layout(from = field)]`, from the first byte of a
/// field of the structure. A default value is written with as much padding as needed. If the file states the number,
/// `#[br(args { to: alignment })]` overrides `N`; a value that was read keeps its number.
///
/// ```
/// use everybyte::{Endian, bytes::Align, layout, write};
///
/// #[layout]
/// struct Record {
///     kind: u8,
///     padding: Align<4>,
///     value: u8,
///     end: Align<4, b' '>,
/// }
///
/// let record = Record { kind: 1, padding: Align::default(), value: 2, end: Align::default() };
/// assert_eq!(write(&record, Endian::Little)?, b"\x01\0\0\0\x02   ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Align<const N: u64, const BYTE: u8 = 0> {
    /// The bytes, if they differ from the padding byte.
    other: Vec<u8>,
    /// The number of bytes that were read.
    length: u64,
    /// The number that overrides `N`; 0 if there is none.
    to: u64,
    /// The offset from which multiples were counted.
    from: u64,
}

impl<const N: u64, const BYTE: u8> Align<N, BYTE> {
    /// Returns the bytes if one of them differs from the padding byte.
    pub fn other_bytes(&self) -> Option<&[u8]> {
        (!self.other.is_empty()).then_some(&self.other)
    }

    pub(crate) fn alignment(from: u64, to: u64) -> Alignment {
        const { assert!(N > 0) };
        Alignment { from, to: if to == 0 { N } else { to }, byte: BYTE }
    }
}

/// Values are equal if they are written as the same bytes at the same position.
impl<const N: u64, const BYTE: u8> PartialEq for Align<N, BYTE> {
    fn eq(&self, other: &Self) -> bool {
        self.other == other.other
    }
}

impl<const N: u64, const BYTE: u8> Eq for Align<N, BYTE> {}

impl<const N: u64, const BYTE: u8> BinRead for Align<N, BYTE> {
    type Args<'a> = AlignArgs;

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, args: AlignArgs) -> BinResult<Self> {
        let offset = reader.stream_position()?;
        let length = Self::alignment(args.from, args.to).needed(offset);
        if length > bytes_left(reader)? {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        ensure_at_hand(reader, length)?;
        let mut bytes = vec![BYTE; usize::try_from(length).unwrap_or(usize::MAX)];
        #[cfg(feature = "arbitrary")]
        if crate::generator::is_on() {
            crate::generator::put(offset, &bytes);
        }
        reader.read_exact(&mut bytes)?;
        if bytes.iter().all(|&byte| byte == BYTE) {
            bytes = Vec::new();
        }
        Ok(Align { other: bytes, length, to: args.to, from: args.from })
    }
}

impl<const N: u64, const BYTE: u8> BinWrite for Align<N, BYTE> {
    type Args<'a> = AlignArgs;

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, args: AlignArgs) -> BinResult<()> {
        let length = Self::alignment(args.from, self.to).needed(writer.stream_position()?);
        if self.other.len() as u64 == length {
            writer.write_all(&self.other)?;
        } else {
            std::io::copy(&mut std::io::repeat(BYTE).take(length), writer)?;
        }
        Ok(())
    }
}

impl<const N: u64, const BYTE: u8> Layout for Align<N, BYTE> {
    const MIN_SIZE: u64 = {
        assert!(N > 0, "padding goes up to a multiple of at least 1");
        0
    };
    const SIZE: Option<u64> = None;
    const MAY_BE_FLAWED: bool = true;
    const NATURE: Nature = Nature::VALUE.unsound();

    fn type_name() -> String {
        match BYTE {
            0 => format!("Align<{N}>"),
            byte => format!("Align<{N}, {byte:#04x}>"),
        }
    }

    fn form() -> Form {
        Form::Align(N)
    }

    fn value(&self) -> Value {
        if self.other.is_empty() { Value::None } else { Value::bytes(&self.other) }
    }

    fn meaning(&self) -> Cow<'static, str> {
        match self.other.is_empty() {
            true => amount(self.length).into(),
            false => format!("has to be {BYTE:#04x}").into(),
        }
    }

    fn said(&self) -> Said {
        if self.other.is_empty() { Said::Amount } else { Said::Own }
    }

    fn alignment(&self) -> Option<Alignment> {
        self.other.is_empty().then(|| Self::alignment(self.from, self.to))
    }

    fn flaw(&self) -> Option<(&'static str, String)> {
        let message = || format!("the padding has {}, not all of which are {BYTE:#04x}", amount(self.length));
        (!self.other.is_empty()).then(|| ("padding", message()))
    }

    fn heap(&self) -> u64 {
        self.other.capacity() as u64
    }
}

#[cfg(feature = "arbitrary")]
impl<const N: u64, const BYTE: u8> arbitrary::Arbitrary<'_> for Align<N, BYTE> {
    /// Generates the default value, which pads as much as needed.
    fn arbitrary(_: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        Ok(Align::default())
    }
}
