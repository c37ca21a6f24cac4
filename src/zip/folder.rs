//! The directory of a store that python-blosc2 made (`.b2d`), with one file per leaf, and one frame for small leaves.

use super::content::is_known_name;
use super::contents::{Collection, Contents, known_format};
use super::directory::{ENTRY_COST, MOST_ENTRIES};
use super::member::{Member, Place};
use super::rules;
use super::store::is_sparse_frame;
use crate::bytes::input::Input;
use crate::bytes::limits::{Budget, Debit, Limits};
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use std::fs;
use std::path::{Path, PathBuf};

/// Examines the files of a store, sorted by name.
///
/// # Errors
/// [`Error::Limit`] if there are too many; [`Error::Io`].
pub(crate) fn read(root: &Path, limits: Limits, budget: &Budget) -> Result<Contents> {
    let mut collection = Collection::default();
    let debit = Debit::new(budget);
    for (place, path) in files(root, &debit)?.into_iter().enumerate() {
        collection.entries += 1;
        let input = Input::open(&path, limits)?;
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        let is_named = is_known_name(name.as_bytes());
        let known = known_format(input.head(), input.length(), name.as_bytes()).map(|(format, _)| format);
        if known.is_some() || is_named {
            let member = Member { name: name.into(), length: input.length(), format: known, place: Place::File(path) };
            collection.add(place, member, known.is_some(), budget)?;
        }
    }
    Ok(collection.finish())
}

/// Returns the files below a directory. The directory of a sparse frame counts as one file. Links to files are followed, but links
/// to directories are not.
fn files(root: &Path, debit: &Debit<'_>) -> Result<Vec<PathBuf>> {
    let (mut files, mut folders, mut seen) = (Vec::new(), vec![root.to_owned()], 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| Error::io(&folder, error))? {
            let entry = entry.map_err(|error| Error::io(&folder, error))?;
            let path = entry.path();
            seen += 1;
            if seen > MOST_ENTRIES {
                let message = "the store has too many files and folders to be examined";
                let finding = Finding::new(&rules::TOO_MANY_ENTRIES, "", 0..0, message);
                return Err(finding.expected(format!("at most {MOST_ENTRIES}")).into());
            }
            debit.take(ENTRY_COST + path.as_os_str().len() as u64, "the files of a store")?;
            let kind = entry.file_type().map_err(|error| Error::io(&path, error))?;
            if kind.is_dir() && !is_sparse_frame(&path) {
                folders.push(path);
            } else if kind.is_dir() || kind.is_file() || path.is_file() {
                files.push(path);
            }
        }
    }
    files.sort_unstable();
    Ok(files)
}
