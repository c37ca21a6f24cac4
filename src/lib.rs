//! Reads, strictly validates, explains and writes files of arrays and tables, with every byte accounted for.
//!
//! # Tasks
//!
//! **Validate an upload** in memory ([`Checker`]):
//!
//! ```
//! use ndbytes::{Checker, Limits, Verdict};
//!
//! let upload = std::fs::read("samples/interrupted-idx3-ubyte").unwrap();
//! let report = Checker::new().limits(Limits::default().memory(64 << 20)).check_slice(&upload)?;
//! if report.verdict() == Verdict::Error {
//!     for finding in report.findings() {
//!         eprintln!("{finding}"); // the rule, the field, the bytes, what is expected, what was found
//!     }
//! }
//! # assert_eq!(report.verdict(), Verdict::Error);
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! **Open a file of any format** ([`open`], [`File`]), or of one format ([`idx::open`], [`idv::open`] and so on):
//!
//! ```
//! let labels = ndbytes::idx::open("samples/digits-idx1-ubyte")?; // mapped, checked
//! let labels = labels.view::<u8>()?;                             // no copy
//! let trees = ndbytes::open("samples/trees.idv")?;               // an array or a table
//! # assert_eq!((labels.len(), trees.format()), (10, ndbytes::Format::Idv));
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! **Read a slice of an array**, decoding no more than it needs ([`Array`], [`b2nd::Array`]):
//!
//! ```
//! let temperatures = ndbytes::b2nd::open("samples/temperatures.b2nd")?;
//! let day = temperatures.slice::<i16>(ndarray::s![48..72, ..])?;
//! # assert_eq!(day.shape(), [24, 6]);
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! **Read columns of a table** ([`idv::Table`]):
//!
//! ```
//! let trees = ndbytes::idv::open("samples/trees.idv")?;
//! let features = trees.column("Features")?.read()?.to_dense::<f32>(&ndbytes::Limits::default())?; // rows × slots
//! # assert_eq!(features.dim(), (4, 3));
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! **Write a file**, which appears completely or not at all ([`idx::Writer`], [`rawarray::Writer`], [`idv::Writer`], [`b2nd::Writer`],
//! [`npy::Writer`]):
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("identity.npy");
//! ndbytes::npy::write(&path, &ndarray::Array2::<f64>::eye(3))?;
//! # assert_eq!(ndbytes::read::<f64>(&path)?[[2, 2]], 1.0);
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! | also | start at |
//! |---|---|
//! | bound memory, output and time | [`Limits`] |
//! | read a file in spite of a flaw, by its rule's name | [`OpenOptions::tolerate`] |
//! | describe a file without reading its values | [`info`] |
//! | see every byte of a file and its meaning | [`Checker::explain`] |
//! | repair a broken file | [`repair`] |
//! | read files on servers and in object stores | [`ReadRanges`] |
//! | look into archives: models of ML.NET, `.npz`, stores of python-blosc2 | [`archive`] |
//! | read several tables as one | [`idv::Tables`] |
//! | list the rules of the formats | [`rules`] |
//!
//! # Formats
//!
//! | format | module | what it holds |
//! |---|---|---|
//! | IDX | [`idx`] | one n-dimensional array, big-endian: the MNIST files |
//! | RawArray | [`rawarray`] | one n-dimensional array after a header of 64-bit words, column-major |
//! | IDV | [`idv`] | a table in blocks of columns, compressed: ML.NET's binary dataview, also inside model archives |
//! | b2nd | [`b2nd`] | one n-dimensional array in compressed chunks, a file or a folder: Blosc2, caterva; also in stores |
//! | `.npy` | [`npy`] | one n-dimensional array after a text header: NumPy; also inside `.npz` |
//! | safetensors | [`safetensors`] | named arrays after a JSON header: models of PyTorch and others |
//! | GGUF | [`gguf`] | named arrays, often in blocks of a few bits per element, after metadata: language models |
//!
//! Each module has a handle for open files, the functions `open`, `from_slice` and `from_reader`, `Options`, a `Writer`, and its rules. All
//! of them also read gzip-compressed files.
//!
//! # Types
//!
//! * An [`Input`] is an open file, or the bytes of a file. [`Options`] turn it into a handle, and [`Limits`] limit its cost.
//! * Handles: a [`File`] of any format is an [`Array`] or an [`idv::Table`]. [`idx::Idx`], [`rawarray::RawArray`], [`npy::Npy`] and
//!   [`b2nd::Array`] are specific to one format.
//! * A [`Report`] has a [`Verdict`] and [`Finding`]s. Each finding is about a [`Rule`].
//! * An [`ItemType`] is the type of an item, possibly with fields. A [`Dtype`] is an [`ElementKind`] and its byte order. [`Scalar`] is one
//!   value.
//! * [`Items`] returns the bytes of the items of any array in C order, and is accepted by writers.
//! * An [`Error`] is a finding, a system error, or an exceeded limit.
//!
//! # Guarantees
//!
//! Any bytes are valid input. Nothing in a file makes this crate panic, abort, overflow the stack, hang, or allocate more than
//! [`Limits`] allow. A file that breaks a rule of severity error is refused, with an error that states the rule, the field, the
//! bytes, and what was expected. Tolerances must be enabled by name. `unsafe` is confined to one small module, for mapping files
//! and for huge page advice.
//!
//! There is one limitation: views of [`idx`], [`rawarray`] and [`npy`] are mappings of their files, and other processes may change
//! a mapped file. The section "Mapped files" in `SECURITY.md` describes which files are mapped, and what happens if they change. If
//! others may change a file, read it into memory (`from_reader`, `from_slice`).
//!
//! # Foreign crates in signatures
//!
//! Types and traits of these crates are deliberately part of the interface. If ndbytes adopts an incompatible version of one of
//! them, the next version of ndbytes is also incompatible. All except `bytemuck`, `rayon` and `serde` are re-exported. For example,
//! use `ndbytes::ndarray` to get the right version.
//!
//! | crate | why it is in signatures |
//! |---|---|
//! | [`ndarray`] 0.17 | arrays, views and slices are its types, since most of Rust's numeric code accepts them |
//! | [`half`] 2 | `f16` and `bf16` are elements, and Rust has no stable types for them |
//! | [`num_complex`] 0.4 | complex numbers are elements, and `ndarray` computes with its types |
//! | [`rmpv`] 1 | metalayers and attributes of b2nd are free-form msgpack, represented by its `Value` |
//! | [`everybyte`] | byte maps, layouts and byte orders are its types. It has the version of ndbytes |
//! | [`schemas`] | headers, codecs and versions of files are declared there. It has the version of ndbytes |
//! | `bytemuck` 1 | records are viewed as any type that it calls [valid for any bytes](rawarray::RawArray::view_records) |
//! | `rayon` 1 | [`threads::pool`] creates one of its pools, for work that should not run in the global one |
//! | `serde` 1 | [`Info`], [`Report`], [`Finding`] and [`Rule`] are serialized as the tool prints them |

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod any;
mod arrays;
pub mod b2nd;
pub mod blosc2;
mod bytes;
mod envelope;
mod error;
mod findings;
mod format;
mod format_driver;
pub mod gguf;
mod gzip;
pub mod idv;
pub mod idx;
mod models;
pub mod npy;
mod options;
pub mod rawarray;
pub mod repair;
pub mod safetensors;
mod tensors;
#[cfg(test)]
mod toy;
mod types;
#[cfg(feature = "walk")]
pub mod walk;
mod zip;

pub use any::array::Array;
pub use any::check::{Checker, check};
pub use any::convert::Number;
pub use any::file::read;
pub use any::file::{File, Options, open};
pub use any::info::{info, info_and_warnings};
pub use any::layouts::{LayoutReference, layouts};
pub use any::rules::{readers_of_archives, reference_reader, reference_reader_of, rules};
pub use arrays::items::{Decoded, Item, Items};
pub use arrays::pixels::Pixels;
pub use arrays::plain::Plain;
pub use bytes::atomic::{AtomicFile, FileId, remove_unfinished, replace_file};
pub use bytes::input::Input;
pub use bytes::limits::Limits;
pub use bytes::map::ByteMap;
pub use bytes::shared::{Debited, Memory};
pub use bytes::source::{Ends, ReadRanges};
pub use bytes::stores;
pub use bytes::threads;
pub use error::{Error, NoView, Result};
/// The engine that declares, reads, traces and writes layouts.
pub use everybyte;
pub use everybyte::map::{GAP, Space, Span};
pub use findings::contract::{CONTRACT_PAIR, CONTRACT_RANGE, CONTRACT_SHAPE, CONTRACT_TYPE};
pub use findings::finding::{Finding, Remedy};
pub use findings::general::{CHANGED, LIMIT_EXCEEDED, MISNAMED, UNKNOWN_FORMAT};
pub use findings::report::{Part, Report, Verdict};
pub use findings::rule::{Depth, Profile, Reactions, Reference, Rule, Scope, Severity};
pub use format::info::{AnnotationInfo, ArrayInfo, ColumnInfo, Info, MOST_METADATA, MetadataInfo, TableInfo};
pub use format::{Format, detect, is_gzip, names};
/// The declared layouts of the formats.
pub use ndbytes_schemas as schemas;
pub use options::{Handle, OpenOptions};
pub use types::datetime::{DateUnit, TimeUnit, UnknownUnit};
pub use types::dtype::{Dtype, Element, ElementKind, UnknownDtype};
#[doc(hidden)]
pub use types::item_type::quoted;
pub use types::item_type::{Field, ItemType, ItemTypeError, ItemTypeProblem, Structure, Subarray};
pub use types::long_double::LongDouble;
pub use types::scalar::Scalar;

// Crates whose types are part of the interface, for the reasons in the table above.
pub use half;
pub use ndarray;
pub use num_complex;
pub use rmpv;

pub mod archive {
    //! Archives and stores. Archives are zip files, such as ML.NET's models and python-blosc2's `.b2z` files. Stores are
    //! the directories (`.b2d`) that python-blosc2 packs into them.
    //!
    //! A file of a known format inside them is a [`Member`], which has an address. For an entry of an archive, the address is the
    //! archive's path, `!`, and the name of the entry, such as `store.b2z!g/x.b2nd`. `/` and `\` are equivalent in addresses. For a
    //! file in a directory, it is the file's path. If several arrays were saved to a `.npy` file, each has an address, such as
    //! `x.npy!1`. Addresses are accepted wherever paths are, but an actual file with such a name takes precedence. The entry at an
    //! address is unpacked into memory, within the [`Limits`](crate::Limits), and then behaves like any other file. A frame that is
    //! stored uncompressed is read in place in the archive, after its checksum has been verified. Nothing is written to disk.
    //! Archives inside archives are not opened.
    //!
    //! The structure of an archive is also checked: see [`Archive::findings`].
    //! [`Checker::explain`](crate::Checker::explain) maps its bytes.
    //!
    //! A store also contains Blosc2 frames that are not arrays. In a store, they are members, not errors. Their structure is
    //! checked, but not the content of their chunks.

    pub use crate::zip::*;
}

/// Items for other ndbytes crates, which may change in any version.
#[doc(hidden)]
pub mod internals {
    pub use crate::any::drivers::known_format;
    pub use crate::any::layouts::layout_names;
    pub use crate::arrays::selection::{AxisSelection, Selection, boxes};
    pub use crate::b2nd::geometry::{Axis, Geometry};
    pub use crate::b2nd::write::{shapes::chunk_shape, slabs::Slabs};
    pub use crate::blosc2::chunk::header::Expected;
    pub use crate::blosc2::chunk::loader::ChargedLoader;
    pub use crate::blosc2::chunk::stored::StoredChunk;
    pub use crate::blosc2::write::streams::Encoders;
    pub use crate::bytes::atomic::{AtomicFolder, Names, resolve};
    pub use crate::bytes::door;
    pub use crate::bytes::folder::{Folder, Instead};
    pub use crate::bytes::limits::{Budget, Deadline, Debit, grown, hashed};
    pub use crate::bytes::memory;
    pub use crate::bytes::swap::swap_in_place;
    pub use crate::bytes::waiting::Waiting;
    pub use crate::error::without_query;
    pub use crate::findings::collect::Findings;
    pub use crate::findings::words;
    pub use crate::format::is_zip;
    pub use crate::gzip::{gunzip, with_first_bytes, write_gzip};
    pub use crate::npy::descr::described;
    pub use crate::npy::header::{Text, written};
    pub use crate::types::half_digits::shortest_half;
    pub use crate::types::item_type::{Value, read};
    pub use crate::zip::directory::MOST_ENTRIES;
    pub use crate::zip::entries::Entries;
    pub use crate::zip::store::is_store;
    pub use crate::zip::write::{DirectoryWriter, NewEntry, VERSION, VERSION_64, zip64_field};
}

/// Ensures that the README's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Ensures that the guide's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../docs/src/library.md")]
struct Guide;
