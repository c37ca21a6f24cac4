//! The fields that contain checksums.
//!
//! A checksum function returns an integer or an array of bytes, and the field has its own type. [`StatesA`] is implemented only for
//! pairs that can be equal: a CRC-32 fits a `u32`, a `u64` or eight hexadecimal digits, but not `[u8; 16]`.

use crate::fields::{Numeral, Placed, U24, U48, Zeros};
use crate::sums::Summed;

/// The type of a field that can contain a checksum: an unsigned integer, a number written as digits, or an array of bytes.
#[diagnostic::on_unimplemented(
    message = "no checksum can be compared with `{Self}`",
    label = "this states no checksum",
    note = "a sum that gives a number stands in an unsigned integer, and one that gives `[u8; N]` in a field of that type"
)]
pub trait States: Sized {
    /// The checksum that the field states, if any.
    fn stated(&self) -> Option<Summed>;

    /// Creates the field for a checksum; `None` if the checksum does not fit.
    fn of_sum(sum: &Summed) -> Option<Self>;

    /// Creates the field before its checksum is known.
    fn blank() -> Option<Self>;
}

/// A field that can contain a checksum of this type.
#[diagnostic::on_unimplemented(
    message = "a checksum that gives `{Sum}` cannot be compared with `{Self}`",
    label = "this cannot state a `{Sum}`",
    note = "a sum that gives a number stands in an unsigned integer, and one that gives `[u8; N]` in a field of that type"
)]
pub trait StatesA<Sum>: States {}

impl<const N: usize> States for [u8; N] {
    fn stated(&self) -> Option<Summed> {
        Some((*self).into())
    }

    fn of_sum(sum: &Summed) -> Option<Self> {
        match sum {
            Summed::Number(_) => None,
            Summed::Bytes(bytes) => bytes.as_slice().try_into().ok(),
        }
    }

    fn blank() -> Option<Self> {
        Some([0; N])
    }
}

impl<const N: usize> StatesA<[u8; N]> for [u8; N] {}

/// A checksum that writers may leave out.
impl<const N: usize> States for Zeros<N> {
    fn stated(&self) -> Option<Summed> {
        None
    }

    fn of_sum(_: &Summed) -> Option<Self> {
        None
    }

    fn blank() -> Option<Self> {
        None
    }
}

macro_rules! numbers {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> States for $ty {
            fn stated(&self) -> Option<Summed> {
                u64::try_from(self.clone()).ok().map(Summed::Number)
            }

            fn of_sum(sum: &Summed) -> Option<Self> {
                sum.number().and_then(|number| Self::try_from(number).ok())
            }

            fn blank() -> Option<Self> {
                Self::try_from(0_u64).ok()
            }
        }

        impl<$($generics)*> StatesA<u8> for $ty {}
        impl<$($generics)*> StatesA<u16> for $ty {}
        impl<$($generics)*> StatesA<u32> for $ty {}
        impl<$($generics)*> StatesA<u64> for $ty {}
    )*};
}

numbers! {
    [] u8;
    [] u16;
    [] u32;
    [] u64;
    [] U24;
    [] U48;
    [const BASE: u32, const N: usize, P: Placed] Numeral<BASE, N, P>;
}
