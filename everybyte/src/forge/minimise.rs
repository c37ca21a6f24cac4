//! Minimises files and recipes.
//!
//! Parts are removed while a property that only the caller can test, such as a crash, still holds. Files lose elements
//! from the last to the first, because removing one shifts the indices of later ones. Recipes lose lines, first in
//! halves and then in smaller parts.

use super::apply::{Terms, apply};
use super::grammar::Grammar;
use super::recipe::{Recipe, Repair, Step};
use super::session::Session;

/// Shrinks a file by removing list elements one by one, from the last to the first.
///
/// ```
/// use everybyte::forge::{Of, Session, Trimming};
/// use everybyte::{Format, layout};
///
/// #[layout]
/// struct Notes {
///     count: u8,
///     #[br(count = count)]
///     notes: Vec<Note>,
/// }
///
/// #[layout]
/// struct Note {
///     pitch: u8,
/// }
/// # impl Format for Notes { const NAME: &'static str = "notes"; }
///
/// let grammar = Of::<Notes>::new();
/// let mut session = Session::new(&grammar);
/// let mut trimming = Trimming::new(b"\x04abcd");
/// // A reader fails whenever a file contains the note `c`.
/// while let Some(candidate) = trimming.candidate(&mut session) {
///     if candidate.contains(&b'c') {
///         trimming.keep(candidate);
///     }
/// }
/// assert_eq!(trimming.file(), b"\x01c");
/// ```
#[derive(Debug, Clone)]
pub struct Trimming {
    file: Vec<u8>,
    /// The number of elements that were tried and kept, counted from the end.
    tried: usize,
}

impl Trimming {
    /// Prepares to minimise a file.
    pub fn new(file: &[u8]) -> Self {
        Trimming { file: file.to_vec(), tried: 0 }
    }

    /// The smallest file so far.
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// The file without the next element, with derived fields recomputed; `None` when no elements are left.
    pub fn candidate<G: Grammar + ?Sized>(&mut self, session: &mut Session<'_, G>) -> Option<Vec<u8>> {
        let prepared = session.take(&self.file);
        let mut elements: Vec<usize> = prepared.lists.values().flatten().flatten().copied().collect();
        elements.sort_unstable_by(|one, other| other.cmp(one));
        let mut found = None;
        while found.is_none() && self.tried < elements.len() {
            let step = Step::Remove(prepared.mapped.table.key(elements[self.tried]));
            self.tried += 1;
            let mut terms = Terms { repair: Repair::Everything, decide: &mut |_| true };
            let file = apply(session.grammar, &prepared.mapped, &step, &mut terms).ok();
            found = file.filter(|file| !file.is_empty() && file.len() < self.file.len());
        }
        session.keep(prepared);
        found
    }

    /// Continues with a candidate instead of the file.
    pub fn keep(&mut self, candidate: Vec<u8>) {
        self.file = candidate;
        self.tried = self.tried.saturating_sub(1);
    }

    /// The number of elements that are left to try.
    pub fn left<G: Grammar + ?Sized>(&self, session: &mut Session<'_, G>) -> usize {
        let prepared = session.take(&self.file);
        let elements: usize = prepared.lists.values().flatten().map(Vec::len).sum();
        session.keep(prepared);
        elements.saturating_sub(self.tried)
    }
}

/// Shortens a recipe while a property holds, by leaving out lines, first in halves and then in smaller parts.
pub fn minimise(recipe: &Recipe, mut keeps: impl FnMut(&Recipe) -> bool) -> Recipe {
    let mut best = recipe.clone();
    let mut parts = 2;
    while !best.steps.is_empty() {
        let size = best.steps.len().div_ceil(parts);
        let shorter = (0..best.steps.len()).step_by(size).find_map(|from| {
            let mut steps = best.steps.clone();
            steps.drain(from..(from + size).min(steps.len()));
            let candidate = Recipe { header: best.header.clone(), steps };
            keeps(&candidate).then_some(candidate)
        });
        match shorter {
            Some(shorter) => {
                best = shorter;
                parts = parts.saturating_sub(1).max(2);
            }
            None if size <= 1 => break,
            None => parts = (parts * 2).min(best.steps.len()),
        }
    }
    best
}
