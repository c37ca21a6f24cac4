//! Numbers written as digits, in fields of fixed length.

use super::text::TextError;
use crate::digits::{Digits, Placement};
use crate::reference::{Layout, Nature};
use crate::terms::Form;
use crate::value::Value;
use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian};
use std::fmt;
use std::marker::PhantomData;

/// The position of the digits in a [`Numeral`]: [`Right`], [`Left`], [`Zeroed`] or [`ZeroEnded`].
///
/// ```
/// use everybyte::number::{Decimal, Left, Right, Zeroed};
///
/// assert_eq!(Decimal::<4, Right>::new(42)?.text(), b"  42");
/// assert_eq!(Decimal::<4, Left>::new(42)?.text(), b"42  ");
/// assert_eq!(Decimal::<4, Zeroed>::new(42)?.text(), b"0042");
/// # Ok::<(), everybyte::text::TextError>(())
/// ```
pub trait Placed {
    /// The filler for the bytes that are not digits.
    const PLACEMENT: Placement;
}

macro_rules! placements {
    ($($(#[doc = $doc:literal])+ $Name:ident;)*) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $Name {}

        impl Placed for $Name {
            const PLACEMENT: Placement = Placement::$Name;
        }
    )*};
}

placements! {
    /// Spaces before the number.
    Right;
    /// Spaces after the number.
    Left;
    /// Zeros before the number.
    Zeroed;
    /// Zeros before the number and a zero byte after it.
    ZeroEnded;
}

/// A number written as digits in a text of `N` bytes: [`Decimal`], [`Octal`] or [`Hex`].
///
/// Its bytes are kept unchanged, and [`value`](Numeral::value) is the number. Text that is not a number cannot be
/// read. A number that is not positioned as `P` requires is reported as the finding `digits`.
///
/// ```
/// use everybyte::{Endian, Source, layout, number::{Decimal, Left, Octal}, read, write};
///
/// #[layout]
/// struct Entry {
///     #[br(temp)]
///     length: Decimal<5>,
///     owner: Decimal<3, Left>,
///     mode: Octal<8>,
///     #[br(count = length)]
///     content: Vec<u8>,
/// }
///
/// let file = b"    27  0000644\0hi";
/// let entry: Entry = read(Source::new(file), Endian::Big, ())?;
/// assert_eq!((entry.owner.value(), entry.mode.value(), &entry.content[..]), (7, 0o644, &b"hi"[..]));
/// assert_eq!(write(&entry, Endian::Big)?, file);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Numeral<const BASE: u32, const N: usize, P = Right> {
    text: [u8; N],
    number: i64,
    placed: PhantomData<fn() -> P>,
}

/// A decimal number in a text of `N` bytes.
pub type Decimal<const N: usize, P = Right> = Numeral<10, N, P>;

/// An octal number in a text of `N` bytes. In tar, zeros precede it, and a zero byte follows it.
pub type Octal<const N: usize, P = ZeroEnded> = Numeral<8, N, P>;

/// A hexadecimal number in a text of `N` bytes.
pub type Hex<const N: usize, P = Zeroed> = Numeral<16, N, P>;

impl<const BASE: u32, const N: usize, P: Placed> Numeral<BASE, N, P> {
    /// The form of the digits. Impossible parameters fail to compile.
    const DIGITS: Digits = {
        assert!(BASE >= 2 && BASE <= 36, "digits have a base from 2 to 36");
        assert!(N > 0, "a number has at least one digit");
        Digits { base: BASE, size: N as u64, placement: P::PLACEMENT }
    };

    /// Creates the text of a number for a new file.
    ///
    /// # Errors
    /// Fails if the digits do not fit or if the number is negative and not decimal.
    pub fn new(number: i64) -> Result<Self, TextError> {
        let text = Self::DIGITS.write(number).and_then(|text| text.try_into().ok());
        let no_room = || TextError(format!("{number} has no room in a {} text of {N} bytes", Self::DIGITS.name()));
        text.map(|text| Numeral { text, number, placed: PhantomData }).ok_or_else(no_room)
    }

    /// The text in the file.
    pub fn text(&self) -> &[u8; N] {
        &self.text
    }
}

