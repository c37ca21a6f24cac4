//! Three-byte and six-byte integers.

use crate::reference::{Layout, Nature};
use crate::terms::Form;
use crate::value::Value;
use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian};

/// The error for a number that does not fit into an integer of three or six bytes.
///
/// ```
/// use everybyte::number::U24;
///
/// let error = U24::try_from(1_u32 << 24).unwrap_err();
/// assert_eq!(error.to_string(), "the number is out of the range of U24");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfRange {
    type_name: &'static str,
}

impl std::fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the number is out of the range of {}", self.type_name)
    }
}

impl std::error::Error for OutOfRange {}

macro_rules! integers {
    ($($(#[doc = $doc:literal])+ $Name:ident($integer:ident), $bytes:literal, $value:ident as $wide:ident;)*) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $Name($integer);

        impl $Name {
            const UNUSED: u32 = $integer::BITS - 8 * $bytes;

            /// The smallest number.
            pub const MIN: Self = Self($integer::MIN >> Self::UNUSED);

            /// The largest number.
            pub const MAX: Self = Self($integer::MAX >> Self::UNUSED);

            /// The number.
            pub const fn value(self) -> $integer {
                self.0
            }

            fn of(number: i128) -> Result<Self, OutOfRange> {
                let fits = (i128::from(Self::MIN.0)..=i128::from(Self::MAX.0)).contains(&number);
                let number = $integer::try_from(number).ok().filter(|_| fits);
                number.map(Self).ok_or(OutOfRange { type_name: Self::NAME })
            }

            const NAME: &'static str = stringify!($Name);
        }

        impl TryFrom<$integer> for $Name {
            type Error = OutOfRange;

            fn try_from(number: $integer) -> Result<Self, OutOfRange> {
                $Name::of(number.into())
            }
        }

        impl From<$Name> for $integer {
            fn from(number: $Name) -> Self {
                number.0
            }
        }

        impl TryFrom<$Name> for usize {
            type Error = std::num::TryFromIntError;

            fn try_from(number: $Name) -> Result<Self, Self::Error> {
                usize::try_from(number.0)
            }
        }

        impl BinRead for $Name {
            type Args<'a> = ();

            fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Self> {
                const UNREAD: usize = size_of::<$integer>() - $bytes;
                let mut bytes = [0; size_of::<$integer>()];
                // The bytes are read into the highest positions, so that the shift extends the sign.
                let number = match endian {
                    Endian::Big => {
                        reader.read_exact(&mut bytes[..$bytes])?;
                        $integer::from_be_bytes(bytes)
                    }
                    Endian::Little => {
                        reader.read_exact(&mut bytes[UNREAD..])?;
                        $integer::from_le_bytes(bytes)
                    }
                };
                Ok(Self(number >> Self::UNUSED))
            }
        }

        impl BinWrite for $Name {
            type Args<'a> = ();

            fn write_options<W: Write + Seek>(&self, writer: &mut W, endian: Endian, (): ()) -> BinResult<()> {
                Ok(match endian {
                    Endian::Big => writer.write_all(&self.0.to_be_bytes()[size_of::<$integer>() - $bytes..])?,
                    Endian::Little => writer.write_all(&self.0.to_le_bytes()[..$bytes])?,
                })
            }
        }

        impl Layout for $Name {
            const MIN_SIZE: u64 = $bytes;
            const SIZE: Option<u64> = Some($bytes);
            const IS_NUMBER: bool = true;
            const NATURE: Nature = Nature::VALUE;

            fn type_name() -> String {
                Self::NAME.to_lowercase()
            }

            fn form() -> Form {
                Form::Integer { size: $bytes, is_signed: $integer::MIN != 0 }
            }

            fn value(&self) -> Value {
                Value::$value($wide::from(self.0))
            }
        }

        #[cfg(feature = "arbitrary")]
        impl arbitrary::Arbitrary<'_> for $Name {
            fn arbitrary(unstructured: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
                let number: $integer = unstructured.arbitrary()?;
                Ok(Self(number >> Self::UNUSED))
            }
        }
    )*};
}

integers! {
    /// An unsigned integer of three bytes.
    U24(u32), 3, Uint as u128;
    /// A signed integer of three bytes.
    I24(i32), 3, Int as i128;
    /// An unsigned integer of six bytes.
    U48(u64), 6, Uint as u128;
    /// A signed integer of six bytes.
    I48(i64), 6, Int as i128;
}

macro_rules! from_u64 {
    ($($Name:ident),*) => {$(
        impl TryFrom<u64> for $Name {
            type Error = OutOfRange;

            fn try_from(number: u64) -> Result<Self, OutOfRange> {
                $Name::of(number.into())
            }
        }
    )*};
}

from_u64!(U24, I24, I48);

impl From<U24> for u64 {
    fn from(number: U24) -> Self {
        number.0.into()
    }
}
