//! Paths in a form for other programs.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// Returns a path relative to the working directory, with `/` between its parts. A path to another directory is
/// unchanged.
pub fn from_here(path: &Path) -> String {
    let path = relative(path);
    let parts = path.components().filter(|part| *part != Component::CurDir);
    let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    match path.is_absolute() {
        true => path.to_string_lossy().replace('\\', "/"),
        false => parts.join("/"),
    }
}

/// Returns a path as a URI, relative if it is below the working directory.
pub fn uri(path: &Path) -> String {
    let path = relative(path);
    let mut uri = String::new();
    if path.is_absolute() {
        uri += "file://";
    }
    let parts: Vec<_> = path.components().filter(|part| *part != Component::CurDir).collect();
    for (place, part) in parts.iter().enumerate() {
        match part {
            Component::RootDir => continue,
            _ if place > 0 || path.is_absolute() => uri.push('/'),
            _ => {}
        }
        escape(part.as_os_str().as_encoded_bytes(), &mut uri);
    }
    uri
}

/// Returns whether a path is below the working directory.
pub fn is_below(path: &Path) -> bool {
    let path = relative(path);
    !path.is_absolute() && !path.components().any(|part| part == Component::ParentDir)
}

/// Returns a path without the working directory at its beginning.
fn relative(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    match here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned)) {
        Some(relative) if path.is_absolute() => relative,
        _ => path.to_owned(),
    }
}

/// Appends bytes, escaping those that have a meaning in a URI.
fn escape(bytes: &[u8], uri: &mut String) {
    for &byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => uri.push(byte.into()),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_relative_and_escaped() {
        let here = std::env::current_dir().unwrap();
        assert_eq!(uri(Path::new("./a b/ü%.idx")), "a%20b/%C3%BC%25.idx");
        assert_eq!(uri(&here.join("x.idx")), "x.idx");
        assert_eq!(uri(Path::new("../x#y?.idx")), "../x%23y%3F.idx");
        assert_eq!(uri(Path::new("model.zip!a:b\\c")), "model.zip%21a%3Ab%5Cc");
    }

    #[cfg(unix)]
    #[test]
    fn paths_elsewhere_are_whole() {
        assert_eq!(uri(Path::new("/no/such place")), "file:///no/such%20place");
        assert_eq!(from_here(Path::new("/no/such place")), "/no/such place");
        assert_eq!(
            [is_below(Path::new("/x")), is_below(Path::new("../x")), is_below(Path::new("./x"))],
            [false, false, true]
        );
    }

    #[test]
    fn paths_from_here_have_no_dots() {
        assert_eq!(from_here(&Path::new(".").join("a").join("b!c")), "a/b!c");
    }
}
