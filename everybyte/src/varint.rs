//! Variable-length integers: LEB128 and the encodings of protobuf, MIDI, Git and EBML.
//!
//! Most of these encodings allow several lengths for the same number. Each is a field type that keeps its length in bytes,
//! so files are written back as they were read. `value()` returns a `u64`, or an `i64` for signed encodings.
//!
//! | type | bytes | used by |
//! |---|---|---|
//! | [`Leb128`] | seven bits per byte, lowest first | DWARF, WebAssembly, protobuf |
//! | [`Sleb128`] | the same, but in two's complement | DWARF, WebAssembly |
//! | [`Zigzag`] | the same, but with the sign in the lowest bit | protobuf's `sint64`, Avro |
//! | [`Vlq`] | seven bits per byte, highest first | MIDI, ASN.1 |
//! | [`GitOffset`] | the same, but with only one encoding for each number | the base of a delta in Git's packs |
//! | [`EbmlSize`] | the number of leading zero bits is the number of bytes that follow | Matroska, WebM |
//!
//! ```
//! use everybyte::varint::{EbmlSize, GitOffset, Vlq, Zigzag};
//! use everybyte::{Endian, Source, layout, read, varint::Leb128, write};
//!
//! #[layout]
//! struct Numbers {
//!     length: Leb128,
//!     delta: Zigzag,
//!     ticks: Vlq,
//!     base: GitOffset,
//!     size: EbmlSize,
//! }
//!
//! let bytes = [0xE5, 0x8E, 0x26, 0x03, 0x81, 0x48, 0x80, 0x00, 0x40, 0x02];
//! let numbers: Numbers = read(Source::new(&bytes), Endian::Little, ())?;
//! assert_eq!((numbers.length.value(), numbers.delta.value(), numbers.ticks.value()), (624_485, -2, 200));
//! assert_eq!((numbers.base.value(), numbers.size.value()), (128, 2));
//! assert!(numbers.size.is_overlong());
//! assert_eq!(write(&numbers, Endian::Little)?, bytes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The header of an object in a Git pack is a [`Leb128`]. Bits 4 to 6 are the type, so the size is `n & 15 | n >> 7 <<
//! 4`.

pub use crate::coding::Coding;
pub use crate::fields::{EbmlSize, GitOffset, Leb128, Sleb128, Varint, VarintKind, Vlq, Zigzag};
