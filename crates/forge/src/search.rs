//! Searches for a file that violates a rule, among mutants of valid files or of a given one.
//!
//! A broken file must break one rule and no other, or a test with it proves nothing about that rule. Steps, fields,
//! parts of other broken files and mutants are tried in this order, from cheap and certain to slow and uncertain. The
//! checker judges every candidate. The recipe of the result is minimised.
//!
//! The number of checked bytes is bounded, so a search in a large file ends in seconds, with fewer candidates.

use super::forged::Forged;
use super::forged_file::ForgedFile;
use super::kind::Kind;
use super::map::of_any_element;
use super::origin::Origin;
use super::recipe::Recipe;
use super::register::breakers;
use super::seeded::{Forge, begun};
use super::verdict::{Judged, profile_of};
use everybyte::diff::Pattern;
use everybyte::forge::{Mutant, Mutation, Recipe as Steps, Repair, replay_with};
use ndbytes::{Finding, Rule};
use std::collections::BTreeSet;

/// The number of mutants that are tried.
const SEARCHED: u64 = 4096;

/// The number of mutants of a file to try for each field and each repair.
const OF_FIELD: u64 = 256;

/// The number of broken files to try parts of, and the number of parts of each, for each repair.
const EXAMPLES: u64 = 4;
const OF_EXAMPLE: u64 = 128;

/// The number of times to try the steps of a breaker on a file, since their indices are random.
const TRIES: u64 = 8;

/// The maximum number of bytes to check during a search in a file. Large files get fewer mutants.
const MOST_CHECKED: u64 = 256 << 20;

impl Forge {
    /// Tries mutants with a single change, until one breaks the rule.
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

    /// A file that violates a rule, made from a given one. It violates no further rules, except those in
    /// [`NEVER_ALONE`](super::NEVER_ALONE). [`Recipe::replay`] applies the steps of its recipe to the same file.
    ///
    /// `None` if no way was found, since not every file has the fields that a rule is about. `name` is the file name
    /// for the recipe.
    ///
    /// ```
    /// use ndbytes::idx;
    /// use ndbytes_forge::Forge;
    ///
    /// let file = [0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3];
    /// let broken = Forge::new(0).broken_in(&idx::TRUNCATED_PAYLOAD, "three.idx", &file).unwrap();
    /// assert!(broken.bytes.len() < file.len() || broken.bytes[7] > 3);
    /// assert_eq!(broken.recipe.replay(Some(&file))?.bytes, broken.bytes);
    /// # Ok::<(), ndbytes_forge::RecipeError>(())
    /// ```
    pub fn broken_in(&mut self, rule: &Rule, name: &str, file: &[u8]) -> Option<Forged> {
        let before = Judged { bytes: file, others: &[], memory: None }.broken_rules(profile_of(rule));
        if before.contains(rule.id) || !Forge::can_break(rule) {
            return None;
        }
        let mut search = Search { rule, name, file, before, left: MOST_CHECKED };
        let found = search
            .by_steps(self)
            .or_else(|| search.by_fields(self))
            .or_else(|| search.by_crossing(self))
            .or_else(|| search.by_mutants(self, None, SEARCHED / 2))?;
        Some(search.minimised(found))
    }
}

/// The search for the steps that break a rule in a file.
struct Search<'s> {
    rule: &'s Rule,
    name: &'s str,
    file: &'s [u8],
    /// The rules that the file breaks before the search.
    before: BTreeSet<&'static str>,
    /// The number of bytes that may still be checked.
    left: u64,
}

