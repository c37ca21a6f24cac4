//! Recipes performed on files.

use super::apply::{Terms, apply};
use super::choices::Choices;
use super::grammar::Grammar;
use super::mapped_file::MappedFile;
use super::recipe::{Recipe, Repair, Step};
use super::shapes::Shapes;
use crate::escape::escape;
use std::fmt;

/// The reason why a recipe cannot be performed on a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplayError {
    /// The number of the step, counted from 1.
    pub number: usize,
    /// The step.
    pub step: String,
    /// The problem.
    pub problem: String,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} of the recipe, `{}`: {}", self.number, escape(&self.step), self.problem)
    }
}

impl std::error::Error for ReplayError {}

/// Performs a recipe on a file. `?` in a key is the same index each time.
///
/// # Errors
/// If a step does not suit the file. It names a field that does not exist, or gives it a value that it has no room for.
pub fn replay<G: Grammar + ?Sized>(grammar: &G, file: &[u8], recipe: &Recipe) -> Result<Vec<u8>, ReplayError> {
    replay_with(grammar, file, recipe, &mut Choices::seeded(0)).map(|(bytes, _)| bytes)
}

/// Performs a recipe on a file, with an index by chance for each `?`; also gives the recipe with these indices.
///
/// # Errors
/// Those of [`replay`].
pub fn replay_with<G: Grammar + ?Sized>(
    grammar: &G,
    file: &[u8],
    recipe: &Recipe,
    choices: &mut Choices<'_>,
) -> Result<(Vec<u8>, Recipe), ReplayError> {
    let shapes = Shapes::new(grammar.books());
    let mut made = Recipe { header: recipe.header.clone(), steps: Vec::new() };
    let mut mapped: Option<MappedFile<'_>> = None;
    let mut bytes = file.to_vec();
    let mut repair = Repair::Everything;
    let mut left = Vec::new();
    for (place, step) in recipe.steps.iter().enumerate() {
        if let Step::Repair(new) = step {
            repair = *new;
            made.steps.push(step.clone());
            continue;
        }
        let mapped_now = mapped.get_or_insert_with(|| MappedFile::new(grammar, &shapes, &bytes));
        let failed = |problem: String| ReplayError { number: place + 1, step: step.to_string(), problem };
        let step = chosen(step, mapped_now, choices).map_err(failed)?;
        if let Step::Leave(key) = &step {
            let found = mapped_now.table.find(key).into_iter().next();
            let spot = found.ok_or_else(|| failed(format!("the file has no field `{}`", escape(key))))?;
            left.push(spot.field);
            made.steps.push(step);
            continue;
        }
        let mut decide = |field: usize| !left.contains(&field);
        let mut terms = Terms { repair, decide: &mut decide };
        bytes = apply(grammar, mapped_now, &step, &mut terms).map_err(failed)?;
        made.steps.push(step);
        mapped = None;
        left.clear();
    }
    Ok((bytes, made))
}

/// The step with an index for each `?` in its keys.
fn chosen(step: &Step, mapped: &MappedFile<'_>, choices: &mut Choices<'_>) -> Result<Step, String> {
    let mut step = step.clone();
    for key in keys(&mut step).into_iter().filter(|key| key.contains("[?]")) {
        let mut found = mapped.table.find(key);
        if found.is_empty() {
            return Err(format!("the file has no field `{}`", escape(key)));
        }
        let spot = found.swap_remove(choices.index(found.len()));
        *key = mapped.table.key_of(&spot);
    }
    Ok(step)
}

/// The keys in a step.
fn keys(step: &mut Step) -> Vec<&mut String> {
    match step {
        Step::Leave(key) | Step::Set { key, .. } | Step::Splice { key, .. } => vec![key],
        Step::Remove(key) | Step::Duplicate(key) | Step::Cut { key: Some(key), .. } => vec![key],
        Step::Swap(one, other) | Step::Copy { from: one, to: other } => vec![one, other],
        _ => Vec::new(),
    }
}
