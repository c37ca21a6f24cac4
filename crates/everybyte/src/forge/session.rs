//! A grammar at work on files, one after the other.

use super::apply::{Terms, apply, operate};
use super::by_kind::ByKind;
use super::choices::Choices;
use super::grammar::Grammar;
use super::list_elements::{Lists, lists};
use super::mapped_file::MappedFile;
use super::propose::{Proposer, operation};
use super::recipe::{Recipe, Repair, Step};
use super::shapes::Shapes;
use crate::diff::Pattern;
use crate::map::keyed_spans;
use std::cell::OnceCell;
use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// A mutation of plain bytes, as fuzzers have it: the buffer, the bytes of it that are used, and the most that may be.
/// It returns the bytes that are used then.
pub type Plain = fn(&mut [u8], usize, usize) -> usize;

/// How files are mutated.
#[derive(Debug, Clone)]
pub struct Mutation {
    /// The fewest and the most steps. Each beyond the fewest is made in one case in four: before it, the file is mapped again.
    pub count: RangeInclusive<u8>,
    /// The fields that may be changed; `None` for all.
    pub only: Option<Pattern>,
    /// The roles that are repaired after each step.
    pub repair: Repair,
    /// The maximum number of bytes of a mutant.
    pub max_len: usize,
    /// The plain mutator of the fuzzer, which makes one mutant in four.
    pub plain: Option<Plain>,
}

impl Default for Mutation {
    /// One or two steps, a dependent in 16 left wrong, a mebibyte at most.
    fn default() -> Self {
        Mutation { count: 1..=2, only: None, repair: Repair::default(), max_len: 1 << 20, plain: None }
    }
}

/// A file made out of another one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Mutant {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The steps that were taken.
    pub recipe: Recipe,
}

/// A grammar at work. It keeps the maps of the last files, so that many mutants of some files map each once.
#[derive(Debug)]
pub struct Session<'g, G: ?Sized> {
    pub(super) grammar: &'g G,
    /// The shapes of the fields, once a file was mapped: an operation needs none.
    shapes: OnceCell<Shapes<'g>>,
    /// The last files, the latest one at the end, each with the bytes that its map takes.
    last: VecDeque<(usize, Prepared<'g>)>,
    /// The bytes that all of them take.
    held: usize,
}

/// A file, and what steps are chosen from.
#[derive(Debug)]
pub(super) struct Prepared<'g> {
    pub mapped: MappedFile<'g>,
    pub lists: Lists,
    /// The fields of the last pattern.
    only: Option<(Pattern, ByKind<Vec<usize>>)>,
    /// The number of rules that the file violates, once it was asked for.
    violations: OnceCell<Option<usize>>,
}

/// The times that a step is tried before plain bytes are mutated.
const TRIES: usize = 8;

/// The same where everything is repaired: a step that violates rules is dropped.
const MILD_TRIES: usize = 32;

/// The longest buffer for a fuzzer's own mutator beyond the file itself.
const ROOM: usize = 1 << 16;

/// The number of files whose maps are kept, and the bytes that these take, about. The last one is kept whatever it takes.
const MOST_KEPT: usize = 64;
const LARGEST_KEPT: usize = 32 << 20;

/// Makes a mutant of a file. For many mutants of one file, a [`Session`] is faster.
pub fn mutate<G: Grammar + ?Sized>(grammar: &G, file: &[u8], how: &Mutation, choices: &mut Choices<'_>) -> Mutant {
    Session::new(grammar).mutate(file, how, choices)
}

impl<'g, G: Grammar + ?Sized> Session<'g, G> {
    /// A grammar at work.
    pub fn new(grammar: &'g G) -> Self {
        Session { grammar, shapes: OnceCell::new(), last: VecDeque::new(), held: 0 }
    }

