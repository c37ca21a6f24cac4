//! The types of the fields of `#[layout(bits = N)]`: `bool`, and [`B1`] to [`B63`] for numbers of that many bits.
//!
//! ```
//! use everybyte::bits::*;
//! use everybyte::layout;
//!
//! /// Colours of 5, 6 and 5 bits.
//! #[layout(bits = 16)]
//! struct Rgb565 {
//!     blue: B5,
//!     green: B6,
//!     red: B5,
//! }
//!
//! let pink = Rgb565::from_raw(0xF81F);
//! assert_eq!((pink.red(), pink.green(), pink.blue()), (31, 0, 31));
//! assert_eq!(pink.with_blue(0).raw(), 0xF800);
//! ```

use crate::reference::{Bits, Book};
use std::fmt::Debug;

/// A type that names a run of bits inside an integer. Implement it for an enum whose values stand in bits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in a bit field",
    label = "not a run of bits",
    note = "use `bool` or one of `everybyte::bits::{{B1, …, B63}}`, or implement `BitField` for it"
)]
pub trait BitField {
    /// The width of the run in bits, from 1 to 64.
    const WIDTH: u32;

    /// The value of the run.
    type Value: Debug;

    /// The value that these bits stand for. Bits above the width are zero.
    fn of_bits(bits: u64) -> Self::Value;

    /// The bits of a value.
    fn bits(value: Self::Value) -> u64;

    /// The name of its page in the field reference; empty if it has none.
    fn type_name() -> &'static str {
        ""
    }

    /// The name of a code that these bits stand for; empty for other values.
    fn meaning(_bits: u64) -> &'static str {
        ""
    }

    /// Writes a code into a field reference.
    fn describe(_book: &mut Book) {}
}

impl BitField for bool {
    const WIDTH: u32 = 1;
    type Value = bool;

    fn of_bits(bits: u64) -> bool {
        bits != 0
    }

    fn bits(value: bool) -> u64 {
        value.into()
    }
}

macro_rules! numbers {
    ($($integer:ident: $($name:ident $width:literal)*;)*) => {$($(
        #[doc = concat!("A number of this many bits: ", $width, ".")]
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}

        impl BitField for $name {
            const WIDTH: u32 = $width;
            type Value = $integer;

            fn of_bits(bits: u64) -> $integer {
                bits as $integer
            }

            fn bits(value: $integer) -> u64 {
                value.into()
            }
        }
    )*)*};
}

numbers! {
    u8: B1 1 B2 2 B3 3 B4 4 B5 5 B6 6 B7 7 B8 8;
    u16: B9 9 B10 10 B11 11 B12 12 B13 13 B14 14 B15 15 B16 16;
    u32: B17 17 B18 18 B19 19 B20 20 B21 21 B22 22 B23 23 B24 24
        B25 25 B26 26 B27 27 B28 28 B29 29 B30 30 B31 31 B32 32;
    u64: B33 33 B34 34 B35 35 B36 36 B37 37 B38 38 B39 39 B40 40
        B41 41 B42 42 B43 43 B44 44 B45 45 B46 46 B47 47 B48 48
        B49 49 B50 50 B51 51 B52 52 B53 53 B54 54 B55 55 B56 56
        B57 57 B58 58 B59 59 B60 60 B61 61 B62 62 B63 63;
}

const fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The bits of a run.
#[doc(hidden)]
pub const fn get(raw: u64, first: u32, width: u32) -> u64 {
    raw >> first & mask(width)
}

/// The integer with another run.
#[doc(hidden)]
pub const fn set(raw: u64, first: u32, width: u32, bits: u64) -> u64 {
    assert!(bits <= mask(width), "the value has more bits than its field");
    raw & !(mask(width) << first) | bits << first
}

/// A run of bits, not placed yet.
#[doc(hidden)]
pub fn run<B: BitField>(name: &'static str, value: u64, doc: &'static str) -> Bits {
    Bits {
        name: name.into(),
        first: 0,
        width: B::WIDTH,
        value,
        meaning: B::meaning(value).into(),
        type_name: B::type_name().into(),
        doc: doc.into(),
    }
}
