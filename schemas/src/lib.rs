//! What the bytes are: one declaration for each on-disk structure of the formats that ndbytes reads.
//!
//! Every structure is a plain struct or enum with [binrw] attributes, marked [`layout`]. That one declaration gives
//!
//! * the reader and the writer (`binrw::BinRead`, `binrw::BinWrite`),
//! * the byte map of a concrete file ([`trace`]),
//! * the place and the field of an error ([`ParseError`]),
//! * the field reference ([`Book`]),
//! * values for fuzzing (`arbitrary::Arbitrary`, feature `arbitrary`).
//!
//! The crate opens no files, decompresses nothing and judges nothing: what the bytes *mean*, and which of them a
//! careful reader refuses, is the business of the crate `ndbytes`.
//!
//! ```
//! use ndbytes_schemas::{Endian, Source, idx::Idx, read};
//!
//! let file = [0, 0, 8, 1, 0, 0, 0, 3, 10, 20, 30];
//! let idx: Idx = read(Source::new(&file), Endian::Big, ())?;
//! assert_eq!(idx.dims, [3]);
//! assert_eq!(idx.payload.offset, 8);
//! # Ok::<(), Box<ndbytes_schemas::ParseError>>(())
//! ```

// The macro names this crate from inside and from outside alike.
extern crate self as ndbytes_schemas;

pub mod b2nd;
pub mod gzip;
pub mod idv;
pub mod idx;
pub mod rawarray;

mod error;
mod fields;
#[doc(hidden)]
pub mod hook;
pub mod reference;
mod source;
mod trace;
mod value;

pub use binrw::{BinRead, BinWrite, Endian};
pub use error::{ParseError, Problem};
pub use fields::{
    Bytes, Leb128, NetString, NulString, Number, Numbers, NumbersArgs, Region, RegionArgs, Rest, Zeros, net_text,
};
pub use ndbytes_schemas_derive::layout;
pub use reference::{Bits, Book, CodeDoc, FieldDoc, Layout, TypeDoc, TypeKind, VariantDoc};
pub use source::Source;
pub use trace::{Index, Node, length_of, read, read_next, trace, write};
pub use value::Value;
