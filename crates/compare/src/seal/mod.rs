//! Seals: files of digests, by which a later check finds every changed byte, and the part of the file that it is in.
//!
//! None of the formats but gzip and zip has checksums. One flipped bit of a chunk that is not compressed leaves a valid
//! file with other values. A seal states the digest of every file, and of every part of it.
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
//! let name = base.name(&path).expect("it is beside the seal");
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
//! * A seal is text in UTF-8. Its first line is `ndbytes seal 1`. Each line ends with a line feed.
//! * A line `file` states the length, the digest of all bytes, and the path from the folder of the seal, with `/`. In a path,
//!   `%` and two digits stand for `%`, a control character, and a byte that is not UTF-8. Files stand in the order of their
//!   paths, compared name by name, each name byte by byte.
//! * The lines after it, two spaces in, are its parts: the first byte, the length, the digest and the name of each. They follow
//!   one another without a gap or an overlap, from the first byte to the last.
//! * A digest is that of [`digest::bytes`](crate::digest::bytes): the first half of what `b3sum` prints.
//! * Parts are the chunks of a b2nd array, the blocks of an IDV table, and what is between them. Whatever else is longer than
//!   1 MiB is in pieces of 1 MiB, which have the same name. If a file has more than 1,024 parts, small neighbours share a
//!   line. Each file in the folder of a sparse frame is a file of its own.
//!
//! The same files give the same seal on every machine.

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

/// The name of the seal of a folder.
pub const FILE_NAME: &str = "ndbytes.seal";
