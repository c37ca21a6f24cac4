//! Differences of two files: bytes, structure, values and findings.
//!
//! ```
//! use ndbytes_compare::diff::{Options, Verdict, diff};
//! use ndbytes::{Input, Limits};
//!
//! let a = [0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3]; // IDX: the bytes 1, 2, 3
//! let b = [0, 0, 8, 1, 0, 0, 0, 3, 1, 7, 3];
//! let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
//! let found = diff(&a, &b, &Options::new())?;
//! assert_eq!(found.verdict, Verdict::ValuesDiffer);
//! assert_eq!(found.values.unwrap().first[0].index, [1]);
//! # Ok::<(), ndbytes::Error>(())
//! ```

mod arrays;
mod chunks;
mod compare;
mod datum;
mod files;
mod findings;
mod finite;
mod gaps;
mod items;
mod json;
mod members;
mod number;
mod open;
mod options;
mod others;
mod outcome;
mod pair;
mod places;
mod reader;
mod regions;
mod report;
mod rows;
mod same_bytes;
mod table;
mod tally;
mod text;
mod values;
mod verdict;

pub use datum::Datum;
pub use everybyte::diff::{Pattern, PatternError, Structure};
pub use files::archives;
pub use files::diff;
pub use options::{Options, Tolerance};
pub use places::coordinates;
pub use report::{Diff, MemberDiff, NewAndGone, Side};
pub use values::{
    ColumnChange, ColumnDifference, Difference, Distance, Extreme, Largest, Nan, Row, RowChange, Rows, Values,
};
pub use verdict::Verdict;
