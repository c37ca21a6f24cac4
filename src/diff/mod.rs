//! Differences of two files: bytes, structure, values, findings. Feature `diff`.
//!
//! ```
//! use ndbytes::diff::{Options, Verdict, diff};
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

#[cfg(feature = "_formats")]
mod align;
#[cfg(feature = "_arrays")]
mod arrays;
#[cfg(feature = "b2nd")]
mod chunks;
#[cfg(feature = "_arrays")]
mod compare;
mod datum;
mod files;
mod findings;
#[cfg(feature = "b2nd")]
mod gaps;
#[cfg(feature = "_arrays")]
mod items;
mod json;
#[cfg(feature = "zip")]
mod members;
#[cfg(feature = "_formats")]
mod number;
#[cfg(feature = "_formats")]
mod open;
mod options;
#[cfg(feature = "_formats")]
mod outcome;
#[cfg(feature = "_arrays")]
mod pair;
#[cfg(feature = "_arrays")]
mod places;
#[cfg(feature = "_arrays")]
mod reader;
mod report;
#[cfg(feature = "_arrays")]
mod rows;
mod same_bytes;
#[cfg(feature = "idv")]
mod table;
#[cfg(feature = "_arrays")]
mod tally;
mod text;
mod values;
mod verdict;

pub use datum::Datum;
pub use everybyte::diff::{Pattern, PatternError, Structure};
#[cfg(feature = "zip")]
pub use files::archives;
pub use files::diff;
pub use options::{Options, Tolerance};
pub use report::{Diff, MemberDiff, NewAndGone, Side};
pub use values::{
    ColumnChange, ColumnDifference, Difference, Distance, Extreme, Largest, Nan, Row, RowChange, Rows, Values,
};
pub use verdict::Verdict;
