//! How tables are converted.

use ndbytes_arrow::idv::{NullPolicy, Zones};
use ndbytes_arrow::table::{Keys, Sparse, Times};
use std::str::FromStr;

/// What arrays become in a table.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let out = folder.path().join("digits.parquet");
/// use ndbytes_convert::{ArraySource, FileKind, Layout, Options, Source, TableOptions, Target, convert};
///
/// let digits = ndbytes::open("../../samples/digits-idx3-ubyte.gz")?.into_array()?;
/// let sources = [Source::Array(ArraySource::new("image", &digits))];
/// let options = Options::new().tables(TableOptions::new().layout(Layout::HuggingFace));
/// convert(&sources, FileKind::Parquet, Target::File(&out), &options)?;
/// let rows = ndbytes_arrow::parquet::rows_of(std::fs::File::open(&out)?, &Default::default());
/// assert_eq!(rows.unwrap(), 10);
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Layout {
    /// Numbers and fixed-shape tensors: one column per array, with its name.
    #[default]
    Tensors,
    /// Images as PNG files and their labels, in the columns `image` and `label`, as Hugging Face's `datasets` reads and shows them.
    HuggingFace,
}

impl FromStr for Layout {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "tensors" => Ok(Layout::Tensors),
            "huggingface" => Ok(Layout::HuggingFace),
            _ => Err(format!("unknown layout {name:?}: expected tensors or huggingface")),
        }
    }
}

/// How to convert tables.
///
/// ```
/// use ndbytes_convert::{FileKind, Keys, Options, Source, TableOptions, TableSource, Target, convert};
///
/// let trees = ndbytes::idv::open("../../samples/trees.idv")?;
/// let sources = [Source::Table(TableSource::idv("trees", trees, 777).columns(["Label"]))];
/// let options = Options::new().tables(TableOptions::new().keys(Keys::Raw));
/// let mut csv = Vec::new();
/// convert(&sources, FileKind::Csv, Target::Stream(&mut csv), &options)?;
/// assert!(csv.starts_with(b"Label\n")); // then a number for each category
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TableOptions {
    pub(crate) times: Option<Times>,
    pub(crate) keys: Keys,
    pub(crate) sparse: Sparse,
    pub(crate) nulls: NullPolicy,
    pub(crate) layout: Layout,
    pub(crate) zones: Zones,
}

impl TableOptions {
    /// Creates the default options.
    pub fn new() -> Self {
        TableOptions::default()
    }

    /// Sets the unit of IDV times in other kinds of files. With `None`, a pass over the times selects it: microseconds
    /// if all are whole microseconds, otherwise nanoseconds if all are in range, otherwise ticks.
    #[must_use]
    pub fn times(self, times: Option<Times>) -> Self {
        TableOptions { times, ..self }
    }

    /// Sets what IDV keys become in other kinds of files.
    #[must_use]
    pub fn keys(self, keys: Keys) -> Self {
        TableOptions { keys, ..self }
    }

    /// Sets what IDV vectors become in other kinds of files.
    #[must_use]
    pub fn sparse(self, sparse: Sparse) -> Self {
        TableOptions { sparse, ..self }
    }

    /// Sets what arrays become in a table.
    #[must_use]
    pub fn layout(self, layout: Layout) -> Self {
        TableOptions { layout, ..self }
    }

    /// Sets what times with a zone become in IDV.
    #[must_use]
    pub fn zones(self, zones: Zones) -> Self {
        TableOptions { zones, ..self }
    }

    /// Sets what nulls become in IDV.
    #[must_use]
    pub fn nulls(self, nulls: NullPolicy) -> Self {
        TableOptions { nulls, ..self }
    }
}
