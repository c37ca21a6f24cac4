//! Seals: files of digests, which let a later check find every changed byte and the part of the file that contains it.
//!
//! Of all formats, only gzip and zip have checksums. If one bit of an uncompressed chunk flips, the file remains valid,
//! with different values. A seal states the digest of every file, and of each of its parts.
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("x.ra");
//! # std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/surface.ra"), &path).unwrap();
//! use ndbytes::Limits;
//! use ndbytes_compare::seal;
//!
//! let (at, limits) = (seal::beside(&path), Limits::default());
//! let base = seal::Base::of(&at)?;
//! let name = base.name(&path).expect("it is next to the seal");
//! ndbytes::replace_file(&at, format!("{}{}", seal::HEAD, seal::describe(&path, &name, &limits)?).as_bytes())?;
//!
//! let sealed = seal::Seal::open(&at, limits)?;
//! assert!(sealed.compare(&path)?.is_empty());
//! # let mut bytes = std::fs::read(&path).unwrap();
//! # bytes[70] ^= 1;
//! # std::fs::write(&path, bytes).unwrap();
//! // A bit of the data is flipped.
//! let findings = sealed.compare(&path)?;
//! assert_eq!((findings[0].rule.id, &*findings[0].field), ("changed", "data"));
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! # Form 1
//!
//! ```text
//! ndbytes seal 1
//! file 160 fabf66311e212d0c6c38c9c6705737bb surface.ra
//!   0 64 39d76a85984ca3187cd23e726ef3b3fc header
//!   64 96 9eb7f5bcee0fffb9c7234c711aeede77 data
//! ```
//!
//! * A seal is UTF-8 text. Its first line is `ndbytes seal 1`. Each line ends with a line feed.
//! * A `file` line states the length, the digest of all bytes, and the path relative to the directory of the seal,
//!   with `/`. In a path, `%` and two digits encode `%`, a control character, or a byte that is not UTF-8. Files are
//!   sorted by path, compared name by name, each name byte by byte.
//! * The lines after it, indented by two spaces, are its parts: first byte, length, digest and name. They cover the
//!   file from its first byte to its last, without gaps or overlaps.
//! * A digest is computed like [`digest::bytes`](crate::digest::bytes): it is the first half of the output of `b3sum`.
//! * Parts are the chunks of a b2nd array, the blocks of an IDV table, and the bytes between them. Any other part
//!   longer than 1 MiB is divided into pieces of 1 MiB with the same name. If a file has more than 1,024 parts, small
//!   neighbours share a line. Each file in the directory of a sparse frame has its own entry.
//!
//! The same files produce the same seal on every machine.

mod among;
mod base;
mod compare;
mod describe;
mod lines;
mod name;
mod parts;
mod read;

pub use among::Files;
pub use base::{Base, beside};
pub use describe::describe;
pub use lines::{HEAD, is_seal};
pub use name::Name;
pub use read::Seal;

/// The name of the seal in a directory.
pub const FILE_NAME: &str = "ndbytes.seal";
