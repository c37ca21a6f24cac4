#![doc = include_str!("../README.md")]
//!
//! # Here
//!
//! The guide is the module [`guide`]. The trait of a format is [`Format`], that of a field's type is [`Layout`].

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

// The macro names this crate from inside and from outside alike.
extern crate self as everybyte;

pub mod bits;
mod code;
pub mod definition;
pub mod diff;
mod error;
pub mod escape;
mod examination;
mod fields;
mod finding;
#[cfg(feature = "forge")]
pub mod forge;
mod format;
#[cfg(feature = "arbitrary")]
pub mod fuzzing;
#[doc = include_str!("../GUIDE.md")]
pub mod guide {}
#[doc(hidden)]
pub mod hook;
pub mod keys;
mod label;
pub mod links;
pub mod map;
mod node;
pub mod numerals;
mod recorder;
pub mod reference;
pub mod role;
mod source;
mod table;
mod terms;
#[cfg(feature = "tool")]
pub mod tool;
mod trace;
mod value;

/// The crate whose values for fuzzing the layouts give.
#[cfg(feature = "arbitrary")]
pub use arbitrary;
pub use binrw::{BinRead, BinWrite, Endian};
pub use error::{ParseError, Problem};
pub use escape::escape;
pub use everybyte_derive::{Arbitrary, layout};
pub use examination::{Examination, PartName};
pub use fields::{
    Bytes, Elements, ElementsArgs, Leb128, NulString, Number, Numbers, NumbersArgs, Region, RegionArgs, Rest, Zeros,
    bytes_left, ensure_at_hand, filling,
};
pub use finding::Finding;
pub use format::{Explained, Format, check, explain, rewrite};
pub use node::{Index, Node};
pub use reference::{Bits, Book, CodeDoc, FieldDoc, Layout, TypeDoc, TypeKind, VariantDoc};
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
