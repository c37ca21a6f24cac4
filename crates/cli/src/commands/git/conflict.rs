//! The conflicts of unmerged files, in the words of `git mergetool`.

use super::run::git_bytes;
use crate::commands::diff::range::{Scratch, write};
use crate::commands::merge::{NO_BASE, conflicts, listed};
use ndbytes::Limits;
use ndbytes_convert::merge::Versions;
use std::ffi::OsString;
use std::path::Path;

/// The stages of a file in the index: the common base, our version and theirs.
const STAGES: [&str; 3] = ["base", "ours", "theirs"];

/// Returns the lines about an unmerged file in the work tree; none for other files or outside a repository.
pub fn lines(path: &Path, limits: Limits) -> Vec<String> {
    let stages = stages(path).unwrap_or_default();
    match stages.each_ref().map(Option::as_deref) {
        [None, None, None] => Vec::new(),
        [_, None, None] => vec!["deleted in ours and in theirs".to_owned()],
        [_, None, _] => vec!["deleted in ours, changed in theirs".to_owned()],
        [_, _, None] => vec!["changed in ours, deleted in theirs".to_owned()],
        [None, ..] => vec![NO_BASE.to_owned()],
        [Some(base), Some(ours), Some(theirs)] => {
            of_versions(path, [base, ours, theirs], limits).unwrap_or_else(|reason| vec![reason])
        }
    }
}

/// The object names of a file's versions in the index.
fn stages(path: &Path) -> Option<[Option<String>; 3]> {
    let mut literal = OsString::from(":(literal)");
    literal.push(path);
    let said =
        git_bytes(["ls-files", "--unmerged", "-z", "--"].map(OsString::from).into_iter().chain([literal])).ok()?;
    let mut stages = [const { None }; 3];
    for entry in said.split(|&byte| byte == 0) {
        // Mode, name and stage, followed by a tab and the path.
        let about = String::from_utf8_lossy(entry.split(|&byte| byte == b'\t').next()?);
        let mut about = about.split(' ').skip(1);
        let (Some(name), Some(stage)) = (about.next(), about.next()) else { continue };
        let place = stage.parse::<usize>().ok()?.checked_sub(1)?;
        *stages.get_mut(place)? = Some(name.to_owned());
    }
    Some(stages)
}

/// The conflicts between three versions.
fn of_versions(path: &Path, names: [&str; 3], limits: Limits) -> Result<Vec<String>, String> {
    let scratch = Scratch::new().map_err(|error| error.to_string())?;
    let files = STAGES.map(|stage| scratch.path().join(stage));
    for (name, file) in names.into_iter().zip(&files) {
        write(path, name, file).map_err(|failed| failed.0)?;
    }
    let [base, ours, theirs] = files.each_ref().map(|file| file.as_path());
    let found = conflicts(Versions { base, ours, theirs }, limits).map_err(|error| error.to_string())?;
    match listed(&found) {
        lines if lines.is_empty() => {
            Ok(vec!["no value is in conflict: `git mergetool -t ndbytes` merges both sides".to_owned()])
        }
        lines => Ok(lines),
    }
}
