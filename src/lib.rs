//! Reads, strictly validates, explains and writes files of arrays and tables: every byte accounted for.
//!
//! | format | module | what it holds |
//! |---|---|---|
//! | IDX | [`idx`] | one n-dimensional array, big-endian: the MNIST files, also inside gzip |
//! | RawArray | [`rawarray`] | one n-dimensional array behind 64-bit words, column-major |
//! | IDV | [`idv`] | a table in blocks of columns, compressed: ML.NET's binary dataview, also inside model archives |
//! | b2nd | [`b2nd`] | one n-dimensional array in compressed chunks, a file or a folder: Blosc2, caterva |
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
//! the field, the bytes, and what was expected; what may be tolerated has to be asked for by name. `unsafe` stands in
//! one small module, for mapping files and for advice on huge pages.
//!
//! One thing is beyond any program: when another process truncates a file that is mapped here (for a view, or while it
//! is loaded), the system kills the reader. Read into memory (`from_reader`, `from_slice`) what others may shorten meanwhile.

#[cfg(not(target_pointer_width = "64"))]
compile_error!("ndbytes needs a 64-bit target: extents and lengths of files are kept in `usize`");

#[cfg(not(any(feature = "zstd", feature = "ruzstd")))]
compile_error!("b2nd needs a decoder of zstd: turn the feature `zstd` on, or `ruzstd`");

pub mod archive;
pub mod b2nd;
pub mod idv;
pub mod idx;
pub mod rawarray;

mod array;
mod atomic;
mod bytemap;
mod check;
mod datetime;
mod dtype;
mod elements;
mod error;
mod filters;
mod finding;
mod foreign;
mod format;
mod gzip;
mod inflate;
mod info;
mod input;
mod item_type;
mod items;
mod limits;
mod long_double;
mod lz;
mod memory;
mod npy;
mod rule;
mod scalar;
mod swap;

pub use archive::Archive;
pub use array::{Array, open};
pub use atomic::replace_file;
pub use bytemap::{ByteMap, GAP, Space, Span};
pub use check::{Checked, Checker, Depth, check};
pub use datetime::{DateUnit, TimeUnit, UnknownUnit};
pub use dtype::{Dtype, Element, Kind, UnknownDtype};
pub use error::{Error, NoView, Result};
pub use finding::{Finding, Report, Verdict};
pub use format::{Format, detect};
pub use info::{AnnotationInfo, ArrayInfo, ColumnInfo, Info, TableInfo, info};
pub use input::Input;
pub use item_type::{Field, ItemType, ItemTypeError, ItemTypeProblem, Structure, Subarray, quoted};
pub use items::{Decoded, Item, Items};
pub use limits::Limits;
pub use long_double::LongDouble;
/// What the bytes are: the declared layouts.
pub use ndbytes_schemas as schemas;
pub use rule::{Profile, Reference, Rule, Severity, rules};
pub use scalar::Scalar;

/// The README's code has to compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
