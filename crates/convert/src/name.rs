//! Names of arrays.

use crate::kind::FileKind;

/// Returns the name of a file without the suffix of its kind.
pub fn stem(name: &str) -> &str {
    let name = [".gz", ".zarr.zip"].into_iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.parse::<FileKind>().is_ok() => stem,
        _ => name,
    }
}
