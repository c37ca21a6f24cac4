//! The result of a checksum.

use std::fmt;

/// The result of a checksum: a number or bytes. Unsigned integers and byte arrays are converted with `into`.
///
/// ```
/// use everybyte::sums::{Summed, crc32};
///
/// assert_eq!(Summed::from(crc32(b"123456789")).to_string(), "0xcbf43926");
/// assert_eq!(Summed::from([0xAB, 0xCD]).to_string(), "abcd");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Summed {
    /// A number. It is stored in the byte order of the field.
    Number(u64),
    /// Bytes in file order.
    Bytes(Vec<u8>),
}

impl Summed {
    /// The number; `None` for bytes.
    pub fn number(&self) -> Option<u64> {
        match self {
            Summed::Number(number) => Some(*number),
            Summed::Bytes(_) => None,
        }
    }

    /// Returns the checksum as text, with all digits of a field of this width.
    pub(crate) fn shown(&self, width: u64) -> String {
        match self {
            Summed::Number(number) => format!("{number:#0width$x}", width = 2 + 2 * width.min(8) as usize),
            Summed::Bytes(_) => self.to_string(),
        }
    }
}

impl fmt::Display for Summed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Summed::Number(number) => write!(f, "{number:#x}"),
            Summed::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
        }
    }
}

impl<const N: usize> From<[u8; N]> for Summed {
    fn from(bytes: [u8; N]) -> Self {
        Summed::Bytes(bytes.to_vec())
    }
}

macro_rules! from_numbers {
    ($($integer:ty)*) => {$(
        impl From<$integer> for Summed {
            fn from(number: $integer) -> Self {
                Summed::Number(number.into())
            }
        }
    )*};
}

from_numbers!(u8 u16 u32 u64);

/// Returns whether a field states this checksum, as its number or as its bytes.
#[cfg(feature = "forge")]
pub(crate) fn is_stated(sum: &Summed, number: Option<i128>, bytes: &[u8]) -> bool {
    match sum {
        Summed::Number(sum) => number == Some((*sum).into()),
        Summed::Bytes(sum) => sum == bytes,
    }
}
