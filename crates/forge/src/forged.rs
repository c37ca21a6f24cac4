//! A file that was made.

use super::kind::Kind;
use super::recipe::Recipe;
use super::whole::{Content, Whole};
use ndbytes_schemas::blosc2::folder::FRAME_FILE;

/// A file that was made, and how.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Forged {
    /// Its kind; `None` of mutants of files of no kind.
    pub kind: Option<Kind>,
    /// Its bytes; of a folder, those of its first file.
    pub bytes: Vec<u8>,
    /// The other files of a folder: their names, and their bytes. Empty of a file.
    pub others: Vec<(String, Vec<u8>)>,
    /// The content that a reader has to find in it.
    pub content: Content,
    /// The recipe that makes it again.
    pub recipe: Recipe,
}

impl Forged {
    pub(super) fn new(whole: Whole, recipe: Recipe) -> Self {
        let Whole { bytes, others, content } = whole;
        Forged { kind: recipe.kind, bytes, others, content, recipe }
    }

    /// The files of a folder: their names, and their bytes. Of a single file, none.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let first = (!self.others.is_empty()).then_some((FRAME_FILE, &*self.bytes));
        first.into_iter().chain(self.others.iter().map(|(name, bytes)| (name.as_str(), &**bytes)))
    }
}
