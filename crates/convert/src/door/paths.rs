//! Paths that lead into a store: `store.zarr!temp`.
//!
//! `a.zarr!b!c` is ambiguous, since `!` is allowed in names. The shortest path that leads to a store wins. The number
//! of `!` that are tried is bounded, because each attempt opens a file.

use crate::zarr::store::ZarrStore;
use ndbytes::archive::file_of;
use ndbytes::{Input, Limits};
use std::path::Path;

/// The maximum number of `!` in a path that are tried as separators.
const MOST_SIGNS: usize = 16;

/// Returns the ways to split a path into a file and a name in it, the shortest path first.
fn divided(path: &Path) -> impl Iterator<Item = (&Path, &str)> {
    let text = path.to_str().unwrap_or_default();
    text.match_indices('!').take(MOST_SIGNS).map(|(at, _)| (Path::new(&text[..at]), &text[at + 1..]))
}

/// Returns the Zarr store that a path leads to, and the path within it. A directory in a store is itself a store.
pub fn zarr_at(path: &Path, limits: Limits) -> Option<(&Path, &str, ZarrStore)> {
    if ZarrStore::is_folder(path) {
        return Some((path, "", ZarrStore::folder(path, limits)));
    }
    divided(path).find_map(|(root, within)| {
        if ZarrStore::is_folder(root) {
            return Some((root, within, ZarrStore::folder(root, limits)));
        }
        let input = Input::open(root, limits).ok().filter(|input| ZarrStore::is_zip(input, limits))?;
        Some((root, within, ZarrStore::zip(root, input, limits).ok()?))
    })
}

/// Returns the name of an array of a store: its path below the requested group. If the array itself was requested, it
/// keeps its own name.
pub fn name_in(name: &str, path: &Path, group: &str) -> String {
    let below = name.strip_prefix(group).map(|below| below.trim_start_matches('/')).unwrap_or(name);
    match (below, name.rsplit('/').next()) {
        ("", None | Some("")) => name_of(path),
        ("", Some(last)) => last.to_owned(),
        (below, _) => below.to_owned(),
    }
}

/// Returns the name of a source: the name of a file without directories, or of an archive entry with directories.
pub fn name_of(path: &Path) -> String {
    let text = path.to_string_lossy();
    if let Some(name) = file_of(path).and_then(|file| text.get(file.as_os_str().len() + 1..)) {
        return name.to_owned();
    }
    let name = text.rsplit(['/', '\\']).next().unwrap_or(&text);
    name.rsplit('!').next().unwrap_or(name).to_owned()
}
