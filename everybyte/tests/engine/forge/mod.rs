//! Files made from files: recipes, consequences of edits, and mutants.

mod edits;
mod formats;
mod mending;
mod mutants;
mod padding;
mod recipes;

use everybyte::forge::{Grammar, Recipe, replay};

/// Returns the bytes of a file after a recipe, or the error in the recipe.
fn after<G: Grammar>(grammar: &G, file: &[u8], recipe: &str) -> Result<Vec<u8>, String> {
    let recipe: Recipe = recipe.parse().map_err(|error| format!("{error}"))?;
    replay(grammar, file, &recipe).map_err(|error| error.to_string())
}
