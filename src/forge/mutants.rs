//! Mutants of files.

use super::forge::{Forge, begun};
use super::forged::Forged;
use super::kind::Kind;
use super::origin::Origin;
use super::recipe::Recipe;
use super::register::grammar;
use super::whole::{Content, Whole};
use everybyte::forge::{Mutation, cross, mutate};

impl Forge {
    /// A mutant of a file of any kind, or of none. It has at most [`Mutation::max_len`] bytes.
    pub fn mutate(&mut self, file: &[u8], how: &Mutation) -> Forged {
        self.mutate_named("", file, how)
    }

    /// The same, with a name of the file for the recipe.
    pub fn mutate_named(&mut self, name: &str, file: &[u8], how: &Mutation) -> Forged {
        let kind = Kind::of(file);
        let mutant = mutate(grammar(kind), file, how, &mut self.choices);
        let recipe = Recipe { steps: mutant.recipe, ..begun(kind, Origin::of_file(name, file)) };
        Forged::new(Whole::unknown(mutant.bytes), recipe)
    }

    /// A mutant of a file that was made. Its recipe begins where that of the file does.
    pub fn mutate_again(&mut self, forged: &Forged, how: &Mutation) -> Forged {
        let mutant = mutate(grammar(forged.kind), &forged.bytes, how, &mut self.choices);
        let mut recipe = forged.recipe.clone();
        recipe.steps.steps.extend(mutant.recipe.steps);
        let whole = Whole { bytes: mutant.bytes, others: forged.others.clone(), content: Content::Unknown };
        Forged::new(whole, recipe)
    }
}
