//! The files that a path, a folder or a pattern names.

use crate::stores;
use crate::told::told;
use datafusion::common::{DataFusionError, Result, plan_err};
use ndbytes::Limits;
use ndbytes::b2nd::is_sparse_frame;
use ndbytes::walk::{Options, Walk};
use std::path::Path;

/// Files, sorted by path. A folder stands for all files below it, as [`Walk`] finds them, and a pattern for the files
/// that fit it. An URL stands for itself, but patterns and folders of object stores, which end with `/`, stand for
/// objects. Folders that fit are no files, but those of sparse frames.
///
/// # Errors
/// If there is no such file, or a folder cannot be listed. A row cannot name what is not text, and a query is about all
/// files.
pub fn list(path: &str) -> Result<Vec<String>> {
    if ndbytes::stores::names_several(path) {
        let found = ndbytes::stores::list(path, Limits::default()).map_err(|error| told(format!("{path}: {error}")))?;
        return match found.is_empty() {
            true => plan_err!("no file matches {path:?}"),
            false => Ok(found),
        };
    }
    if stores::is_url(path) || Path::new(path).is_file() {
        return Ok(vec![path.to_owned()]);
    }
    if Path::new(path).is_dir() {
        return walk(path);
    }
    if !path.contains(stores::WILD) {
        return plan_err!("there is no file or folder {path:?}");
    }
    let matches =
        glob::glob(path).map_err(|error| DataFusionError::Plan(format!("{path:?} is no pattern: {error}")))?;
    let mut files = Vec::new();
    for found in matches {
        let found = found.map_err(|error| DataFusionError::IoError(error.into()))?;
        // A link to nothing fits, too: who reads it says so.
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
        true => plan_err!("there are no files in {folder:?}"),
        false => Ok(found),
    }
}

fn text(path: &Path) -> Result<String> {
    match path.to_str() {
        Some(path) => Ok(path.to_owned()),
        None => plan_err!("the path {path:?} is not UTF-8, which SQL text is"),
    }
}
