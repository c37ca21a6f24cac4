//! The files that a path, a directory or a pattern refers to.

use crate::stores;
use crate::told::told;
use datafusion::common::{DataFusionError, Result, plan_err};
use ndbytes::Limits;
use ndbytes::b2nd::is_sparse_frame;
use ndbytes::walk::{Options, Walk};
use std::path::Path;

/// Lists files, sorted by path. For a directory, these are all files below it, as [`Walk`] finds them; for a pattern,
/// the matching files. A URL is listed unchanged, except that patterns and directories of object stores, which end with
/// `/`, expand to objects. Directories that match a pattern are skipped, except sparse frames.
///
/// # Errors
/// Fails if a file does not exist, or a directory cannot be listed. It also fails for a path that is not valid Unicode,
/// because a row could not name it, and a query must cover all files.
pub fn list(path: &str) -> Result<Vec<String>> {
    if ndbytes::stores::names_several(path) {
        let found = ndbytes::stores::list(path, Limits::default()).map_err(|error| told(format!("{path}: {error}")))?;
        return match found.is_empty() {
            true => plan_err!("no file matches {path:?}"),
            false => Ok(found.into_iter().map(|file| file.url).collect()),
        };
    }
    if stores::is_url(path) || Path::new(path).is_file() {
        return Ok(vec![path.to_owned()]);
    }
    if Path::new(path).is_dir() {
        return walk(path);
    }
    if !path.contains(stores::WILD) {
        return plan_err!("{path:?} does not exist");
    }
    let matches =
        glob::glob(path).map_err(|error| DataFusionError::Plan(format!("{path:?} is not a pattern: {error}")))?;
    let mut files = Vec::new();
    for found in matches {
        let found = found.map_err(|error| DataFusionError::IoError(error.into()))?;
        // A dangling link also matches; reading it reports the error.
        if !found.is_dir() || is_sparse_frame(&found) {
            files.push(text(&found)?);
        }
    }
    match files.is_empty() {
        true => plan_err!("no file matches {path:?}"),
        false => Ok(files),
    }
}

fn walk(folder: &str) -> Result<Vec<String>> {
    let found = Walk::of_path(folder, Options::new()).map(|found| match found {
        Ok(found) => text(&found.path),
        Err(problem) => Err(DataFusionError::External(problem.to_string().into())),
    });
    let found = found.collect::<Result<Vec<String>>>()?;
    match found.is_empty() {
        true => plan_err!("{folder:?} contains no files"),
        false => Ok(found),
    }
}

fn text(path: &Path) -> Result<String> {
    match path.to_str() {
        Some(path) => Ok(path.to_owned()),
        None => plan_err!("the path {path:?} is not UTF-8, as required in SQL"),
    }
}
