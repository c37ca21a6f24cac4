//! Ripgrep's rules: which entries of a folder they keep.

use super::{Options, Problem, ensure_room};
use ignore::WalkBuilder;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// The files that say what a folder leaves out.
const LISTS: [&str; 3] = [".gitignore", ".ignore", ".git/info/exclude"];

/// The entries of one folder that the rules keep.
pub(super) struct Kept(HashSet<OsString>);

impl Kept {
    /// Asks for the entries of a folder. The rules of the folders above count too.
    pub fn of(folder: &Path, options: &Options) -> Result<Self, Problem> {
        let mut builder = WalkBuilder::new(folder);
        builder.max_depth(Some(1)).overrides(options.globs.clone());
        let (mut names, mut held) = (HashSet::new(), 0);
        // What cannot be listed is reported by the code that lists the folder itself.
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

/// The problem of an ignore file that is not a regular file. A pipe or a device may never end.
pub(super) fn endless(folder: &Path) -> Option<Problem> {
    let is_special = |path: &PathBuf| fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir());
    let path = LISTS.iter().map(|name| folder.join(name)).find(is_special)?;
    Some(Problem::at(path, "not a file, so that its folder is skipped"))
}

/// The same for the folders above.
pub(super) fn endless_above(folder: &Path) -> Option<Problem> {
    fs::canonicalize(folder).ok()?.ancestors().skip(1).find_map(endless)
}
