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
