//! Three versions of a file: an array or a table.

use super::arrays;
use super::options::{Decide, Options};
use super::outcome::{Merge, Merged};
use super::tables;
use super::tally::Tally;
use super::versions::Versions;
use crate::error::{Error, Result};
use ndbytes::File;
use ndbytes::internals::write_gzip;

/// Merges two changed versions of a file.
///
/// Rows are the items along the first axis of an array, or the rows of a table. Inserted, deleted and changed rows are
/// found by content. If both sides changed a row, its items or cells are merged one by one. If both sides changed the
/// same value differently, it is a conflict.
///
/// The merged file has the format, chunks and codec of our version.
///
/// Metadata, attributes and annotations are merged by name.
///
/// # Errors
/// [`Error::ArrayAndTable`] if one version is an array and another a table. [`Error::Library`] if a file cannot be read, if no writer
/// supports the merged content, or if a limit is exceeded.
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
