//! The files of the folder of a store, as opposed to others that stand there.

use super::store::{ARRAY_2, ATTRIBUTES_2, GROUP_2, NODE, ZarrStore};
use std::fs;
use std::path::{Path, PathBuf};

/// The metadata of all nodes of a store of Zarr 2, in one file.
const CONSOLIDATED_2: &str = ".zmetadata";

/// A folder of a store: its path, and whether it is a node. Others hold chunks.
type Folder = (PathBuf, bool);

/// Returns whether what has this name in a folder belongs to a store there, with all that is below. Nothing does in a
/// folder that is no store.
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

/// Returns whether a name in a folder of a store is one of its own. Folders that are to be looked into are added to `left`.
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
        // A link, a pipe, or what went away meanwhile.
        _ => false,
    }
}

/// Returns whether a file in the folder of a node is its metadata, or one of its chunks.
fn is_of_node(name: &str) -> bool {
    let is_metadata = [NODE, ARRAY_2, GROUP_2, ATTRIBUTES_2, CONSOLIDATED_2].contains(&name);
    let place = name.strip_prefix("c.").unwrap_or(name);
    is_metadata || name == "c" || place.split('.').all(is_number)
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}
