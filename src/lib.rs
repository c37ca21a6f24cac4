//! Reads, strictly validates, explains and writes files of arrays and tables: every byte accounted for.
//!
//! | format | module | what it holds |
//! |---|---|---|
//! | IDX | [`idx`] | one n-dimensional array, big-endian: the MNIST files |
//! | RawArray | [`rawarray`] | one n-dimensional array after 64-bit words, column-major |
//! | IDV | [`idv`] | a table in blocks of columns, compressed: ML.NET's binary dataview, also inside model archives |
//! | b2nd | [`b2nd`] | one n-dimensional array in compressed chunks, a file or a folder: Blosc2, caterva; also in stores |
//! | `.npy` | [`npy`] | one n-dimensional array after a header that is text: NumPy; also inside `.npz` |
//!
//! ```no_run
//! let images = ndbytes::idx::open("train-images-idx3-ubyte")?;         // mapped, checked
//! assert_eq!(images.shape(), [60_000, 28, 28]);
//! let first = images.view::<u8>()?.index_axis_move(ndarray::Axis(0), 0); // no copy
//!
//! let table = ndbytes::idv::open("iris.idv")?;
//! let features = table.column("Features")?.read()?.to_dense::<f32>(&ndbytes::Limits::default())?; // rows × slots
//!
//! let field = ndbytes::b2nd::open("temperatures.b2nd")?;
//! let day = field.slice::<f32>(ndarray::s![42, .., ..])?;                // decodes what it needs of it
//!
//! let report = ndbytes::check("upload.bin", &ndbytes::Limits::default())?;
//! for finding in report.findings() {
//!     eprintln!("{finding}");
//! }
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! # Guarantees
//!
//! Any sequence of bytes is an input. Nothing that a file contains makes this crate panic, abort, overflow the stack,
//! hang, or allocate more than [`Limits`] allow. A file that breaks a rule of severity error is refused with the rule,
//! the field, the bytes, and what was expected. Tolerances must be enabled by name. `unsafe` stands in one small
//! module, for mapping files and for advice on huge pages.
//!
//! One limitation: views of [`idx`], [`rawarray`] and [`npy`] are mappings of their files, and other processes may change a
//! mapped file. `SECURITY.md` says under "Mapped files" which files are mapped, and what happens then. Read files that others
//! may change into memory (`from_reader`, `from_slice`).

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
pub mod idv;
pub mod idx;
pub mod npy;
mod options;
pub mod rawarray;
pub mod repair;
mod room;
mod types;
#[cfg(feature = "walk")]
pub mod walk;

pub use any::array::Array;
pub use any::check::{Checker, check};
pub use any::convert::Number;
pub use any::file::read;
pub use any::file::{File, Options, open};
pub use any::info::{info, info_and_warnings};
pub use any::layouts::{LayoutReference, layouts};
pub use any::rules::{reference_reader, reference_reader_of, rules};
pub use arrays::items::{Decoded, Item, Items};
pub use arrays::pixels::Pixels;
pub use arrays::plain::Plain;
pub use bytes::atomic::{AtomicFile, FileId, remove_unfinished, replace_file};
pub use bytes::input::Input;
pub use bytes::limits::Limits;
pub use bytes::map::ByteMap;
pub use bytes::shared::{Debited, Memory};
pub use bytes::source::ReadRanges;
pub use bytes::threads;
pub use envelope::zip as archive;
pub use error::{Error, NoView, Result};
/// The engine that declares, reads, traces and writes layouts.
pub use everybyte;
pub use everybyte::map::{GAP, Space, Span};
pub use findings::finding::{Finding, Remedy};
pub use findings::general::{CHANGED, LIMIT_EXCEEDED, MISNAMED, UNKNOWN_FORMAT};
pub use findings::report::{Part, Report, Verdict};
pub use findings::rule::{Depth, Profile, Reference, Rule, Scope, Severity};
pub use format::info::{AnnotationInfo, ArrayInfo, ColumnInfo, Info, MOST_METADATA, MetadataInfo, TableInfo};
pub use format::{Format, detect, is_gzip, names};
/// The declared layouts of the formats.
pub use ndbytes_schemas as schemas;
pub use types::datetime::{DateUnit, TimeUnit, UnknownUnit};
pub use types::dtype::{Dtype, Element, ElementKind, UnknownDtype};
pub use types::item_type::{Field, ItemType, ItemTypeError, ItemTypeProblem, Structure, Subarray, quoted};
pub use types::long_double::LongDouble;
pub use types::scalar::Scalar;

// Crates whose types stand in the interface.
pub use half;
pub use ndarray;
pub use num_complex;
pub use rmpv;

/// The ground that other crates of ndbytes stand on, too. It may change with each version.
#[doc(hidden)]
pub mod internals {
    pub use crate::any::rooms::known_format;
    pub use crate::blosc2::chunk::header::Expected;
    pub use crate::blosc2::chunk::loader::Loan;
    pub use crate::blosc2::chunk::stored::StoredChunk;
    pub use crate::blosc2::write::streams::Encoders;
    pub use crate::bytes::folder::{Folder, Instead};
    pub use crate::bytes::limits::{Budget, Deadline, Debit, grown, hashed};
    pub use crate::bytes::memory;
    pub use crate::bytes::swap::swap_in_place;
    pub use crate::envelope::store::is_sparse_frame;
    pub use crate::envelope::zip::write::{DirectoryWriter, NewEntry, VERSION, VERSION_64, zip64_field};
    pub use crate::findings::collect::Findings;
    pub use crate::findings::words;
    pub use crate::format::is_zip;
    pub use crate::npy::descr::described;
    pub use crate::npy::header::{Text, written};
    pub use crate::types::item_type::{Value, read};
}

/// The README's code must compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The guide's code must compile, too.
#[cfg(doctest)]
#[doc = include_str!("../docs/src/library.md")]
struct Guide;