impl Search<'_> {
    fn is_broken(&mut self, bytes: &[u8]) -> bool {
        self.left = self.left.saturating_sub(bytes.len() as u64 + 1);
        Judged { bytes, others: &[], memory: None }.breaks_beside(self.rule, &self.before)
    }

    fn forged(&self, kind: Option<Kind>, bytes: Vec<u8>, steps: Steps) -> Forged {
        let origin = Origin::of_file(self.name, self.file);
        let recipe = Recipe { steps, expected: Some(self.rule.id), ..begun(kind, origin) };
        Forged::new(ForgedFile::unknown(bytes), recipe)
    }

    /// Tries the steps of the rule's own breakers.
    fn by_steps(&mut self, forge: &mut Forge) -> Option<Forged> {
        let kind = forge.kind_of(self.file)?;
        for (_, breaker) in breakers(self.rule.id).filter(|(of, breaker)| *of == kind && !breaker.steps.is_empty()) {
            let Ok(steps) = breaker.steps.parse::<Steps>() else { continue };
            for _ in 0..TRIES {
                let made = replay_with(kind.driver(), self.file, &steps, &mut forge.choices);
                if let Ok((bytes, steps)) = made
                    && self.is_broken(&bytes)
                {
                    return Some(self.forged(Some(kind), bytes, steps));
                }
            }
        }
        None
    }

    /// Tries changes of the fields that are named in the findings of broken files.
    fn by_fields(&mut self, forge: &mut Forge) -> Option<Forged> {
        let example = forge.broken(self.rule)?;
        let judged = Judged { bytes: &example.bytes, others: &example.others, memory: example.recipe.memory };
        let found = judged.findings(profile_of(self.rule));
        let patterns: BTreeSet<String> = found.iter().filter(|it| it.rule == self.rule).flat_map(patterns).collect();
        let patterns = patterns.iter().filter_map(|pattern| pattern.parse::<Pattern>().ok());
        patterns.into_iter().find_map(|pattern| self.by_mutants(forge, Some(pattern), OF_FIELD))
    }

    /// Tries parts of broken files in place of parts of this file.
    fn by_crossing(&mut self, forge: &mut Forge) -> Option<Forged> {
        for _ in 0..EXAMPLES {
            let example = forge.broken(self.rule).filter(|example| example.others.is_empty())?;
            let crossed = |forge: &mut Forge, file: &[u8], how: &Mutation| forge.crossed(file, &example.bytes, how);
            let found = self.by_changes(forge, None, OF_EXAMPLE, crossed);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Tries changes of the fields that match a pattern; `None` for any field.
    fn by_mutants(&mut self, forge: &mut Forge, only: Option<Pattern>, count: u64) -> Option<Forged> {
        self.by_changes(forge, only, count, Forge::mutant)
    }

    /// Tries single mutations, half of them with all derived fields recomputed and half with none, until one violates the rule.
    fn by_changes(
        &mut self,
        forge: &mut Forge,
        only: Option<Pattern>,
        count: u64,
        change: impl Fn(&mut Forge, &[u8], &Mutation) -> Mutant,
    ) -> Option<Forged> {
        let max_len = self.file.len().saturating_add(forge.size);
        let mut how = Mutation { count: 1..=1, only, max_len, ..Mutation::default() };
        for repair in [Repair::Everything, Repair::Nothing] {
            how.repair = repair;
            for _ in 0..count {
                if self.left == 0 {
                    return None;
                }
                let Mutant { bytes, recipe, .. } = change(forge, self.file, &how);
                if self.is_broken(&bytes) {
                    return Some(self.forged(forge.kind_of(self.file), bytes, recipe));
                }
            }
        }
        None
    }

    /// The file of the shortest recipe that still breaks the rule.
    fn minimised(&mut self, found: Forged) -> Forged {
        let file = self.file;
        let shorter =
            found.recipe.minimised(|recipe| recipe.replay(Some(file)).is_ok_and(|made| self.is_broken(&made.bytes)));
        shorter.replay(Some(file)).unwrap_or(found)
    }
}

/// Returns patterns for the field of a finding in any list element, and for the enclosing structure.
fn patterns(finding: &Finding) -> Vec<String> {
    let field = of_any_element(&finding.field);
    let around = field.rsplit_once('.').map(|(around, _)| format!("{around}.*"));
    [Some(field), around].into_iter().flatten().filter(|pattern| !pattern.is_empty()).collect()
}
