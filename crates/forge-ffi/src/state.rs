//! The state of one fuzzer: its forge, and what it made last.

use crate::options::{Options, repair_of};
use ndbytes_forge::{Beside, Forge, Kind, Mutation, Repair, Trimming};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CString;
use std::hash::{DefaultHasher, Hasher};
use std::iter;

/// The maximum number of letters of a description: it becomes a part of a file's name.
const LONGEST_DESCRIPTION: usize = 64;

/// A fuzzer's handle.
pub struct State {
    forge: Forge,
    options: Options,
    beside: Beside,
    out: Vec<u8>,
    /// The last input that was set right. An engine has it together with the mutant that it is made of.
    right: Vec<u8>,
    description: CString,
    trimming: Option<Trimming>,
    /// The number of candidates when trimming began.
    candidates: usize,
}

impl State {
    pub fn new(seed: u64, options: Options) -> Self {
        State {
            forge: options.forge(seed),
            beside: Beside::new(options.how.clone(), !options.is_unscheduled),
            options,
            out: Vec::new(),
            right: Vec::new(),
            description: CString::default(),
            trimming: None,
            candidates: 0,
        }
    }

    /// A mutant of an input, of at most `max` bytes; with a part of another input now and then.
    pub fn mutate(&mut self, input: &[u8], other: &[u8], max: usize) -> &[u8] {
        self.options.how.max_len = max;
        let mutant = self.beside.mutate(&mut self.forge, input, other, max);
        let last = mutant.recipe.steps.last().map(ToString::to_string).unwrap_or_default();
        self.description = described(&last);
        self.out = mutant.bytes;
        // An engine takes an empty result for a failure.
        if self.out.is_empty() {
            self.out.extend(input.iter().take(max));
        }
        &self.out
    }

    /// Notes an input that the engine keeps, since it found something.
    pub fn found(&mut self, input: &[u8]) {
        self.beside.found(input);
    }

    /// An input as it is run: set right if the options say so, and the input itself otherwise. The same input gives the same
    /// bytes, or the engine would call the target unstable.
    pub fn post_process<'a>(&'a mut self, input: &'a [u8]) -> &'a [u8] {
        // Mending every input would hide the checks of the target.
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

    /// Begins to make an input smaller; the number of candidates.
    pub fn begin_trimming(&mut self, input: &[u8]) -> i32 {
        let trimming = Trimming::new(input);
        self.candidates = self.forge.trims(&trimming);
        self.trimming = Some(trimming);
        i32::try_from(self.candidates).unwrap_or(i32::MAX)
    }

    /// The next candidate; the input as it is if there is none.
    pub fn trim(&mut self) -> &[u8] {
        let Some(trimming) = &mut self.trimming else { return &self.out };
        match self.forge.trim(trimming) {
            Some(smaller) => self.out = smaller,
            // The engine will say that this kept what matters: without an end here, it would ask for ever.
            None => self.out = self.trimming.take().map(|done| done.file().to_vec()).unwrap_or_default(),
        }
        &self.out
    }

    /// Goes on with the last candidate if it kept what matters; the number of candidates that are done with.
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

/// A number that follows from bytes.
fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// A step as a part of a file's name.
fn described(step: &str) -> CString {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let name: String =
        step.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).take(LONGEST_DESCRIPTION).collect();
    CString::new(name).unwrap_or_default()
}

/// A mutant for callers without a handle; `None` if there is no such kind.
pub fn mutant(kind: Option<&str>, input: &[u8], max: usize, seed: u64, repair: u32) -> Option<Vec<u8>> {
    thread_local! {
        /// The forges of a thread: field references are looked up once for all calls.
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

/// The size of a file that is made for a caller with more room.
const LARGEST: usize = 16 << 20;

/// A valid file of at most `max` bytes; `None` if there is no such kind, or if no file is that short.
pub fn valid(kind: &str, max: usize, seed: u64) -> Option<Vec<u8>> {
    let (kind, mut forge) = (Kind::named(kind)?, Forge::new(seed).size(max.min(LARGEST)));
    // A folder of several files is not what the caller asks for.
    let mut files = iter::repeat_with(|| forge.valid(kind)).filter(|made| made.others.is_empty());
    files.next().map(|made| made.bytes).filter(|file| file.len() <= max)
}

/// A file of at most `max` bytes that breaks a rule; `None` if there is no such rule, or if no file is that short.
pub fn broken(rule: &str, max: usize, seed: u64) -> Option<Vec<u8>> {
    let rule = ndbytes::rules().find(|known| known.id == rule)?;
    let made = Forge::new(seed).size(max.min(LARGEST)).broken(rule)?;
    (made.others.is_empty() && made.bytes.len() <= max).then_some(made.bytes)
}
