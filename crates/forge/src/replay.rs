//! Builds the file of a recipe.

use super::forged::Forged;
use super::forged_file::{Content, ForgedFile};
use super::origin::{Origin, digest};
use super::recipe::{Recipe, RecipeError};
use super::register::grammar;
use everybyte::forge::{Recipe as Steps, minimise, replay};

impl Recipe {
    /// Makes the file. `from` is the file that the recipe starts with, if any.
    ///
    /// # Errors
    /// [`RecipeError`].
    pub fn replay(&self, from: Option<&[u8]>) -> Result<Forged, RecipeError> {
        let whole = self.beginning(from)?;
        let bytes = replay(grammar(self.kind), &whole.bytes, &self.steps)?;
        let content = if self.steps.steps.is_empty() { whole.content } else { Content::Unknown };
        Ok(Forged::new(ForgedFile { bytes, content, ..whole }, self.clone()))
    }

    fn beginning(&self, from: Option<&[u8]>) -> Result<ForgedFile, RecipeError> {
        match (&self.origin, from) {
            (Origin::File { name, .. }, None) => Err(RecipeError::NoFile { name: name.clone() }),
            (Origin::File { digest: expected, .. }, Some(file)) => {
                let found = digest(file);
                match expected.is_empty() || *expected == found {
                    true => Ok(ForgedFile::unknown(file.to_vec())),
                    false => Err(RecipeError::OtherFile { found, expected: expected.clone() }),
                }
            }
            (origin, _) => {
                let made = self.kind.and_then(|kind| origin.make(kind));
                made.ok_or_else(|| RecipeError::NoOrigin(origin.clone()))
            }
        }
    }

    /// The recipe with the fewest steps that still satisfies `keeps`, found by leaving out steps.
    #[must_use]
    pub fn minimised(&self, mut keeps: impl FnMut(&Recipe) -> bool) -> Recipe {
        let with = |steps: &Steps| Recipe { steps: steps.clone(), ..self.clone() };
        with(&minimise(&self.steps, |steps| keeps(&with(steps))))
    }
}