impl<const BASE: u32, const N: usize, P> Numeral<BASE, N, P> {
    /// The number.
    pub const fn value(self) -> i64 {
        self.number
    }
}

impl<const BASE: u32, const N: usize, P> Clone for Numeral<BASE, N, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<const BASE: u32, const N: usize, P> Copy for Numeral<BASE, N, P> {}

impl<const BASE: u32, const N: usize, P> PartialEq for Numeral<BASE, N, P> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<const BASE: u32, const N: usize, P> Eq for Numeral<BASE, N, P> {}

impl<const BASE: u32, const N: usize, P> fmt::Debug for Numeral<BASE, N, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?})", self.number, String::from_utf8_lossy(&self.text))
    }
}

impl<const BASE: u32, const N: usize, P: Placed> Default for Numeral<BASE, N, P> {
    fn default() -> Self {
        let text = Self::DIGITS.write(0).and_then(|text| text.try_into().ok());
        Numeral { text: text.unwrap_or([b'0'; N]), number: 0, placed: PhantomData }
    }
}

impl<const BASE: u32, const N: usize, P: Placed> TryFrom<i64> for Numeral<BASE, N, P> {
    type Error = TextError;

    fn try_from(number: i64) -> Result<Self, TextError> {
        Numeral::new(number)
    }
}

impl<const BASE: u32, const N: usize, P: Placed> TryFrom<u64> for Numeral<BASE, N, P> {
    type Error = TextError;

    fn try_from(number: u64) -> Result<Self, TextError> {
        let wide = |_| TextError(format!("{number} does not fit into 63 bits"));
        i64::try_from(number).map_err(wide).and_then(Numeral::new)
    }
}

impl<const BASE: u32, const N: usize, P> From<Numeral<BASE, N, P>> for i64 {
    fn from(numeral: Numeral<BASE, N, P>) -> Self {
        numeral.number
    }
}

macro_rules! into_unsigned {
    ($($integer:ty),*) => {$(
        impl<const BASE: u32, const N: usize, P> TryFrom<Numeral<BASE, N, P>> for $integer {
            type Error = std::num::TryFromIntError;

            fn try_from(numeral: Numeral<BASE, N, P>) -> Result<Self, Self::Error> {
                numeral.number.try_into()
            }
        }
    )*};
}

into_unsigned!(u64, usize);

impl<const BASE: u32, const N: usize, P: Placed> BinRead for Numeral<BASE, N, P> {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        let pos = reader.stream_position()?;
        let mut text = [0; N];
        reader.read_exact(&mut text)?;
        match Self::DIGITS.read(&text) {
            Some(number) => Ok(Numeral { text, number, placed: PhantomData }),
            None => {
                let message = format!("\"{}\" is not a valid {} number", text.escape_ascii(), Self::DIGITS.name());
                Err(binrw::Error::AssertFail { pos, message })
            }
        }
    }
}

impl<const BASE: u32, const N: usize, P> BinWrite for Numeral<BASE, N, P> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(writer.write_all(&self.text)?)
    }
}

impl<const BASE: u32, const N: usize, P: Placed> Layout for Numeral<BASE, N, P> {
    const MIN_SIZE: u64 = Self::DIGITS.size;
    const SIZE: Option<u64> = Some(Self::DIGITS.size);
    const IS_NUMBER: bool = true;
    const MAY_BE_FLAWED: bool = true;
    const NATURE: Nature = Nature::VALUE.unsound();

    fn type_name() -> String {
        Self::DIGITS.type_name()
    }

    fn form() -> Form {
        Form::Digits(Self::DIGITS)
    }

    fn value(&self) -> Value {
        Value::Int(self.number.into())
    }

    fn flaw(&self) -> Option<(&'static str, String)> {
        Self::DIGITS.displaced(&self.text).map(|words| ("digits", words.to_owned()))
    }
}

#[cfg(feature = "arbitrary")]
impl<const BASE: u32, const N: usize, P: Placed> arbitrary::Arbitrary<'_> for Numeral<BASE, N, P> {
    fn arbitrary(unstructured: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        let number: i64 = unstructured.arbitrary()?;
        let number = number >> unstructured.int_in_range(0..=63)?;
        Ok(Numeral::new(number).unwrap_or_default())
    }
}
