//! Integers of all types, for offsets, lengths and counts.

use crate::fields::{I24, I48, Numeral, U24, U48};

/// An integer that states an offset or a size.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an offset or a size",
    label = "this is not an integer",
    note = "an offset is an integer: write how it is made of the field"
)]
pub trait OffsetValue {
    /// Its value as an unsigned integer; `None` if it is negative.
    fn whole(&self) -> Option<u64>;
}

macro_rules! whole {
    ($($integer:ty)*) => {$(
        impl OffsetValue for $integer {
            #[inline]
            fn whole(&self) -> Option<u64> {
                u64::try_from(*self).ok()
            }
        }
    )*};
}

whole!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! whole_value {
    ($($integer:ty)*) => {$(
        impl OffsetValue for $integer {
            fn whole(&self) -> Option<u64> {
                (*self).value().whole()
            }
        }
    )*};
}

whole_value!(U24 U48 I24 I48);

impl<const BASE: u32, const N: usize, P> OffsetValue for Numeral<BASE, N, P> {
    fn whole(&self) -> Option<u64> {
        u64::try_from(*self).ok()
    }
}

impl<T: OffsetValue + ?Sized> OffsetValue for &T {
    #[inline]
    fn whole(&self) -> Option<u64> {
        T::whole(self)
    }
}
