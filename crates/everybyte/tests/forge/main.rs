//! Files made out of files: recipes, what follows an edit, mutants.

#[path = "../../examples/bmp.rs"]
#[allow(dead_code, reason = "an example has a main of its own")]
mod bmp;
mod formats;
mod mending;
mod mutants;
mod padding;
mod recipes;
#[path = "../../examples/truetype.rs"]
#[allow(dead_code, reason = "an example has a main of its own")]
mod truetype;
#[path = "../../examples/wav.rs"]
#[allow(dead_code, reason = "an example has a main of its own")]
mod wav;

use everybyte::forge::{Grammar, Recipe, replay};

/// The bytes of a file after a recipe; or what is wrong with the recipe.
fn after<G: Grammar>(grammar: &G, file: &[u8], recipe: &str) -> Result<Vec<u8>, String> {
    let recipe: Recipe = recipe.parse().map_err(|error| format!("{error}"))?;
    replay(grammar, file, &recipe).map_err(|error| error.to_string())
}