    /// The shapes of the fields.
    pub(super) fn shapes(&self) -> &Shapes<'g> {
        self.shapes.get_or_init(|| Shapes::new(self.grammar.books()))
    }

    /// Makes a mutant of a file. It has at most `max_len` bytes, and at least one if the file has.
    pub fn mutate(&mut self, file: &[u8], how: &Mutation, choices: &mut Choices<'_>) -> Mutant {
        let mut making = Making::new(file, how);
        if let Some(plain) = how.plain
            && choices.one_in(4)
        {
            making.foreign(plain, how.max_len);
            return making.done();
        }
        let mut count = (*how.count.start()).max(1);
        while count < *how.count.end() && choices.one_in(4) {
            count += 1;
        }
        let begun = making.bytes.clone();
        for _ in 0..count {
            let before = making.bytes.clone();
            let mut prepared = None;
            let tries = if how.repair == Repair::Everything { MILD_TRIES } else { TRIES };
            for _ in 0..tries {
                if self.step(&before, &mut prepared, &mut making, how, choices) {
                    break;
                }
            }
            // The map of the file is for the next mutant, too. That of what was made of it is of no further use.
            if let Some(prepared) = prepared.filter(|prepared| *prepared.mapped.file == begun) {
                self.keep(prepared);
            }
        }
        if making.bytes == file {
            making.plain(how.max_len, choices);
        }
        making.done()
    }

    /// Returns whether a file has a field that a pattern matches. [`Mutation::only`] with another pattern leaves plain bytes to
    /// mutate.
    pub fn has_field(&mut self, file: &[u8], pattern: &Pattern) -> bool {
        let prepared = self.take(file);
        let is_found = !matching(&prepared.mapped, pattern).is_empty();
        self.keep(prepared);
        is_found
    }

    /// Tries one step on a file; returns whether it changed the file. An operation needs no map.
    fn step(
        &mut self,
        file: &[u8],
        prepared: &mut Option<Prepared<'g>>,
        making: &mut Making<'_>,
        how: &Mutation,
        choices: &mut Choices<'_>,
    ) -> bool {
        let is_mild = how.repair == Repair::Everything;
        if how.only.is_none()
            && let Some(step) = operation(self.grammar, is_mild, choices)
        {
            let made = operate(self.grammar, &step, file);
            return made.is_ok_and(|bytes| making.add(file, bytes, [step], how));
        }
        let prepared = match prepared {
            Some(prepared) => prepared,
            None => prepared.insert(self.counted(file, making.violations)),
        };
        if let Some(pattern) = &how.only
            && prepared.only.as_ref().is_none_or(|(known, _)| known != pattern)
        {
            prepared.only = Some((pattern.clone(), matching(&prepared.mapped, pattern)));
        }
        let none = Lists::default();
        let (kinds, lists) = match &prepared.only {
            Some((_, kinds)) if how.only.is_some() => (kinds, &none),
            _ => (&prepared.mapped.table.kinds, &prepared.lists),
        };
        if kinds.is_empty() {
            return false;
        }
        let proposer = Proposer {
            grammar: self.grammar,
            shapes: self.shapes(),
            mapped: &prepared.mapped,
            kinds,
            lists,
            is_mild,
            has_edges: how.only.is_none(),
            most: how.max_len,
        };
        let Some(step) = proposer.step(choices) else { return false };
        self.made(prepared, step, making, how, choices)
    }

    /// Performs a step; returns whether it changed the file, and did not break it where everything is repaired.
    pub(super) fn made(
        &self,
        prepared: &Prepared<'g>,
        step: Step,
        making: &mut Making<'_>,
        how: &Mutation,
        choices: &mut Choices<'_>,
    ) -> bool {
        let mapped = &prepared.mapped;
        let mut left = Vec::new();
        let mut decide = |field: usize| {
            let is_left = matches!(how.repair, Repair::AllBut(number) if number > 0 && choices.one_in(number.into()));
            left.extend(is_left.then_some(field));
            !is_left
        };
        let mut terms = Terms { repair: how.repair, decide: &mut decide };
        let Ok(bytes) = apply(self.grammar, mapped, &step, &mut terms) else { return false };
        let is_mild = how.repair == Repair::Everything;
        let violations = is_mild.then(|| self.grammar.violations(&bytes));
        if violations.is_some_and(|after| !self.is_as_whole(prepared, after)) {
            return false;
        }
        let left = left.into_iter().map(|field| Step::Leave(mapped.table.key(field)));
        let is_added = making.add(&mapped.file, bytes, left.chain([step]), how);
        if is_added {
            making.violations = violations;
        }
        is_added
    }

    /// Returns whether the rules that bytes violate are no more than those that a file does.
    fn is_as_whole(&self, prepared: &Prepared<'g>, after: Option<usize>) -> bool {
        let before = *prepared.violations.get_or_init(|| self.grammar.violations(&prepared.mapped.file));
        before.is_none_or(|before| after.is_none_or(|after| after <= before))
    }

    /// A file, prepared, and the number of rules that it violates, if that is known.
    fn counted(&mut self, file: &[u8], violations: Option<Option<usize>>) -> Prepared<'g> {
        let prepared = self.take(file);
        if let Some(violations) = violations {
            prepared.violations.get_or_init(|| violations);
        }
        prepared
    }

    /// A file, prepared: the last one if it is that.
    pub(super) fn take(&mut self, file: &[u8]) -> Prepared<'g> {
        self.known(file).unwrap_or_else(|| self.prepared(file))
    }

    /// A file that was prepared lately.
    fn known(&mut self, file: &[u8]) -> Option<Prepared<'g>> {
        let place = self.last.iter().rposition(|(_, prepared)| *prepared.mapped.file == file)?;
        let (size, found) = self.last.remove(place)?;
        self.held -= size;
        Some(found)
    }

    pub(super) fn prepared(&self, file: &[u8]) -> Prepared<'g> {
        let mapped = MappedFile::new(self.grammar, self.shapes(), file);
        let lists = lists(&mapped.table);
        Prepared { mapped, lists, only: None, violations: OnceCell::new() }
    }

    /// Keeps a prepared file for the next time.
    pub(super) fn keep(&mut self, prepared: Prepared<'g>) {
        let size = prepared.mapped.size();
        self.held += size;
        self.last.push_back((size, prepared));
        while self.last.len() > MOST_KEPT || self.held > LARGEST_KEPT && self.last.len() > 1 {
            self.held -= self.last.pop_front().map_or(0, |(size, _)| size);
        }
    }
}

