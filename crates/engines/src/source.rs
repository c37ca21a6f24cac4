//! The request of a table function, as plain data.

#[cfg(feature = "cluster")]
use datafusion::common::{DataFusionError, Result};
use ndbytes_arrow::table;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A table before it is scanned: it reaches other machines as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The rows that are wanted.
    pub kind: Kind,
    /// A file, a folder, a pattern or an URL, as the query has it.
    pub path: String,
    /// The maximum additional memory per file, in bytes, beyond the file's own length.
    pub memory: u64,
    /// The treatment of files that cannot be read, for tables and arrays.
    pub on_error: OnError,
    /// True for the columns [`FILE`] and [`ROW`] beside those of tables and arrays.
    pub filename: bool,
}

/// The column of the path of the file that a row comes from.
pub const FILE: &str = "_file";

/// The column of the place of a row in its file, from 0.
pub const ROW: &str = "_row";

/// The beginning of the names of the columns of indices.
pub const AXIS: &str = "axis_";

/// The treatment of files, or parts of files, that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum OnError {
    /// The query fails.
    #[default]
    Fail,
    /// Their rows are left out.
    Skip,
    /// Their values are null. A file that cannot be opened is one row.
    Null,
}

impl OnError {
    /// The values by their names.
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
    /// Rows about many files, which are read to a depth.
    Lake(Lake, Depth),
}

/// Rows about many files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lake {
    /// Their findings.
    Findings,
    /// The files themselves.
    Files,
    /// The columns of those that are tables.
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

/// How tables become rows: the names that the options of [`ndbytes_arrow::table`] have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableOptions {
    /// The representation of keys. Dictionaries do not survive a sort on another machine, so that the default is text.
    pub keys: String,
    /// The unit of times.
    pub times: String,
    /// The representation of vectors.
    pub sparse: String,
    /// The treatment of half characters.
    pub text: String,
    /// True if the table has the columns of all files; those that a file does not have are null.
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

/// How an array is cut into rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rows {
    /// A row is an item: its indices, and its value.
    Items,
    /// A row is everything that lies at one index of the first axis.
    First,
}

/// The depth of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Depth {
    /// The structure only.
    Structure,
    /// Everything is decoded.
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

/// The meaning of a column that filters are pushed down for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Paths: other files are not opened.
    Path,
    /// Indices or numbers of rows: others are not decoded.
    Number,
}

impl Source {
    /// The role of a column.
    pub fn role(&self, column: &str) -> Option<Role> {
        match &self.kind {
            Kind::Lake(..) => (column == "path").then_some(Role::Path),
            _ if self.filename && column == FILE => Some(Role::Path),
            Kind::Array(_) => column.starts_with(AXIS).then_some(Role::Number),
            Kind::Idv(_) => (self.filename && column == ROW).then_some(Role::Number),
        }
    }

    /// The limits under which each file is read.
    pub fn limits(&self) -> ndbytes::Limits {
        ndbytes::Limits::default().memory(self.memory)
    }

    /// The source as it travels.
    #[cfg(feature = "cluster")]
    pub(crate) fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain data is JSON")
    }

    /// A source that has travelled.
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
