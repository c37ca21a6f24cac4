//! The craft of each kind of file.

use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};

/// A kind of file: its grammar, whole valid files of it, and how its rules are broken.
pub(crate) trait Craft: Grammar + Sync {
    /// A whole valid file of about `size` bytes at most, which breaks no rule in profile strict. Every request gives one.
    fn valid(&self, choices: &mut Choices<'_>, size: usize) -> Whole;

    /// The breakers of the rules whose ids begin with the name of the kind.
    fn breakers(&self) -> &'static [Breaker];
}

/// How a rule is broken: a file, and the steps that break it.
pub(crate) struct Breaker {
    /// The id of the rule.
    pub rule: &'static str,
    /// Makes a file that suits the steps; `None` if these choices do not lead to one.
    pub from: fn(&mut Choices<'_>) -> Option<Whole>,
    /// The lines of a recipe; empty if the file itself breaks the rule. `?` in a path is any index that there is.
    pub steps: &'static str,
    /// The memory that the check may take, in bytes; `None` for the default.
    pub memory: Option<u64>,
}

impl Breaker {
    pub const fn new(rule: &'static str, from: fn(&mut Choices<'_>) -> Option<Whole>, steps: &'static str) -> Self {
        Breaker { rule, from, steps, memory: None }
    }
}
