//! The request of a table function, as plain data.
//!
//! It contains only what the query states, without open files, a schema, or options of the process. So it can be sent
//! to another machine and read there.

#[cfg(feature = "cluster")]
use datafusion::common::{DataFusionError, Result};
use ndbytes_arrow::table;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A table before it is scanned, which is sent to other machines as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The kind of rows.
    pub kind: Kind,
    /// A file, a directory, a pattern or a URL, as in the query.
    pub path: String,
    /// The maximum additional memory per file, in bytes, beyond the file's own length.
    pub memory: u64,
    /// The treatment of files that cannot be read, for tables and arrays.
    pub on_error: OnError,
    /// Whether tables and arrays have the additional columns [`FILE`] and [`ROW`].
    pub filename: bool,
}

/// The name of the column with the path of a row's file.
pub const FILE: &str = "_file";

/// The name of the column with the index of a row in its file, from 0.
pub const ROW: &str = "_row";

/// The prefix of the names of index columns.
pub const AXIS: &str = "axis_";

/// The treatment of files, or parts of files, that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum OnError {
    /// The query fails.
    #[default]
    Fail,
    /// Their rows are left out.
    Skip,
    /// Their values are null. A file that cannot be opened becomes one row.
    Null,
}

impl OnError {
    /// The values, with their names.
    pub const NAMES: [(&'static str, OnError); 3] =
        [("fail", OnError::Fail), ("skip", OnError::Skip), ("null", OnError::Null)];
}

/// The rows of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// The rows of IDV tables.
    Idv(TableOptions),
    /// The items of an array.
    Array(Rows),
    /// Rows about many files, which are checked to this depth.
    Lake(Lake, Depth),
}

/// Rows about many files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lake {
    /// Their findings.
    Findings,
    /// The files themselves.
    Files,
    /// The columns of the files that are tables.
    Columns,
}

impl From<Lake> for ndbytes_arrow::lake::Table {
    fn from(lake: Lake) -> Self {
        match lake {
            Lake::Findings => ndbytes_arrow::lake::Table::Findings,
            Lake::Files => ndbytes_arrow::lake::Table::Files,
            Lake::Columns => ndbytes_arrow::lake::Table::Columns,
        }
    }
}

/// How tables are converted to rows. The values are option names of [`ndbytes_arrow::table`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableOptions {
    /// The representation of keys. Dictionaries do not survive sorting on another machine, so the default is plain text.
    pub keys: String,
    /// The unit of times.
    pub times: String,
    /// The representation of vectors.
    pub sparse: String,
    /// The treatment of unpaired surrogates.
    pub text: String,
    /// Whether the table has the columns of all files. Columns that a file does not have are null.
    pub union_by_name: bool,
}

impl Default for TableOptions {
    fn default() -> Self {
        TableOptions {
            keys: table::Keys::Text.to_string(),
            times: table::Times::default().to_string(),
            sparse: table::Sparse::default().to_string(),
            text: table::TextPolicy::default().to_string(),
            union_by_name: false,
        }
    }
}

/// How an array is split into rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rows {
    /// A row is an item, with its indices and its value.
    Items,
    /// A row is everything at one index of the first axis.
    First,
}

/// The depth of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Depth {
    /// The structure only.
    Structure,
    /// Everything, which is decoded.
    Payload,
}

impl From<Depth> for ndbytes::Depth {
    fn from(depth: Depth) -> Self {
        match depth {
            Depth::Structure => ndbytes::Depth::Structure,
            Depth::Payload => ndbytes::Depth::Payload,
        }
    }
}

/// The meaning of a column whose filters are pushed down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Paths, so that other files are not opened.
    Path,
    /// Indices or row numbers, so that other rows are not decoded.
    Number,
}

impl Source {
    /// Returns the role of a column.
    pub fn role(&self, column: &str) -> Option<Role> {
        match &self.kind {
            Kind::Lake(..) => (column == "path").then_some(Role::Path),
            _ if self.filename && column == FILE => Some(Role::Path),
            Kind::Array(_) => column.starts_with(AXIS).then_some(Role::Number),
            Kind::Idv(_) => (self.filename && column == ROW).then_some(Role::Number),
        }
    }

    /// Returns the limits for reading each file.
    pub fn limits(&self) -> ndbytes::Limits {
        ndbytes::Limits::default().memory(self.memory)
    }

    /// Encodes the source for another machine.
    #[cfg(feature = "cluster")]
    pub(crate) fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain data is JSON")
    }

    /// Decodes a source from another machine.
    #[cfg(feature = "cluster")]
    pub(crate) fn from_json(json: &[u8]) -> Result<Self> {
        serde_json::from_slice(json).map_err(|error| DataFusionError::External(Box::new(error)))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Idv(_) => "idv",
            Kind::Array(_) => "array",
            Kind::Lake(lake, _) => ndbytes_arrow::lake::Table::from(*lake).name(),
        })
    }
}
