//! What a table function asks for, as plain data.

use datafusion::common::{DataFusionError, Result};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A table before it is scanned: it reaches other machines as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The rows that are wanted.
    pub kind: Kind,
    /// A file, a folder, a pattern or an URL, as the query has it.
    pub path: String,
    /// The memory that a file may take beyond its own length, in bytes.
    pub memory: u64,
}

/// The rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// The rows of IDV tables.
    Idv(Keys, Times),
    /// The items of an array.
    Array(Rows),
    /// The findings of many files.
    Findings(Depth),
    /// Many files, and what they are.
    Files,
    /// The columns of many tables.
    Columns,
}

/// How key columns are handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Keys {
    /// As the values that the keys name.
    Text,
    /// As the stored numbers.
    Raw,
}

/// How points in time are handed out, which IDV counts in steps of 100 ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Times {
    /// As microseconds; a value between two of them is refused.
    Micros,
    /// As microseconds, rounded down.
    MicrosFloor,
    /// As nanoseconds; a value out of their range is refused.
    Nanos,
    /// As the stored number of steps.
    Ticks,
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

impl Source {
    /// The limits under which each file is read.
    pub fn limits(&self) -> ndbytes::Limits {
        ndbytes::Limits::default().memory(self.memory)
    }

    /// The source as it travels.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain data is JSON")
    }

    /// A source that has travelled.
    pub(crate) fn from_json(json: &[u8]) -> Result<Self> {
        serde_json::from_slice(json).map_err(|error| DataFusionError::External(Box::new(error)))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Idv(..) => "idv",
            Kind::Array(_) => "array",
            Kind::Findings(_) => "findings",
            Kind::Files => "files",
            Kind::Columns => "columns",
        })
    }
}