/// The slots whose keys match a pattern, by kind.
fn matching(mapped: &MappedFile<'_>, pattern: &Pattern) -> ByKind<Vec<usize>> {
    let table = &mapped.table;
    let leaves = (0..table.fields.len()).filter(|&field| table.fields[field].last == field + 1);
    let mut kinds: ByKind<Vec<usize>> = ByKind::default();
    for (span, field) in keyed_spans(&table.spaces).iter().zip(leaves) {
        let is_named = pattern.matches(&span.path) || span.key.as_ref().is_some_and(|key| pattern.matches(key));
        if let Some(slot) = table.fields[field].slot.filter(|_| is_named) {
            kinds.entry(table.fields[field].kind).push(slot);
        }
    }
    kinds
}

/// A mutant in the making.
pub(super) struct Making<'f> {
    /// The file that it is made out of.
    file: &'f [u8],
    pub bytes: Vec<u8>,
    pub recipe: Recipe,
    /// The number of rules that the bytes violate, if it was counted.
    violations: Option<Option<usize>>,
}

impl<'f> Making<'f> {
    pub fn new(file: &'f [u8], how: &Mutation) -> Self {
        let mut making = Making { file, bytes: file.to_vec(), recipe: Recipe::default(), violations: None };
        if file.len() > how.max_len {
            making.recipe.steps.push(Step::Repair(Repair::Nothing));
            making.recipe.steps.push(Step::Cut { key: None, by: how.max_len as i64 - file.len() as i64 });
            making.bytes.truncate(how.max_len);
        }
        making.recipe.steps.push(Step::Repair(how.repair));
        making
    }

    pub fn done(self) -> Mutant {
        Mutant { bytes: self.bytes, recipe: self.recipe }
    }

    /// Takes bytes that steps made of a file; returns false if they are none that are wanted.
    fn add(&mut self, before: &[u8], bytes: Vec<u8>, steps: impl IntoIterator<Item = Step>, how: &Mutation) -> bool {
        let is_empty = bytes.is_empty() && !before.is_empty();
        let is_new = bytes != before && bytes != self.file;
        if !is_new || is_empty || bytes.len() > how.max_len {
            return false;
        }
        self.recipe.steps.extend(steps);
        (self.bytes, self.violations) = (bytes, None);
        true
    }

    /// Mutates plain bytes.
    pub fn plain(&mut self, max_len: usize, choices: &mut Choices<'_>) {
        for _ in 0..TRIES {
            let seed = choices.any();
            let mut bytes = self.bytes.clone();
            super::byte_mutations::mutate(&mut bytes, &mut Choices::seeded(seed));
            if bytes.len() <= max_len && bytes != self.bytes {
                self.recipe.steps.push(Step::Plain { seed });
                self.bytes = bytes;
                return;
            }
        }
    }

    /// Lets the fuzzer's own mutator change the bytes. What it did is kept as bytes, since it has a seed of its own.
    fn foreign(&mut self, plain: Plain, max_len: usize) {
        let length = self.bytes.len();
        let room = max_len.min(length.saturating_mul(2).saturating_add(ROOM));
        let mut buffer = vec![0; room.max(length)];
        buffer[..length].copy_from_slice(&self.bytes);
        let used = plain(&mut buffer, length, room).min(room);
        if used == 0 {
            return;
        }
        buffer.truncate(used);
        let same = buffer.iter().zip(&self.bytes).take_while(|(new, old)| new == old).count();
        self.recipe.steps.push(Step::Repair(Repair::Nothing));
        self.recipe.steps.push(Step::Cut { key: None, by: same as i64 - length as i64 });
        self.recipe.steps.push(Step::Append(buffer[same..].to_vec()));
        self.bytes = buffer;
    }
}
