//! The search for a file that breaks a rule without a breaker.

use super::forged::Forged;
use super::kind::Kind;
use super::recipe::Recipe;
use super::seeded::Forge;
use super::verdict::Judged;
use everybyte::forge::{Mutation, Repair};
use ndbytes::Rule;

/// The number of mutants that are tried.
const SEARCHED: u64 = 4096;

impl Forge {
    /// Mutants with a single change, until one breaks the rule.
    pub(super) fn broken_by_search(&mut self, rule: &Rule) -> Option<Forged> {
        let kind = Kind::of_rule(rule)?;
        let how = Mutation { count: 1..=1, repair: Repair::Nothing, max_len: self.size, ..Mutation::default() };
        for _ in 0..SEARCHED {
            let valid = self.valid(kind);
            let found = self.mutate_again(&valid, &how);
            let judged = Judged { bytes: &found.bytes, others: &found.others, memory: None };
            if judged.breaks_alone(rule) {
                let recipe = Recipe { expected: Some(rule.id), ..found.recipe };
                return Some(Forged { recipe, ..found });
            }
        }
        None
    }
}
