//! The entry of a file in a seal.

use super::lines::{Line, Part};
use super::name::Name;
use super::parts;
use crate::digest::{Digest, update};
use ndbytes::b2nd::is_sparse_frame;
use ndbytes::internals::Folder;
use ndbytes::{Error, Input, Limits, Result};
use std::fs;
use std::io;
use std::path::Path;

/// The lines of a seal for a file, or for each file in the directory of a sparse frame. `name` is the name of the path.
///
/// The digests cover the stored bytes. Use [`check`](ndbytes::check) to find out whether the file is valid.
///
/// # Errors
/// [`Error::Io`] if it cannot be read or is not a regular file. [`Error::Limit`]; [`Error::Time`].
pub fn describe(path: &Path, name: &Name, limits: &Limits) -> Result<String> {
    let mut text = String::new();
    files(path, name, *limits, &mut |name, input| {
        describe_file(name, input, limits, &mut text)?;
        match text.len() as u64 {
            length if length > limits.memory.saturating_add(input.length()) => {
                Err(Error::Limit { what: "the lines of a seal", needed: length, left: limits.memory })
            }
            _ => Ok(()),
        }
    })?;
    Ok(text)
}

/// Appends the entry of a file: its digest and, in the same pass over the bytes, the digests of its parts.
fn describe_file(name: &Name, input: &Input<'_>, limits: &Limits, text: &mut String) -> Result<()> {
    let (mut all, mut lines) = (blake3::Hasher::new(), String::new());
    parts::each(input, limits, &mut |place, name| {
        let mut own = blake3::Hasher::new();
        update(&mut own, input, place.clone())?;
        update(&mut all, input, place.clone())?;
        lines += &Line::Part(Part { place, digest: Digest::of(&own), name }).to_string();
        Ok(())
    })?;
    *text += &Line::File { size: input.length(), digest: Digest::of(&all), name: name.clone() }.to_string();
    *text += &lines;
    Ok(())
}

/// Calls `take` with each file that a path stands for, sorted by name: the path itself, or the files in the directory
/// of a sparse frame. Links in such a directory are not followed.
pub fn files(
    path: &Path,
    name: &Name,
    limits: Limits,
    take: &mut dyn FnMut(&Name, &Input<'_>) -> Result<()>,
) -> Result<()> {
    let at_path = |source| Error::io(path, source);
    // All files of a directory share one time limit.
    let limits = limits.started();
    if !is_sparse_frame(path) {
        if !fs::metadata(path).map_err(at_path)?.is_file() {
            return Err(at_path(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file")));
        }
        return take(name, &Input::open(path, limits)?);
    }
    let folder = Folder::open(path).map_err(at_path)?;
    let (mut names, mut left) = (Vec::new(), limits.memory);
    for file in folder.names().map_err(at_path)? {
        let Some(name) = name.join(&file.map_err(at_path)?) else { continue };
        let needed = 2 * size_of::<Name>() as u64 + name.held();
        left = left.checked_sub(needed).ok_or(Error::Limit { what: "the names in a folder", needed, left })?;
        names.push(name);
    }
    names.sort_unstable();
    for name in names {
        let file = name.to_path().and_then(|path| Some(path.file_name()?.to_str()?.to_owned()));
        let Some(file) = file else { continue };
        if let Ok(input) = Input::of_folder(&folder, &file, limits)? {
            take(&name, &input)?;
        }
    }
    Ok(())
}
