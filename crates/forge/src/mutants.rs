//! Mutants of files.

use super::forged::Forged;
use super::kind::Kind;
use super::origin::Origin;
use super::recipe::Recipe;
use super::seeded::{Forge, begun};
use super::whole::{Content, Whole};
use everybyte::diff::Pattern;
use everybyte::forge::{Mutant, Mutation, Repair, Trimming};

impl Forge {
    /// A mutant of a file of any kind, or of none. It has at most [`Mutation::max_len`] bytes.
    pub fn mutate(&mut self, file: &[u8], how: &Mutation) -> Forged {
        self.mutate_named("", file, how)
    }

    /// The same, with a name of the file for the recipe.
    pub fn mutate_named(&mut self, name: &str, file: &[u8], how: &Mutation) -> Forged {
        let mutant = self.mutant(file, how);
        of_file(self.kind_of(file), name, file, mutant)
    }

    /// The same with the steps of the recipe alone. An engine asks for it thousands of times a second, so it has no
    /// digest of the file that the recipe begins with.
    pub fn mutant(&mut self, file: &[u8], how: &Mutation) -> Mutant {
        let kind = self.kind_of(file);
        let (session, choices) = self.session(kind);
        session.mutate(file, how, choices)
    }

    /// A mutant of a file that was made. Its recipe begins where that of the file does.
    pub fn mutate_again(&mut self, forged: &Forged, how: &Mutation) -> Forged {
        let (session, choices) = self.session(forged.kind);
        let mutant = session.mutate(&forged.bytes, how, choices);
        let mut recipe = forged.recipe.clone();
        recipe.steps.steps.extend(mutant.recipe.steps);
        let whole = Whole { bytes: mutant.bytes, others: forged.others.clone(), content: Content::Unknown };
        Forged::new(whole, recipe)
    }

    /// A file with a part of another one in it.
    pub fn cross(&mut self, file: &[u8], other: &[u8], how: &Mutation) -> Forged {
        let mutant = self.crossed(file, other, how);
        of_file(self.kind_of(file), "", file, mutant)
    }

    /// The same with the steps of the recipe alone.
    pub fn crossed(&mut self, file: &[u8], other: &[u8], how: &Mutation) -> Mutant {
        let kind = self.kind_of(file);
        let (session, choices) = self.session(kind);
        session.cross([file, other], how, choices)
    }

    /// The file with lengths, counts, copies and checksums that are right, as far as `repair` mends their roles: see
    /// [`Session::set_right`](everybyte::forge::Session::set_right). What is known of the last file is kept.
    pub fn set_right(&mut self, file: &[u8], repair: Repair) -> Vec<u8> {
        let kind = self.kind_of(file);
        self.session(kind).0.set_right(file, repair)
    }

    /// The next smaller file: an element of a list is left out, and what follows is mended. `None` if there is none left.
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
    Forged::new(Whole::unknown(mutant.bytes), recipe)
}
