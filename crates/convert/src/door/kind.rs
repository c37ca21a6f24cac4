//! The kinds of files and directories that ndbytes reads but has no rules for.

use std::fmt;

/// A kind of file or directory that ndbytes reads although it has no rules for it.
///
/// ```
/// use ndbytes_convert::door::ForeignKind;
///
/// assert_eq!(ForeignKind::Jsonl.to_string(), "a JSON Lines file");
/// assert_eq!(ForeignKind::Jsonl.name(), "jsonl");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ForeignKind {
    /// A Zarr store: a directory or a zip archive.
    Zarr,
    /// A python-blosc2 table, in a store.
    CTable,
    /// Parquet.
    Parquet,
    /// An Arrow file; Feather is the same.
    Arrow,
    /// Arrow's stream.
    Arrows,
    /// A table as comma-separated text.
    Csv,
    /// A table as text, with one JSON object per line.
    Jsonl,
    /// A picture.
    Png,
}

impl ForeignKind {
    /// All kinds.
    pub const ALL: [ForeignKind; 8] = [
        ForeignKind::Zarr,
        ForeignKind::CTable,
        ForeignKind::Parquet,
        ForeignKind::Arrow,
        ForeignKind::Arrows,
        ForeignKind::Csv,
        ForeignKind::Jsonl,
        ForeignKind::Png,
    ];

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ForeignKind::Zarr => "zarr",
            ForeignKind::CTable => "ctable",
            ForeignKind::Parquet => "parquet",
            ForeignKind::Arrow => "arrow",
            ForeignKind::Arrows => "arrows",
            ForeignKind::Csv => "csv",
            ForeignKind::Jsonl => "jsonl",
            ForeignKind::Png => "png",
        }
    }

    /// The name in headings.
    pub fn title(self) -> &'static str {
        match self {
            ForeignKind::Zarr => "Zarr",
            ForeignKind::CTable => "CTable",
            ForeignKind::Parquet => "Parquet",
            ForeignKind::Arrow => "Arrow",
            ForeignKind::Arrows => "Arrow stream",
            ForeignKind::Csv => "CSV",
            ForeignKind::Jsonl => "JSON Lines",
            ForeignKind::Png => "PNG",
        }
    }
}

/// The name in sentences: "a Zarr store".
impl fmt::Display for ForeignKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ForeignKind::Zarr => "a Zarr store",
            ForeignKind::CTable => "a table of python-blosc2",
            ForeignKind::Parquet => "a Parquet file",
            ForeignKind::Arrow => "an Arrow file",
            ForeignKind::Arrows => "an Arrow stream",
            ForeignKind::Csv => "a CSV file",
            ForeignKind::Jsonl => "a JSON Lines file",
            ForeignKind::Png => "a PNG picture",
        })
    }
}
