//! The files of a directory.

use crate::random::Random;
use crate::scratch::Folder;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Names of files. Their order in a list differs from the order of their bytes. Two of them are files of a sparse
/// frame, and one belongs to git.
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

/// The directory of the sparse frame, if it has its first file.
const FRAME: &str = "frame";
const FRAME_FILE: &str = "frame/chunks.b2frame";

/// The directory that no walk enters.
const HISTORY: &str = ".git";

/// Files by name.
pub struct Tree<'a> {
    /// All files.
    pub files: Vec<(PathBuf, &'a [u8])>,
}

impl<'a> Tree<'a> {
    /// Makes a few files. The first contains all bytes, and the others contain pieces of them.
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

    /// Writes the files below a directory.
    pub fn write(&self, folder: &Folder, root: &str) -> PathBuf {
        for (name, bytes) in &self.files {
            folder.put(Path::new(root).join(name), bytes);
        }
        folder.path().join(root)
    }

    /// The files that a walk finds, in order: all files except git's, with a frame counted as one.
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

    /// The found file or frame that contains a file.
    pub fn around(&self, name: &Path) -> Option<PathBuf> {
        self.found().into_iter().find(|found| name.starts_with(found))
    }

    /// A random file that a walk finds, by its index in the list.
    pub fn chosen(&self, random: &mut Random) -> usize {
        let places = (0..self.files.len()).filter(|&place| !self.files[place].0.starts_with(HISTORY));
        let places: Vec<usize> = places.collect();
        places[random.below(places.len() as u64) as usize]
    }

    pub fn has_history(&self) -> bool {
        self.files.iter().any(|(name, _)| name.starts_with(HISTORY))
    }
}
