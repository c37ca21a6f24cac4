//! Uses a grammar on one file after another.
//!
//! A mutant is made step by step: the file is mapped, a step is proposed and applied, and the bytes are accepted if they are new,
//! not empty and not too long. A step that fails is tried again with other choices; if all of them fail, plain bytes are mutated.
//! If everything is repaired, a step that makes the file violate more rules is dropped.
//!
//! A fuzzer mutates the same few files repeatedly, and mapping one takes much longer than a step. So a session keeps
//! the maps of recent files, up to a maximum number and amount of memory.

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

/// A plain-byte mutator, as provided by fuzzers. Its arguments are the buffer, the number of bytes in use and the
/// maximum. It returns the number of bytes in use afterwards.
pub type Plain = fn(&mut [u8], usize, usize) -> usize;

/// The way in which files are mutated.
///
/// ```
/// use everybyte::forge::{Choices, Mutation, Of, Repair, mutate};
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
/// let how = Mutation { only: Some("text".parse()?), repair: Repair::Everything, max_len: 16, ..Mutation::default() };
/// let mutant = mutate(&Of::<Note>::new(), b"\x02hi", &how, &mut Choices::seeded(1));
/// assert!(mutant.bytes.len() <= 16);
/// assert_eq!(everybyte::check::<Note>(&mutant.bytes), [], "the length follows the text");
/// # Ok::<(), everybyte::diff::PatternError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Mutation {
    /// The minimum and maximum number of steps. Each step beyond the minimum happens one time in four, after mapping the file
    /// again.
    pub count: RangeInclusive<u8>,
    /// The fields that may change; `None` for all.
    pub only: Option<Pattern>,
    /// The roles to repair after each step.
    pub repair: Repair,
    /// The maximum number of bytes of a mutant.
    pub max_len: usize,
    /// The fuzzer's plain mutator, which makes one mutant in four.
    pub plain: Option<Plain>,
}

impl Default for Mutation {
    /// By default, mutants have one or two steps and one wrong dependent number in 16, and are at most 1 MiB long.
    fn default() -> Self {
        Mutation { count: 1..=2, only: None, repair: Repair::default(), max_len: 1 << 20, plain: None }
    }
}

/// A file made from another one.
///
/// ```
/// use everybyte::forge::{Choices, Mutation, Of, mutate, replay};
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
/// let (grammar, file) = (Of::<Note>::new(), b"\x02hi");
/// let mutant = mutate(&grammar, file, &Mutation::default(), &mut Choices::seeded(1));
/// assert_eq!(replay(&grammar, file, &mutant.recipe)?, mutant.bytes);
/// # Ok::<(), everybyte::forge::ReplayError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Mutant {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The steps that produced it.
    pub recipe: Recipe,
}

/// Mutates files of one grammar. It caches the maps of recent files, so that each is mapped once for many mutants.
///
/// ```
/// use everybyte::forge::{Choices, Mutation, Of, Repair, Session};
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
/// let grammar = Of::<Note>::new();
/// let mut session = Session::new(&grammar);
/// let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
/// for seed in 0..100 {
///     let mutant = session.mutate(b"\x02hi", &how, &mut Choices::seeded(seed));
///     assert_eq!(everybyte::check::<Note>(&mutant.bytes), []);
/// }
/// ```
#[derive(Debug)]
pub struct Session<'g, G: ?Sized> {
    pub(super) grammar: &'g G,
    /// The shapes of the fields. They are computed when a file is first mapped, because operations do not need them.
    shapes: OnceCell<Shapes<'g>>,
    /// The most recent files, latest last, each with the memory usage of its map.
    last: VecDeque<(usize, Prepared<'g>)>,
    /// The total memory usage of their maps.
    held: usize,
}

/// A file and the data from which steps are chosen.
#[derive(Debug)]
pub(super) struct Prepared<'g> {
    pub mapped: MappedFile<'g>,
    pub lists: Lists,
    /// The fields that match the last pattern.
    only: Option<(Pattern, ByKind<Vec<usize>>)>,
    /// The number of rules that the file violates, once it has been computed.
    violations: OnceCell<Option<usize>>,
}

