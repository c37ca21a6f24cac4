//! The paths in a seal. They are relative to its directory, and never lead outside it.

use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::path::{Component, Path, PathBuf};

/// The maximum length of a path in a seal, in escaped bytes. Operating systems allow less.
const LONGEST: usize = 32 << 10;

/// The path of a file or directory, relative to the directory of a seal. It never leads out of that directory. Names
/// are sorted as in a walk, so the files of a directory are consecutive.
///
/// ```
/// use ndbytes_compare::seal::Name;
/// use std::path::Path;
///
/// let name = Name::of(Path::new("./maps/100%.ra")).unwrap();
/// assert_eq!(name.to_string(), "maps/100%25.ra");
/// assert_eq!(Name::of(Path::new("../surface.ra")), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name(Box<[u8]>);

impl Name {
    /// The name for a relative path; `None` if the path has special parts, or a name that a seal cannot state. The empty path is the
    /// directory of the seal.
    pub fn of(relative: &Path) -> Option<Name> {
        let mut bytes = Vec::new();
        for component in relative.components() {
            let name = match component {
                Component::Normal(name) => name,
                Component::CurDir => continue,
                _ => return None,
            };
            if !bytes.is_empty() {
                bytes.push(b'/');
            }
            bytes.extend_from_slice(bytes_of(name)?);
        }
        let name = Name(bytes.into());
        (name.to_string().len() <= LONGEST).then_some(name)
    }

    /// Reads an escaped name. Each name has exactly one spelling.
    pub(super) fn parse(text: &str) -> Option<Name> {
        let mut bytes = Vec::new();
        let mut rest = text.as_bytes();
        while let Some((&byte, after)) = rest.split_first() {
            let (byte, after) = match byte {
                b'%' => (u8::from_str_radix(std::str::from_utf8(after.get(..2)?).ok()?, 16).ok()?, &after[2..]),
                byte => (byte, after),
            };
            bytes.push(byte);
            rest = after;
        }
        let name = Name(bytes.into());
        let is_inside = name.to_path().and_then(|path| Name::of(&path)).is_some_and(|again| again == name);
        (is_inside && !name.is_root() && name.to_string() == text).then_some(name)
    }

    /// Returns the name of a file in the directory with this name; `None` if it is not the name of a file.
    pub(super) fn join(&self, file: &str) -> Option<Name> {
        Name::of(&self.to_path()?.join(file)).filter(|joined| joined.0.len() > self.0.len())
    }

    /// Returns whether it is the directory of the seal itself.
    pub(super) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether it is `folder`, or inside it at any depth.
    pub fn is_within(&self, folder: &Name) -> bool {
        let rest = self.0.strip_prefix(&*folder.0);
        folder.is_root() || rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    }

    /// Returns the name itself, and the directories above it, up to the seal's.
    pub(super) fn with_folders(&self) -> impl Iterator<Item = Name> + '_ {
        let ends = self.0.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        [0, self.0.len()].into_iter().chain(ends).map(|end| Name(self.0[..end].into()))
    }

    /// Converts it to a relative path. `None` if the system does not support such paths.
    pub fn to_path(&self) -> Option<PathBuf> {
        path_of(&self.0)
    }

    /// Returns the memory that it occupies, in bytes.
    pub(super) fn held(&self) -> u64 {
        self.0.len() as u64
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.split(|&byte| byte == b'/').cmp(other.0.split(|&byte| byte == b'/'))
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The escaped name for a seal.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for letter in chunk.valid().chars() {
                match letter {
                    letter if letter != '%' && !letter.is_control() => f.write_char(letter)?,
                    letter => escape(letter.encode_utf8(&mut [0; 4]).as_bytes(), f)?,
                }
            }
            escape(chunk.invalid(), f)?;
        }
        Ok(())
    }
}

/// Writes bytes as `%XX`, like URLs.
fn escape(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "%{byte:02X}"))
}

/// Returns the bytes of a path component. On Unix, a name may contain any bytes except `/` and NUL.
#[cfg(unix)]
fn bytes_of(name: &std::ffi::OsStr) -> Option<&[u8]> {
    Some(std::os::unix::ffi::OsStrExt::as_bytes(name))
}

/// Returns the bytes of a path component. On this system, only names in UTF-8 can be sealed.
#[cfg(not(unix))]
fn bytes_of(name: &std::ffi::OsStr) -> Option<&[u8]> {
    name.to_str().map(str::as_bytes)
}

/// Returns the path with these bytes; `None` if no file can have it.
#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    let path: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(bytes);
    (!bytes.contains(&0)).then(|| path.into())
}

/// Returns the path with these bytes; `None` if no file can have it on this system.
#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0')).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::Name;
    use std::path::Path;

    #[test]
    fn names_are_written_and_read_the_same() {
        for path in ["a", "a b/ü.idx", "100%/x", "line\nfeed", "%41"] {
            let name = Name::of(Path::new(path)).unwrap();
            assert_eq!(Name::parse(&name.to_string()), Some(name), "{path}");
        }
        assert_eq!(Name::of(Path::new("./a//b/")).unwrap().to_string(), "a/b");
        assert_eq!(Name::of(Path::new("100%\n")).unwrap().to_string(), "100%25%0A");
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf_8_are_escaped() {
        let path: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"\xFF/\xC3");
        let name = Name::of(Path::new(path)).unwrap();
        assert_eq!(name.to_string(), "%FF/%C3");
        assert_eq!(Name::parse("%FF/%C3"), Some(name));
    }

    #[test]
    fn names_that_lead_elsewhere_or_have_two_forms_are_none() {
        let texts =
            ["", "/a", "../a", "a/../b", "a//b", "a/", "./a", "a/.", "%2E%2E/a", "%41", "%2F", "%", "%4", "%zz", "%0a"];
        for text in texts.into_iter().chain(["a\nb", "%00"]) {
            assert_eq!(Name::parse(text), None, "{text:?}");
        }
        assert_eq!(Name::of(Path::new("../a")), None);
        assert_eq!(Name::of(Path::new("/a")), None);
    }

    #[test]
    fn names_are_in_the_order_of_a_walk() {
        let names = ["a", "a/b", "a/b/c", "a/c", "a!", "a!/b", "a.b", "b"].map(|it| Name::of(Path::new(it)).unwrap());
        assert!(names.is_sorted());
        assert!(names[2].is_within(&names[1]) && names[1].is_within(&names[1]) && !names[4].is_within(&names[0]));
    }
}
