#![doc = include_str!("../README.md")]
//!
//! # Here
//!
//! The guide is the module [`guide`]. The trait of a format is [`Format`], that of a field's type is [`Layout`].

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

// The macro names this crate from inside and from outside alike.
extern crate self as everybyte;

mod alignment;
pub mod bits;
mod byte_order;
mod claims;
mod code;
pub mod definition;
mod depth;
pub mod diff;
mod digits;
mod elsewhere;
mod error;
pub mod escape;
mod examination;
mod fields;
mod finding;
mod flaw;
#[cfg(feature = "forge")]
pub mod forge;
mod format;
#[cfg(feature = "arbitrary")]
pub mod fuzzing;
#[cfg(feature = "arbitrary")]
mod generator;
mod glance;
#[doc = include_str!("../GUIDE.md")]
pub mod guide {}
mod hash;
#[doc(hidden)]
pub mod hook;
pub mod keys;
mod label;
mod limits;
pub mod links;
pub mod map;
mod mode;
mod name;
mod nodes;
pub mod numerals;
pub mod packing;
#[cfg(feature = "page")]
pub mod page;
mod passes;
mod pieces;
mod reading;
mod recorder;
pub mod reference;
pub mod role;
mod source;
pub mod sums;
mod table;
mod terms;
#[cfg(feature = "tool")]
pub mod tool;
mod trace;
mod value;

pub use alignment::Alignment;
/// The crate whose values for fuzzing the layouts give.
#[cfg(feature = "arbitrary")]
pub use arbitrary;
pub use binrw::{BinRead, BinWrite, Endian};
pub use byte_order::ByteOrder;
pub use digits::{Digits, Placement};
pub use error::{ParseError, Problem};
pub use escape::escape;
/// Declares a code whose unknown values are kept, and written back: an integer with a constant and a name for each value
/// that is defined. An enum with [`layout`] refuses a value that it does not define; a code does not.
///
/// A code stands in a layout as any integer does. With `in N bits`, it is also a run of bits in a `#[layout(bits = …)]`. A
/// byte map shows the number as the value, and the name as its meaning.
///
/// ```
/// use everybyte::{Endian, Source, codes, layout, read};
/// use everybyte::bits::*;
///
/// codes! {
///     /// The order of the axes.
///     pub struct Order(u8) in 2 bits {
///         /// The last axis varies fastest.
///         C = 0 => "row-major";
///         /// The first axis varies fastest.
///         FORTRAN = 1 => "column-major";
///     }
/// }
///
/// /// How an array is stored.
/// #[layout(bits = 8)]
/// struct Flags {
///     /// The order of its axes.
///     order: Order,
///     /// Unused.
///     reserved: B6,
/// }
///
/// let flags: Flags = read(Source::new(&[1]), Endian::Little, ())?;
/// assert_eq!((flags.order(), flags.order().name()), (Order::FORTRAN, Some("column-major")));
/// assert_eq!(Order(3).name(), None);
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
pub use everybyte_derive::codes;
pub use everybyte_derive::{Arbitrary, layout};
pub use examination::group::Group;
pub use examination::{Examination, PartName};
#[cfg(feature = "json")]
pub use fields::Json;
pub use fields::{
    Align, AlignArgs, Ascii, Bytes, Closed, ClosedIn, Decimal, Elements, ElementsArgs, Encoding, Ended, Filled, Hex,
    I24, I48, Latin1, Leb128, Left, NulString, Number, Numbers, NumbersArgs, Numeral, Octal, OutOfRange, Padded,
    Padding, Placed, Region, RegionArgs, Rest, Right, Text, TextError, U24, U48, Unpadded, Utf8, Utf16Be, Utf16Le,
    ZeroEnded, Zeroed, Zeros, bytes_left, each, ensure_at_hand, filling, rest, until,
};
pub use finding::{Finding, Severity};
pub use format::{Explained, Format, check, check_within, explain, explain_within, rewrite};
pub use limits::Limits;
pub use name::Name;
pub use nodes::{Index, Node};
pub use reference::{Bits, Book, CodeDoc, ContentDoc, FieldDoc, Layout, PlaceDoc, TypeDoc, TypeKind, VariantDoc};
pub use role::Role;
pub use source::Source;
pub use terms::{ArgumentDoc, Content, Expression, Form, ParameterDoc, Term};
pub use trace::{length_of, read, read_next, trace, write};
pub use value::Value;

/// Keeps items only if everybyte's feature `arbitrary` is on: an `impl` of `everybyte::arbitrary::Arbitrary` for a field type
/// of your own. A feature of your own crate would not do, since another crate of the build may turn everybyte's on.
#[cfg(feature = "arbitrary")]
#[macro_export]
macro_rules! if_arbitrary {
    ($($item:item)*) => { $($item)* };
}

/// Keeps items only if everybyte's feature `arbitrary` is on: an `impl` of `everybyte::arbitrary::Arbitrary` for a field type
/// of your own. A feature of your own crate would not do, since another crate of the build may turn everybyte's on.
#[cfg(not(feature = "arbitrary"))]
#[macro_export]
macro_rules! if_arbitrary {
    ($($item:item)*) => {};
}
