//! Declares on-disk structures once, and accounts for every byte of a file.
//!
//! A structure is a plain struct or enum with [binrw] attributes, marked [`layout`]. That one declaration gives
//!
//! * the reader and the writer (`binrw::BinRead`, `binrw::BinWrite`),
//! * the byte map of a concrete file ([`trace`], [`map`]),
//! * the place and the field of an error ([`ParseError`]),
//! * the field reference ([`Book`]),
//! * values for fuzzing (`arbitrary::Arbitrary`, feature `arbitrary`).
//!
//! ```
//! use everybyte::{Endian, Region, Source, layout, read, trace};
//!
//! /// A counted text.
//! #[layout]
//! #[br(little)]
//! struct Note {
//!     /// Bytes of the text.
//!     length: u16,
//!     /// The text.
//!     #[br(args { length: length.into() })]
//!     text: Region,
//! }
//!
//! let file = [3, 0, b'a', b'b', b'c'];
//! let note: Note = read(Source::new(&file), Endian::Little, ())?;
//! assert_eq!(note.text.offset, 2);
//! let (_, root) = trace::<Note>(Source::new(&file), Endian::Little, ());
//! assert_eq!(root.children[1].name, "text");
//! # Ok::<(), Box<everybyte::ParseError>>(())
//! ```

// The macro names this crate from inside and from outside alike.
extern crate self as everybyte;

mod error;
mod fields;
#[doc(hidden)]
pub mod hook;
pub mod keys;
pub mod links;
pub mod map;
pub mod reference;
pub mod role;
mod source;
mod trace;
mod value;

pub use binrw::{BinRead, BinWrite, Endian};
pub use error::{ParseError, Problem};
pub use everybyte_derive::layout;
pub use fields::{
    Bytes, Leb128, NulString, Number, Numbers, NumbersArgs, Region, RegionArgs, Rest, Zeros, bytes_left, ensure_at_hand,
};
pub use reference::{Bits, Book, CodeDoc, FieldDoc, Layout, TypeDoc, TypeKind, VariantDoc};
pub use role::Role;
pub use source::Source;
pub use trace::{Index, Node, length_of, read, read_next, trace, write};
pub use value::Value;
