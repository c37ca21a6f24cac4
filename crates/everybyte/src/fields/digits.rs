//! Numbers that are written in digits, in texts of a fixed number of bytes.

use super::text::TextError;
use crate::reference::{Layout, Nature};
use crate::terms::Form;
use crate::value::Value;
use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian};
use std::fmt;
use std::marker::PhantomData;

/// How a number is written in digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digits {
    /// The base, from 2 to 36.
    pub base: u32,
    /// The bytes of the text.
    pub size: u64,
    /// The bytes of the text that have no digits.
    pub placement: Placement,
}

/// The bytes of a text that have no digits of its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Spaces before the number.
    Right,
    /// Spaces after the number.
    Left,
    /// Zeros before the number: they are digits, too.
    Zeroed,
    /// Zeros before the number, and a zero byte after it.
    ZeroEnded,
}

impl Digits {
    /// The number that a text states; `None` if it states none, or one that does not fit into 64 bits.
    ///
    /// Spaces may stand before the number, spaces and zero bytes after it. A decimal number may have a sign.
    pub fn read(self, text: &[u8]) -> Option<i64> {
        let start = text.iter().position(|&byte| byte != b' ')?;
        let end = text.iter().rposition(|&byte| !matches!(byte, b' ' | 0))? + 1;
        let number = std::str::from_utf8(text.get(start..end)?).ok()?;
        let has_sign = number.starts_with(['+', '-']);
        i64::from_str_radix(number, self.base).ok().filter(|_| !has_sign || self.base == 10)
    }

    /// The text of a number; `None` if it has no room.
    pub fn write(self, number: i64) -> Option<Vec<u8>> {
        let size = usize::try_from(self.size).ok()?;
        let mut digits = self.digits(number)?;
        let (fill, room) = match self.placement {
            Placement::Right | Placement::Left => (b' ', size),
            Placement::Zeroed => (b'0', size),
            Placement::ZeroEnded => (b'0', size.checked_sub(1)?),
        };
        let filling = std::iter::repeat_n(fill, room.checked_sub(digits.len())?);
        match self.placement {
            Placement::Left => digits.extend(filling),
            // Zeros stand after a sign.
            _ => {
                let start = usize::from(fill == b'0' && number < 0);
                digits.splice(start..start, filling);
            }
        }
        digits.extend((self.placement == Placement::ZeroEnded).then_some(0));
        Some(digits)
    }

    /// The least and the greatest number that has room.
    pub(crate) fn range(self) -> (i128, i128) {
        let room = self.size - u64::from(self.placement == Placement::ZeroEnded).min(self.size);
        let most = |digits: u64| {
            let all = i128::from(self.base).checked_pow(digits.min(64) as u32);
            all.map_or(i64::MAX.into(), |all| (all - 1).min(i64::MAX.into()))
        };
        let least = if self.base == 10 { -most(room.saturating_sub(1)) } else { 0 };
        (least, most(room))
    }

    /// The digits of a number, with the sign of a negative one.
    fn digits(self, number: i64) -> Option<Vec<u8>> {
        let (mut digits, mut rest) = (Vec::new(), number.unsigned_abs());
        while rest > 0 || digits.is_empty() {
            let digit = char::from_digit((rest % u64::from(self.base)) as u32, self.base)?;
            digits.push(digit.to_ascii_uppercase() as u8);
            rest /= u64::from(self.base);
        }
        if number < 0 {
            digits.push(b'-');
        }
        digits.reverse();
        Some(digits).filter(|_| number >= 0 || self.base == 10)
    }

    /// The words for a number that does not stand at its place; `None` if it does.
    fn displaced(self, text: &[u8]) -> Option<&'static str> {
        let (first, last) = (*text.first()?, *text.last()?);
        match self.placement {
            Placement::Right if matches!(last, b' ' | 0) => Some("the number does not end with the last byte"),
            Placement::Left if first == b' ' => Some("the number does not begin with the first byte"),
            Placement::Zeroed if first == b' ' || matches!(last, b' ' | 0) => {
                Some("the number does not fill its bytes")
            }
            _ => None,
        }
    }

    /// The name of the type that is written so.
    pub(crate) fn type_name(self) -> String {
        let placement = match self.placement {
            Placement::Right => "right",
            Placement::Left => "left",
            Placement::Zeroed => "zeroed",
            Placement::ZeroEnded => "zero-ended",
        };
        format!("{} text of {} ({placement})", self.name(), self.size)
    }

    /// The name of its digits.
    fn name(self) -> &'static str {
        match self.base {
            8 => "octal",
            10 => "decimal",
            16 => "hexadecimal",
            _ => "digits",
        }
    }
}

/// Where the digits of a [`Numeral`] stand: [`Right`], [`Left`], [`Zeroed`] or [`ZeroEnded`].
pub trait Placed {
    /// The bytes that have no digits.
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
    /// Zeros before the number, and a zero byte after it.
    ZeroEnded;
}

/// A number that is written in digits of a base, in a text of `N` bytes: [`Decimal`], [`Octal`] or [`Hex`].
///
/// Its bytes are kept as they stand in the file, and [`value`](Numeral::value) is the number. A text that states no number cannot be
/// read. One at another place than `P` says is the finding `digits`.
///
/// ```
/// use everybyte::{Decimal, Endian, Left, Octal, Source, layout, read, write};
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

/// An octal number in a text of `N` bytes. Tar has zeros before it, and a zero byte after it.
pub type Octal<const N: usize, P = ZeroEnded> = Numeral<8, N, P>;

/// A hexadecimal number in a text of `N` bytes.
pub type Hex<const N: usize, P = Zeroed> = Numeral<16, N, P>;

impl<const BASE: u32, const N: usize, P: Placed> Numeral<BASE, N, P> {
    const DIGITS: Digits = {
        assert!(BASE >= 2 && BASE <= 36, "digits have a base from 2 to 36");
        assert!(N > 0, "a number has at least one digit");
        Digits { base: BASE, size: N as u64, placement: P::PLACEMENT }
    };

    /// A number, as it is written in a new file.
    ///
    /// # Errors
    /// If there is no room for its digits, or for the sign that only decimal numbers have.
    pub fn new(number: i64) -> Result<Self, TextError> {
        let text = Self::DIGITS.write(number).and_then(|text| text.try_into().ok());
        let no_room = || TextError(format!("{number} has no room in a {} text of {N} bytes", Self::DIGITS.name()));
        text.map(|text| Numeral { text, number, placed: PhantomData }).ok_or_else(no_room)
    }

    /// The text as it stands in the file.
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
                let message = format!("\"{}\" states no {} number", text.escape_ascii(), Self::DIGITS.name());
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
