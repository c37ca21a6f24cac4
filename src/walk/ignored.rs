//! Applies ripgrep's rules, which determine the entries of a directory to keep.

use super::{Options, Problem, ensure_room};
use ignore::WalkBuilder;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// The files that list the entries of a directory to skip.
const LISTS: [&str; 3] = [".gitignore", ".ignore", ".git/info/exclude"];

/// The entries of one directory that the rules keep.
pub(super) struct Kept(HashSet<OsString>);

impl Kept {
    /// Reads the rules for the entries of a directory. The rules of parent directories also apply.
    pub fn of(folder: &Path, options: &Options) -> Result<Self, Problem> {
        let mut builder = WalkBuilder::new(folder);
        builder.max_depth(Some(1)).overrides(options.globs.clone());
        let (mut names, mut held) = (HashSet::new(), 0);
        // A folder that cannot be listed is reported by the code that lists it.
        for entry in builder.build().flatten().filter(|entry| entry.depth() == 1) {
            let name = entry.file_name().to_owned();
            held += 2 * (size_of::<OsString>() + name.len()) as u64;
            ensure_room(folder, held, options.limits)?;
            names.insert(name);
        }
        Ok(Kept(names))
    }

    pub fn contains(&self, name: &OsStr) -> bool {
        self.0.contains(name)
    }
}

/// Returns the problem with an ignore file that is not a regular file, because reading a pipe or a device may never end.
pub(super) fn endless(folder: &Path) -> Option<Problem> {
    let is_special = |path: &PathBuf| fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir());
    let path = LISTS.iter().map(|name| folder.join(name)).find(is_special)?;
    Some(Problem::at(path, "not a regular file, so its directory is skipped"))
}

/// Like `endless`, but for the parent directories.
pub(super) fn endless_above(folder: &Path) -> Option<Problem> {
    fs::canonicalize(folder).ok()?.ancestors().skip(1).find_map(endless)
}
