#![doc = include_str!("../README.md")]
//!
//! # Here
//!
//! The guide is the module [`guide`]. A format implements [`Format`], and the type of a field implements [`Layout`].

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

// The macro uses this name both inside and outside this crate.
extern crate self as everybyte;

mod alignment;
pub mod bits;
/// This module is shared by the crates of this project.
#[doc(hidden)]
pub mod budget;
mod byte_order;
pub mod bytes;
mod claimed_ranges;
mod code;
mod codec;
mod coding;
pub mod definition;
mod depth;
pub mod diff;
mod digits;
mod elsewhere;
pub mod error;
pub mod escape;
pub mod examination;
mod fields;
pub mod finding;
#[cfg(feature = "forge")]
pub mod forge;
pub mod format;
#[cfg(feature = "arbitrary")]
pub mod fuzzing;
#[cfg(feature = "arbitrary")]
mod generator;
mod peek;
mod violation;
#[doc = include_str!("../GUIDE.md")]
pub mod guide {}
mod hash;
#[doc(hidden)]
pub mod hook;
pub mod keys;
mod label;
mod limits;
pub mod links;
pub mod list;
pub mod map;
mod mode;
mod name;
mod nodes;
pub mod number;
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
pub mod text;
#[cfg(feature = "tool")]
pub mod tool;
pub mod trace;
mod value;
pub mod varint;
pub mod view;

/// The crate that generates values from the layouts for fuzzing.
#[cfg(feature = "arbitrary")]
pub use arbitrary;
pub use binrw::{BinRead, BinWrite, Endian};
pub use error::ParseError;
pub use escape::escape;
/// Declares a code that keeps unknown values and writes them back: an integer with a constant and a name for each defined value. Unlike an
/// enum with [`layout`], a code does not refuse undefined values.
///
/// A code can be used in a layout like any integer. With `in N bits`, it can also be a bit field in a `#[layout(bits = …)]`. A
/// byte map shows the number as the value and the name as its meaning.
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
pub use finding::Finding;
pub use format::{Explained, Format, check, explain};
pub use limits::Limits;
pub use reference::Layout;
pub use source::Source;
pub use trace::{read, write};

/// Keeps items, such as an `impl` of `everybyte::arbitrary::Arbitrary` for your own field type, only if everybyte's feature
/// `arbitrary` is on. A feature of your own crate does not suffice, because another crate in the build may enable everybyte's.
#[cfg(feature = "arbitrary")]
#[macro_export]
macro_rules! if_arbitrary {
    ($($item:item)*) => { $($item)* };
}

/// Keeps items, such as an `impl` of `everybyte::arbitrary::Arbitrary` for your own field type, only if everybyte's feature
/// `arbitrary` is on. A feature of your own crate does not suffice, because another crate in the build may enable everybyte's.
#[cfg(not(feature = "arbitrary"))]
#[macro_export]
macro_rules! if_arbitrary {
    ($($item:item)*) => {};
}
