//! Several files in one input. Each has a line `=== NAME`, followed by the bytes up to the next such line.

use crate::scratch;
use std::collections::BTreeMap;
use std::path::Path;

/// The beginning of the line that precedes a file.
const MARK: &[u8] = b"=== ";

/// The maximum number of files, and the maximum length of a name in bytes.
const MOST_FILES: usize = 32;
const LONGEST_NAME: usize = 64;

/// The files of an input, by name.
#[derive(Debug)]
pub struct Bundle<'b>(BTreeMap<&'b str, &'b [u8]>);

impl<'b> Bundle<'b> {
    /// Parses the files of an input. Files without a plain name are left out. If several have the same name, the last one is used.
    pub fn of(mut bytes: &'b [u8]) -> Self {
        let mut files = BTreeMap::new();
        while let (Some(after), true) = (bytes.strip_prefix(MARK), files.len() < MOST_FILES) {
            let Some(end) = after.iter().position(|&byte| byte == b'\n') else { break };
            let (name, rest) = (&after[..end], &after[end + 1..]);
            let next = rest.windows(MARK.len() + 1).position(|it| it[0] == b'\n' && &it[1..] == MARK);
            let content = next.map_or(rest, |next| &rest[..next]);
            bytes = next.map_or(&[], |next| &rest[next + 1..]);
            if let Some(name) = std::str::from_utf8(name).ok().filter(|name| is_plain(name)) {
                files.insert(name, content);
            }
        }
        Bundle(files)
    }

    /// The file with this name.
    pub fn file(&self, name: &str) -> Option<&'b [u8]> {
        self.0.get(name).copied()
    }

    /// The number of bytes of all files and their names.
    pub fn length(&self) -> usize {
        self.0.iter().map(|(name, bytes)| name.len() + bytes.len()).sum()
    }

    /// Writes the files into a directory, except for names that would be both a file and a directory.
    pub fn write(&self, folder: &scratch::Folder, below: &str) {
        let is_free = |name: &str| {
            name.match_indices('/').all(|(end, _)| !self.0.contains_key(&name[..end]))
                && !self.0.range(name..).skip(1).any(|(other, _)| Path::new(other).starts_with(name))
        };
        for (name, bytes) in self.0.iter().filter(|(name, _)| is_free(name)) {
            folder.put(format!("{below}{name}"), bytes);
        }
    }
}

/// Returns whether a name is a path of plain components.
fn is_plain(name: &str) -> bool {
    let is_one = |part: &str| {
        !matches!(part, "" | "." | "..") && part.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
    };
    name.len() <= LONGEST_NAME && name.split('/').all(is_one)
}