/// The number of attempts at a step before plain bytes are mutated.
const TRIES: usize = 8;

/// The number of attempts if everything is repaired, since steps that violate rules are dropped.
const MILD_TRIES: usize = 32;

/// The maximum number of bytes by which the buffer for a fuzzer's own mutator exceeds the file.
const ROOM: usize = 1 << 16;

/// The maximum number of files whose maps are kept, and their approximate total memory. The latest map is always kept.
const MOST_KEPT: usize = 64;
const LARGEST_KEPT: usize = 32 << 20;

/// Makes a mutant of a file. For many mutants of one file, a [`Session`] is faster.
pub fn mutate<G: Grammar + ?Sized>(grammar: &G, file: &[u8], how: &Mutation, choices: &mut Choices<'_>) -> Mutant {
    Session::new(grammar).mutate(file, how, choices)
}

impl<'g, G: Grammar + ?Sized> Session<'g, G> {
    /// Creates a session.
    pub fn new(grammar: &'g G) -> Self {
        Session { grammar, shapes: OnceCell::new(), last: VecDeque::new(), held: 0 }
    }

    /// Returns the shapes of the fields.
    pub(super) fn shapes(&self) -> &Shapes<'g> {
        self.shapes.get_or_init(|| Shapes::new(self.grammar.books()))
    }

    /// Makes a mutant of a file. The result has at most `max_len` bytes; it is empty only if the file is empty.
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
            // The next mutant starts from the map of the original file, so the map of this mutant is dropped.
            if let Some(prepared) = prepared.filter(|prepared| *prepared.mapped.file == begun) {
                self.keep(prepared);
            }
        }
        if making.bytes == file {
            making.plain(how.max_len, choices);
        }
        making.done()
    }

    /// Returns whether a file has a field that a pattern matches. If there is no such field, [`Mutation::only`] leaves
    /// only plain bytes to mutate.
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

    /// Performs a step; returns whether it changed the file. If everything is repaired, the step must not break the file.
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

    /// Returns whether bytes violate at most as many rules as a given file.
    fn is_as_whole(&self, prepared: &Prepared<'g>, after: Option<usize>) -> bool {
        let before = *prepared.violations.get_or_init(|| self.grammar.violations(&prepared.mapped.file));
        before.is_none_or(|before| after.is_none_or(|after| after <= before))
    }

    /// Prepares a file and counts the rules that it violates, if possible.
    fn counted(&mut self, file: &[u8], violations: Option<Option<usize>>) -> Prepared<'g> {
        let prepared = self.take(file);
        if let Some(violations) = violations {
            prepared.violations.get_or_init(|| violations);
        }
        prepared
    }

    /// Returns a prepared file, from the cache if possible.
    pub(super) fn take(&mut self, file: &[u8]) -> Prepared<'g> {
        self.known(file).unwrap_or_else(|| self.prepared(file))
    }

    /// Takes a recently prepared file out of the cache. The caller puts it back with [`keep`](Self::keep), which
    /// makes it the latest one.
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

    /// Caches a prepared file.
    pub(super) fn keep(&mut self, prepared: Prepared<'g>) {
        let size = prepared.mapped.size();
        self.held += size;
        self.last.push_back((size, prepared));
        while self.last.len() > MOST_KEPT || self.held > LARGEST_KEPT && self.last.len() > 1 {
            self.held -= self.last.pop_front().map_or(0, |(size, _)| size);
        }
    }
}

/// Returns the slots whose keys match a pattern, by kind.
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

/// A mutant that is being created.
pub(super) struct Making<'f> {
    /// The original file.
    file: &'f [u8],
    pub bytes: Vec<u8>,
    pub recipe: Recipe,
    /// The number of rules that the bytes violate, if they were counted.
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

    /// Accepts the bytes that a sequence of steps produced, or returns false.
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

    /// Lets the fuzzer's own mutator change the bytes. The result is recorded as bytes, because that mutator has its own seed.
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
