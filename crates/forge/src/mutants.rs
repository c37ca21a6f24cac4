//! Mutants of given files.
//!
//! A mutant has one or a few changes along the fields of a file. Lengths, counts, copies and checksums are then
//! recomputed, as far as requested. Without that, nearly every mutant would fail the first check of a reader. The map
//! of the last file is kept, because an engine mutates the same input many times.

use super::forged::Forged;
use super::forged_file::{Content, ForgedFile};
use super::kind::Kind;
use super::origin::Origin;
use super::recipe::Recipe;
use super::seeded::{Forge, begun};
use everybyte::diff::Pattern;
use everybyte::forge::{Mutant, Mutation, Repair, Trimming};

impl Forge {
    /// A mutant of a file of any kind, even an unknown one. It has at most [`Mutation::max_len`] bytes.
    ///
    /// ```
    /// use ndbytes_forge::{Forge, Mutation};
    ///
    /// let file = [0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3];
    /// let mutant = Forge::new(1).mutate(&file, &Mutation::default());
    /// print!("{}", mutant.recipe); // which fields changed, and how
    /// assert_eq!(mutant.recipe.replay(Some(&file))?.bytes, mutant.bytes);
    /// # Ok::<(), ndbytes_forge::RecipeError>(())
    /// ```
    pub fn mutate(&mut self, file: &[u8], how: &Mutation) -> Forged {
        self.mutate_named("", file, how)
    }

    /// Like `mutate`, but with a file name for the recipe.
    pub fn mutate_named(&mut self, name: &str, file: &[u8], how: &Mutation) -> Forged {
        let mutant = self.mutant(file, how);
        of_file(self.kind_of(file), name, file, mutant)
    }

    /// Like `mutate`, but returns only the steps of the recipe. An engine calls this thousands of times per second, so
    /// it skips the digest of the file that the recipe starts with.
    pub fn mutant(&mut self, file: &[u8], how: &Mutation) -> Mutant {
        let kind = self.kind_of(file);
        let (session, choices) = self.session(kind);
        session.mutate(file, how, choices)
    }

    /// A mutant of a generated file. Its recipe continues the recipe of the file.
    pub fn mutate_again(&mut self, forged: &Forged, how: &Mutation) -> Forged {
        let (session, choices) = self.session(forged.kind);
        let mutant = session.mutate(&forged.bytes, how, choices);
        let mut recipe = forged.recipe.clone();
        recipe.steps.steps.extend(mutant.recipe.steps);
        let whole = ForgedFile { bytes: mutant.bytes, others: forged.others.clone(), content: Content::Unknown };
        Forged::new(whole, recipe)
    }

    /// A file with a part of another one.
    pub fn cross(&mut self, file: &[u8], other: &[u8], how: &Mutation) -> Forged {
        let mutant = self.crossed(file, other, how);
        of_file(self.kind_of(file), "", file, mutant)
    }

    /// The same, but with only the steps of the recipe.
    pub fn crossed(&mut self, file: &[u8], other: &[u8], how: &Mutation) -> Mutant {
        let kind = self.kind_of(file);
        let (session, choices) = self.session(kind);
        session.cross([file, other], how, choices)
    }

    /// The file with lengths, counts, copies and checksums recomputed, as far as `repair` includes their roles: see
    /// [`Session::set_right`](everybyte::forge::Session::set_right). The analysis of the last file is kept.
    pub fn set_right(&mut self, file: &[u8], repair: Repair) -> Vec<u8> {
        let kind = self.kind_of(file);
        self.session(kind).0.set_right(file, repair)
    }

    /// The next smaller file, in which an element of a list is removed and derived fields are recomputed. `None` if
    /// nothing is left to remove.
    pub fn trim(&mut self, trimming: &mut Trimming) -> Option<Vec<u8>> {
        let kind = self.kind_of(trimming.file());
        trimming.candidate(self.session(kind).0)
    }

    /// The number of elements that are left to try.
    pub fn trims(&mut self, trimming: &Trimming) -> usize {
        let kind = self.kind_of(trimming.file());
        trimming.left(self.session(kind).0)
    }

    /// Returns whether a file has a field that a pattern matches.
    pub fn has_field(&mut self, file: &[u8], pattern: &Pattern) -> bool {
        let kind = self.kind_of(file);
        self.session(kind).0.has_field(file, pattern)
    }

    pub(super) fn kind_of(&self, file: &[u8]) -> Option<Kind> {
        if self.has_grammar() { None } else { self.kind.or_else(|| Kind::of(file)) }
    }
}

fn of_file(kind: Option<Kind>, name: &str, file: &[u8], mutant: Mutant) -> Forged {
    let recipe = Recipe { steps: mutant.recipe, ..begun(kind, Origin::of_file(name, file)) };
    Forged::new(ForgedFile::unknown(mutant.bytes), recipe)
}
