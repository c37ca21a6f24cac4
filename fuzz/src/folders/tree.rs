//! The files of a folder.

use crate::random::Random;
use crate::scratch::Folder;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Names of files, whose order in a list is not that of their bytes. Two are files of a sparse frame, and one is of git.
const NAMES: [&[u8]; 11] = [
    b"a.npy",
    b"b.b2nd",
    b"b/c-idx3-ubyte",
    b"b/d/e.ra",
    b".hidden",
    b"100%\n.idv",
    b"not \xFF UTF-8",
    b"frame/chunks.b2frame",
    b"frame/00000000.chunk",
    b".gitignore",
    b".git/config",
];

/// The folder of the sparse frame, if it has its first file.
const FRAME: &str = "frame";
const FRAME_FILE: &str = "frame/chunks.b2frame";

/// The folder that no walk enters.
const HISTORY: &str = ".git";

/// Files by their names.
pub struct Tree<'a> {
    /// All of them.
    pub files: Vec<(PathBuf, &'a [u8])>,
}

impl<'a> Tree<'a> {
    /// Some files: the first one has all bytes, the others have pieces of them.
    pub fn of(bytes: &'a [u8], random: &mut Random) -> Self {
        let mut files = Vec::new();
        for name in NAMES {
            if files.is_empty() || random.one_in(2) {
                let start = random.below(bytes.len() as u64 + 1) as usize;
                let content = if files.is_empty() { bytes } else { &bytes[start..] };
                files.push((PathBuf::from(OsStr::from_bytes(name)), content));
            }
        }
        Tree { files }
    }

    /// Writes the files below a folder.
    pub fn write(&self, folder: &Folder, root: &str) -> PathBuf {
        for (name, bytes) in &self.files {
            folder.put(Path::new(root).join(name), bytes);
        }
        folder.path().join(root)
    }

    /// The files that a walk finds, in order: all but those of git, and a frame as one.
    pub fn found(&self) -> Vec<PathBuf> {
        let is_frame = self.files.iter().any(|(name, _)| name == Path::new(FRAME_FILE));
        let files = self.files.iter().map(|(name, _)| match name.starts_with(FRAME) && is_frame {
            true => PathBuf::from(FRAME),
            false => name.clone(),
        });
        let mut found: Vec<PathBuf> = files.filter(|name| !name.starts_with(HISTORY)).collect();
        found.sort();
        found.dedup();
        found
    }

    /// The found file that a file is, or is in.
    pub fn around(&self, name: &Path) -> Option<PathBuf> {
        self.found().into_iter().find(|found| name.starts_with(found))
    }

    /// A file that a walk finds, by its place in the list.
    pub fn chosen(&self, random: &mut Random) -> usize {
        let places = (0..self.files.len()).filter(|&place| !self.files[place].0.starts_with(HISTORY));
        let places: Vec<usize> = places.collect();
        places[random.below(places.len() as u64) as usize]
    }

    pub fn has_history(&self) -> bool {
        self.files.iter().any(|(name, _)| name.starts_with(HISTORY))
    }
}
