//! Files that break one rule.

use super::forged::Forged;
use super::origin::Origin;
use super::recipe::Recipe;
use super::register::breakers;
use super::seeded::{Forge, begun};
use super::verdict::Judged;
use super::whole::{Content, Whole};
use everybyte::forge::{Recipe as Steps, replay_with};
use ndbytes::{Rule, Scope};

/// The number of files that a breaker is tried on.
const TRIES: u64 = 64;

/// The rules about what is not in the bytes of a file: links, earlier states, names, other files.
const OF_NO_BYTES: [&str; 6] =
    ["b2nd/linked-file", "changed", "misnamed", "idx/name-mismatch", "idx/pair-length", "gzip/name-mismatch"];

impl Forge {
    /// Returns whether bytes alone can break a rule. [`Forge::broken`] finds nothing for the others.
    pub fn can_break(rule: &Rule) -> bool {
        !OF_NO_BYTES.contains(&rule.id) && rule.scope != Scope::Contract
    }

    /// A file that breaks a rule and no other, but for those of [`NEVER_ALONE`](super::NEVER_ALONE): the checker has seen it.
    /// `None` if none was found.
    pub fn broken(&mut self, rule: &Rule) -> Option<Forged> {
        self.broken_by_breaker(rule).or_else(|| self.broken_by_search(rule))
    }

    /// The first file of a breaker that is found to break the rule.
    fn broken_by_breaker(&mut self, rule: &Rule) -> Option<Forged> {
        for (kind, breaker) in breakers(rule.id) {
            for _ in 0..TRIES {
                let origin = Origin::Base { rule: breaker.rule, seed: self.choices.any() };
                let Some(whole) = origin.make(kind) else { continue };
                let Ok(steps) = breaker.steps.parse::<Steps>() else { continue };
                let Ok((bytes, steps)) = replay_with(kind.craft(), &whole.bytes, &steps, &mut self.choices) else {
                    continue;
                };
                let judged = Judged { bytes: &bytes, others: &whole.others, memory: breaker.memory };
                if judged.breaks_alone(rule) {
                    let whole = Whole { bytes, content: Content::Unknown, ..whole };
                    let (expected, memory) = (Some(breaker.rule), breaker.memory);
                    let recipe = Recipe { steps, expected, memory, ..begun(Some(kind), origin) };
                    return Some(Forged::new(whole, recipe));
                }
            }
        }
        None
    }
}
