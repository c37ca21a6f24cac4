//! The values of the arguments of `ndbytes forge`.

use crate::context::Context;
use crate::show::text;
use ndbytes::Error;
use ndbytes::b2nd::is_sparse_frame;
use ndbytes::everybyte::diff::Pattern;
use ndbytes_forge::{Forge, Recipe, Repair};
use std::io;
use std::path::{Path, PathBuf};

/// Parses the selection of fields to recompute.
pub fn repair(words: &str) -> Result<Repair, String> {
    words.replace(',', " ").parse::<Repair>().map_err(|error| error.to_string())
}

/// Returns the bytes of a file, or the reason why it cannot be read.
pub fn file(path: &Path, context: &Context<'_>) -> Result<Vec<u8>, String> {
    let read = context.open(path).and_then(|input| input.bytes().map(<[u8]>::to_vec));
    read.map_err(|error| match error {
        // The error already names the path.
        Error::Io { .. } => error.to_string(),
        error => format!("{}: {error}", text::path(path)),
    })
}

/// Returns the recipe in a file, or the reason why it cannot be read.
pub fn recipe(path: &Path, context: &Context<'_>) -> Result<Recipe, String> {
    let bytes = file(path, context)?;
    let read = String::from_utf8(bytes).map_err(|_| "the recipe is not UTF-8".to_owned());
    let read = read.and_then(|text| text.parse::<Recipe>().map_err(|error| error.to_string()));
    read.map_err(|error| format!("{}: {error}", text::path(path)))
}

/// Returns the paths for `--from`, with their bytes. A directory other than a sparse frame means each file in it.
pub fn files(paths: &[PathBuf], context: &Context<'_>) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let mut files = Vec::new();
    for path in paths {
        let inside = if path.is_dir() && !is_sparse_frame(path) { in_folder(path)? } else { vec![path.clone()] };
        for path in inside {
            let bytes = file(&path, context)?;
            files.push((path, bytes));
        }
    }
    Ok(files)
}

/// Returns the files in a directory, by name.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let listed = || -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_file() {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    };
    let files = listed().map_err(|error| format!("cannot read {}: {error}", text::path(folder)))?;
    if files.is_empty() { Err(format!("{} contains no file", text::path(folder))) } else { Ok(files) }
}

/// Fails if a pattern of `--only` matches no field of a file, since no mutation would then be possible.
pub fn ensure_matches(forge: &mut Forge, path: &Path, bytes: &[u8], only: Option<&Pattern>) -> Result<(), String> {
    match only {
        Some(pattern) if !forge.has_field(bytes, pattern) => {
            Err(format!("{}: `--only {pattern}` matches no field", text::path(path)))
        }
        _ => Ok(()),
    }
}
