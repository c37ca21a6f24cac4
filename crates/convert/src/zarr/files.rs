//! Distinguishes the files of a store from other files in its directory.

use super::store::{ARRAY_2, ATTRIBUTES_2, GROUP_2, NODE, ZarrStore};
use std::fs;
use std::path::{Path, PathBuf};

/// The metadata of all nodes of a store of Zarr 2, in one file.
const CONSOLIDATED_2: &str = ".zmetadata";

/// A directory in a store: its path, and whether it is a node. Other directories contain chunks.
type Folder = (PathBuf, bool);

/// Returns whether a directory entry, with everything below it, belongs to the store in the directory. False if the
/// directory is not a store.
pub fn is_of_store(folder: &Path, name: &str) -> bool {
    let mut left = Vec::new();
    if !ZarrStore::is_folder(folder) || !belongs(&(folder.to_owned(), true), name, &mut left) {
        return false;
    }
    while let Some(folder) = left.pop() {
        let names = fs::read_dir(&folder.0).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let is_one = |entry: &fs::DirEntry, left: &mut Vec<Folder>| {
            entry.file_name().to_str().is_some_and(|name| belongs(&folder, name, left))
        };
        if !names.is_ok_and(|names| names.iter().all(|entry| is_one(entry, &mut left))) {
            return false;
        }
    }
    true
}

/// Returns whether a name in a directory of a store belongs to the store. Directories that must be examined are added to `left`.
fn belongs((folder, is_node): &Folder, name: &str, left: &mut Vec<Folder>) -> bool {
    let path = folder.join(name);
    match fs::symlink_metadata(&path) {
        Ok(found) if found.is_dir() => {
            let is_below = *is_node && ZarrStore::is_folder(&path);
            left.push((path, is_below));
            is_below || is_number(name) || (*is_node && name == "c")
        }
        Ok(found) if found.is_file() => match is_node {
            true => is_of_node(name),
            false => is_number(name),
        },
        // A link, a pipe, or an entry that has disappeared.
        _ => false,
    }
}

/// Returns whether a file in the directory of a node is its metadata, or one of its chunks.
fn is_of_node(name: &str) -> bool {
    let is_metadata = [NODE, ARRAY_2, GROUP_2, ATTRIBUTES_2, CONSOLIDATED_2].contains(&name);
    let place = name.strip_prefix("c.").unwrap_or(name);
    is_metadata || name == "c" || place.split('.').all(is_number)
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}
