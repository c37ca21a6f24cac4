//! Applies recipes to files.

use super::apply::{Terms, apply};
use super::choices::Choices;
use super::grammar::Grammar;
use super::mapped_file::MappedFile;
use super::recipe::{Recipe, Repair, Step};
use super::shapes::Shapes;
use crate::escape::escape;
use std::fmt;

/// The reason why a recipe cannot be applied to a file.
///
/// ```
/// use everybyte::forge::{Of, replay};
/// # use everybyte::{Format, bytes::Bytes, layout};
/// # #[layout]
/// # struct Note {
/// #     #[layout(extent = text)]
/// #     length: u8,
/// #     #[br(args { length: length.into() })]
/// #     text: Bytes,
/// # }
/// # impl Format for Note { const NAME: &'static str = "note"; }
///
/// let recipe = "set length = 1\nremove picture".parse()?;
/// let error = replay(&Of::<Note>::new(), b"\x02hi", &recipe).unwrap_err();
/// assert_eq!((error.number, error.step.as_str()), (2, "remove picture"));
/// # Ok::<(), everybyte::forge::RecipeError>(())
/// ```
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

/// Applies a recipe to a file. Every `?` in a key represents the same index.
///
/// # Errors
/// Fails if a step does not apply to the file because it names a field that does not exist or sets a value that does not fit.
pub fn replay<G: Grammar + ?Sized>(grammar: &G, file: &[u8], recipe: &Recipe) -> Result<Vec<u8>, ReplayError> {
    replay_with(grammar, file, recipe, &mut Choices::seeded(0)).map(|(bytes, _)| bytes)
}

/// Applies a recipe to a file, with a random index for each `?`; also returns the recipe with these indices.
///
/// # Errors
/// Fails under the same conditions as [`replay`].
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

/// Returns the step with an index for each `?` in its keys.
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

/// Returns the keys in a step.
fn keys(step: &mut Step) -> Vec<&mut String> {
    match step {
        Step::Leave(key) | Step::Set { key, .. } | Step::Splice { key, .. } => vec![key],
        Step::Remove(key) | Step::Duplicate(key) | Step::Cut { key: Some(key), .. } => vec![key],
        Step::Swap(one, other) | Step::Copy { from: one, to: other } => vec![one, other],
        _ => Vec::new(),
    }
}
