//! Compares two directories: which files they share, and how these files differ.
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! # let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
//! # for side in [&old, &new] {
//! #     std::fs::create_dir(side).unwrap();
//! #     let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/surface.ra");
//! #     std::fs::copy(sample, side.join("surface.ra")).unwrap();
//! # }
//! use ndbytes::walk;
//! use ndbytes_compare::diff;
//! use ndbytes_compare::folders::{Comparer, Outcome, Pairs};
//!
//! let comparer = Comparer::new(diff::Options::new());
//! for pair in Pairs::new(&old, &new, &walk::Options::new()) {
//!     let row = comparer.compare(&pair)?.row;
//!     assert_eq!((&*row.path, row.outcome), ("surface.ra", Outcome::Same));
//! }
//! # Ok::<(), ndbytes::Error>(())
//! ```

mod compared;
mod pairs;
mod row;

pub use compared::{Compared, Comparer};
pub use pairs::{Pair, Pairs};
pub use row::{Outcome, Row, Totals};
