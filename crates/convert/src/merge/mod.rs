//! Three-way merge: combines the changes that two people made to one file.
//!
//! ```
//! use ndbytes::File;
//! use ndbytes_convert::merge::{Merged, Options, Versions, merge};
//!
//! let file = |values: [u8; 3]| ndbytes::idx::Writer::new().to_vec(&ndbytes::ndarray::arr1(&values));
//! let bytes = Versions { base: file([1, 2, 3])?, ours: file([7, 2, 3])?, theirs: file([1, 2, 9])? };
//! let opened = bytes.each_ref().try_map(|bytes| ndbytes::Options::new().from_slice(bytes))?;
//! let found = merge(opened.each_ref(), &Options::new(), &mut |_| None)?;
//! assert_eq!(found.merged, Some(Merged::File(file([7, 2, 9])?)));
//! # Ok::<(), ndbytes_convert::Error>(())
//! ```

mod archives;
mod arrays;
mod conflict;
mod files;
mod metadata;
mod options;
mod outcome;
mod plan;
mod tables;
mod tally;
mod versions;
mod write;

pub use archives::merge_archives;
pub use conflict::{Conflict, Place};
pub use files::merge;
pub use options::{Decide, Options};
pub use outcome::{Merge, Merged};
pub use versions::{Version, Versions};
