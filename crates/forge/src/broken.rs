//! Creates files that break one rule.
//!
//! Every rule about bytes can be broken. Most rules have breakers; for the rest, mutants of valid files are searched.
//! Either way, the checker decides: a file that also breaks another rule is not returned.

use super::forged::Forged;
use super::forged_file::{Content, ForgedFile};
use super::origin::Origin;
use super::recipe::Recipe;
use super::register::breakers;
use super::seeded::{Forge, begun};
use super::verdict::Judged;
use everybyte::forge::{Recipe as Steps, replay_with};
use ndbytes::{Rule, Scope};

/// The number of files that a breaker is tried on.
const TRIES: u64 = 64;

/// The rules that are not about the bytes of a file but about links, earlier states, names or other files.
const OF_NO_BYTES: [&str; 6] =
    ["b2nd/linked-file", "changed", "misnamed", "idx/name-mismatch", "idx/pair-length", "gzip/name-mismatch"];

impl Forge {
    /// Returns whether bytes alone can violate a rule. For other rules, [`Forge::broken`] finds nothing.
    pub fn can_break(rule: &Rule) -> bool {
        !OF_NO_BYTES.contains(&rule.id) && rule.scope != Scope::Contract
    }

    /// A file that violates a rule and, as verified by the checker, no others except those in [`NEVER_ALONE`](super::NEVER_ALONE). `None`
    /// if none was found.
    ///
    /// ```
    /// use ndbytes::idx::TRUNCATED_PAYLOAD;
    /// use ndbytes_forge::Forge;
    ///
    /// let file = Forge::new(3).broken(&TRUNCATED_PAYLOAD).expect("bytes alone can break it");
    /// let report = ndbytes::Checker::new().check_slice(&file.bytes)?;
    /// assert_eq!(report.findings()[0].rule.id, "idx/truncated-payload");
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    pub fn broken(&mut self, rule: &Rule) -> Option<Forged> {
        self.broken_by_breaker(rule).or_else(|| self.broken_by_search(rule))
    }

    /// Returns the first file from a breaker that is verified to break the rule.
    fn broken_by_breaker(&mut self, rule: &Rule) -> Option<Forged> {
        for (kind, breaker) in breakers(rule.id) {
            for _ in 0..TRIES {
                let origin = Origin::Base { rule: breaker.rule, seed: self.choices.any() };
                let Some(whole) = origin.make(kind) else { continue };
                let Ok(steps) = breaker.steps.parse::<Steps>() else { continue };
                let Ok((bytes, steps)) = replay_with(kind.driver(), &whole.bytes, &steps, &mut self.choices) else {
                    continue;
                };
                let judged = Judged { bytes: &bytes, others: &whole.others, memory: breaker.memory };
                if judged.breaks_alone(rule) {
                    let whole = ForgedFile { bytes, content: Content::Unknown, ..whole };
                    let (expected, memory) = (Some(breaker.rule), breaker.memory);
                    let recipe = Recipe { steps, expected, memory, ..begun(Some(kind), origin) };
                    return Some(Forged::new(whole, recipe));
                }
            }
        }
        None
    }
}
