//! A generated file.

use super::forged_file::{Content, ForgedFile};
use super::kind::Kind;
use super::recipe::Recipe;
use ndbytes_schemas::blosc2::folder::FRAME_FILE;

/// A generated file, and how it was made.
///
/// ```
/// use ndbytes_forge::{Forge, Kind};
///
/// let forged = Forge::new(7).valid(Kind::Npy);
/// assert!(forged.bytes.starts_with(b"\x93NUMPY"));
/// // The recipe is enough to make the same file anywhere.
/// assert_eq!(forged.recipe.replay(None)?.bytes, forged.bytes);
/// # Ok::<(), ndbytes_forge::RecipeError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Forged {
    /// Its kind; `None` for mutants of files of unknown kind.
    pub kind: Option<Kind>,
    /// Its bytes; for a directory, the bytes of its first file.
    pub bytes: Vec<u8>,
    /// The other files of a directory: names and bytes. Empty for a single file.
    pub others: Vec<(String, Vec<u8>)>,
    /// The content that a reader should find.
    pub content: Content,
    /// The recipe that reproduces it.
    pub recipe: Recipe,
}

impl Forged {
    pub(super) fn new(whole: ForgedFile, recipe: Recipe) -> Self {
        let ForgedFile { bytes, others, content } = whole;
        Forged { kind: recipe.kind, bytes, others, content, recipe }
    }

    /// The files of a directory: names and bytes. Empty for a single file.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let first = (!self.others.is_empty()).then_some((FRAME_FILE, &*self.bytes));
        first.into_iter().chain(self.others.iter().map(|(name, bytes)| (name.as_str(), &**bytes)))
    }
}
