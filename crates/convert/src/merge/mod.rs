//! Merging of three versions: what two people made of one file becomes one file.
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
mod metadata;
mod options;
mod outcome;
mod plan;
mod tables;
mod tally;
mod versions;
mod write;

use crate::error::{Error, Result};
use ndbytes::File;
use ndbytes::internals::write_gzip;
use tally::Tally;

pub use archives::merge_archives;
pub use conflict::{Conflict, Place};
pub use options::{Decide, Options};
pub use outcome::{Merge, Merged};
pub use versions::{Version, Versions};

/// Merges what two people made of one file.
///
/// Rows are the items along the first axis of an array, or those of a table. Rows that were inserted, deleted or changed are found
/// by their content. In a row that both changed, items or cells are merged one by one. Where both changed the same, each in
/// another way, there is a conflict.
///
/// The merged file is of the format of ours, with the chunks and the codec of ours.
///
/// Metadata, attributes and annotations are merged by name.
///
/// # Errors
/// [`Error::ArrayAndTable`] if one version is an array and another one a table. [`Error::Library`] if a file cannot be read, if no
/// writer can write what was merged, and for limits.
pub fn merge(files: Versions<&File<'_>>, options: &Options, decide: &mut Decide<'_>) -> Result<Merge> {
    let options = &Options { limits: options.limits.started(), ..options.clone() };
    let mut tally = Tally::new(decide);
    let merged = match files {
        Versions { base: File::Array(base), ours: File::Array(ours), theirs: File::Array(theirs) } => {
            arrays::merge(Versions { base, ours, theirs }, options, &mut tally)?
        }
        Versions { base: File::Table(base), ours: File::Table(ours), theirs: File::Table(theirs) } => {
            tables::merge(Versions { base: &**base, ours: &**ours, theirs: &**theirs }, options, &mut tally)?
        }
        _ => return Err(Error::ArrayAndTable),
    };
    let merged = match (tally.is_decided(), merged) {
        (false, _) => None,
        (true, Merged::File(bytes)) if options.gzip => Some(Merged::File(packed(&bytes)?)),
        (true, merged) => Some(merged),
    };
    Ok(tally.finish(merged))
}

/// A file inside gzip.
fn packed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut packed = Vec::new();
    write_gzip(&mut packed, bytes, |_| Ok(()))?;
    Ok(packed)
}
