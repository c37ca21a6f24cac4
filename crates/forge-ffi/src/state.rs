//! The state of one fuzzer: its forge, and its last results.

use crate::options::{Options, repair_of};
use ndbytes_forge::{CustomMutator, Forge, Kind, Mutation, Repair, Trimming};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CString;
use std::hash::{DefaultHasher, Hasher};
use std::iter;

/// The maximum number of characters in a description, which becomes a part of a file name.
const LONGEST_DESCRIPTION: usize = 64;

/// The handle of a fuzzer.
pub struct State {
    forge: Forge,
    options: Options,
    beside: CustomMutator,
    out: Vec<u8>,
    /// The last recomputed input. The engine may pass it together with the mutant made from it.
    right: Vec<u8>,
    description: CString,
    trimming: Option<Trimming>,
    /// The number of candidates at the start of trimming.
    candidates: usize,
}

impl State {
    pub fn new(seed: u64, options: Options) -> Self {
        State {
            forge: options.forge(seed),
            beside: CustomMutator::new(options.how.clone(), !options.is_unscheduled),
            options,
            out: Vec::new(),
            right: Vec::new(),
            description: CString::default(),
            trimming: None,
            candidates: 0,
        }
    }

    /// Mutates an input to at most `max` bytes, sometimes with a part of another input.
    pub fn mutate(&mut self, input: &[u8], other: &[u8], max: usize) -> &[u8] {
        self.options.how.max_len = max;
        let mutant = self.beside.mutate(&mut self.forge, input, other, max);
        let last = mutant.recipe.steps.last().map(ToString::to_string).unwrap_or_default();
        self.description = described(&last);
        self.out = mutant.bytes;
        // An engine treats an empty result as a failure.
        if self.out.is_empty() {
            self.out.extend(input.iter().take(max));
        }
        &self.out
    }

    /// Records an input that the engine keeps because it found something.
    pub fn found(&mut self, input: &[u8]) {
        self.beside.found(input);
    }

    /// Returns the input to run: recomputed if the options request it, otherwise unchanged. The same input must always
    /// produce the same bytes, or the engine would consider the target unstable.
    pub fn post_process<'a>(&'a mut self, input: &'a [u8]) -> &'a [u8] {
        // Recomputing every input would hide the checks of the target.
        let is_left = match self.options.how.repair {
            Repair::AllBut(number) => number > 0 && digest(input).is_multiple_of(number.into()),
            _ => false,
        };
        if is_left || !self.options.post_repair {
            return input;
        }
        self.right = self.forge.set_right(input, self.options.how.repair);
        let fits = !self.right.is_empty() && self.right.len() <= self.options.how.max_len.max(input.len());
        if fits { &self.right } else { input }
    }

    /// Starts to trim an input; returns the number of candidates.
    pub fn begin_trimming(&mut self, input: &[u8]) -> i32 {
        let trimming = Trimming::new(input);
        self.candidates = self.forge.trims(&trimming);
        self.trimming = Some(trimming);
        i32::try_from(self.candidates).unwrap_or(i32::MAX)
    }

    /// Returns the next candidate, or the unchanged input if there is none.
    pub fn trim(&mut self) -> &[u8] {
        let Some(trimming) = &mut self.trimming else { return &self.out };
        match self.forge.trim(trimming) {
            Some(smaller) => self.out = smaller,
            // The engine will report that this candidate retained the property, so without an end here, trimming would never stop.
            None => self.out = self.trimming.take().map(|done| done.file().to_vec()).unwrap_or_default(),
        }
        &self.out
    }

    /// Continues with the last candidate if it retained the property; returns the number of finished candidates.
    pub fn go_on_trimming(&mut self, kept: bool) -> i32 {
        let Some(trimming) = &mut self.trimming else { return i32::MAX };
        if kept {
            trimming.keep(self.out.clone());
        }
        let done = self.candidates.saturating_sub(self.forge.trims(trimming));
        i32::try_from(done).unwrap_or(i32::MAX)
    }

    /// The last step of the last recipe.
    pub fn description(&self) -> &CString {
        &self.description
    }
}

/// Returns a hash of some bytes.
fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// Returns a step in a form that is suitable for a file name.
fn described(step: &str) -> CString {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let name: String =
        step.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).take(LONGEST_DESCRIPTION).collect();
    CString::new(name).unwrap_or_default()
}

/// A mutant for callers without a handle; `None` if the kind does not exist.
pub fn mutant(kind: Option<&str>, input: &[u8], max: usize, seed: u64, repair: u32) -> Option<Vec<u8>> {
    thread_local! {
        /// The forges of a thread, which are kept so that field references are looked up only once.
        static FORGES: RefCell<HashMap<Option<Kind>, Forge>> = RefCell::default();
    }
    let kind = kind.map(|name| Kind::named(name).ok_or(())).transpose().ok()?;
    let how = Mutation { repair: repair_of(repair), max_len: max, ..Mutation::default() };
    FORGES.with_borrow_mut(|forges| {
        let made = || kind.into_iter().fold(Forge::new(0), Forge::of_kind);
        let forge = forges.entry(kind).or_insert_with(made);
        forge.reseed(seed);
        Some(forge.mutant(input, &how).bytes)
    })
}

/// The maximum size of a generated file, even if the caller has more room.
const LARGEST: usize = 16 << 20;

/// A valid file of at most `max` bytes; `None` if the kind does not exist, or if no file is that short.
pub fn valid(kind: &str, max: usize, seed: u64) -> Option<Vec<u8>> {
    let (kind, mut forge) = (Kind::named(kind)?, Forge::new(seed).size(max.min(LARGEST)));
    // The caller requests a single file, not a directory of several.
    let mut files = iter::repeat_with(|| forge.valid(kind)).filter(|made| made.others.is_empty());
    files.next().map(|made| made.bytes).filter(|file| file.len() <= max)
}

/// A file of at most `max` bytes that violates a rule; `None` if the rule does not exist, or if no file is that short.
pub fn broken(rule: &str, max: usize, seed: u64) -> Option<Vec<u8>> {
    let rule = ndbytes::rules().find(|known| known.id == rule)?;
    let made = Forge::new(seed).size(max.min(LARGEST)).broken(rule)?;
    (made.others.is_empty() && made.bytes.len() <= max).then_some(made.bytes)
}
