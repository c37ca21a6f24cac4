//! A custom mutator for AFL++. AFL++ also runs its own mutations, and reports which mutants found new coverage.

use super::schedule::{Schedule, Strategy};
use super::seeded::Forge;
use everybyte::forge::{Mutant, Mutation, Repair};

/// Without a schedule, one in this many mutants gets a part of another input, if there is one.
const CROSSED: u64 = 4;

/// Makes the mutants of a fuzzer and records what each strategy has found.
#[doc(hidden)]
pub struct CustomMutator {
    how: Mutation,
    /// The schedule; `None` to cross a fixed share of the inputs and to recompute only the requested roles.
    schedule: Option<Schedule>,
    /// The number of mutants that were made.
    made: u64,
}

impl CustomMutator {
    /// Creates mutants in this way. A schedule selects strategies by what each has found.
    pub fn new(how: Mutation, is_scheduled: bool) -> Self {
        CustomMutator { how, schedule: is_scheduled.then(Schedule::new), made: 0 }
    }

    /// Makes a mutant of an input, of at most `max` bytes, sometimes with a part of another input, if there is one.
    pub fn mutate(&mut self, forge: &mut Forge, input: &[u8], other: &[u8], max: usize) -> Mutant {
        self.made += 1;
        let way = self.way(forge, !other.is_empty());
        let mut how = Mutation { max_len: max, ..self.how.clone() };
        if way == Strategy::Mended {
            how.repair = Repair::Everything;
        }
        let mutant = match way {
            Strategy::Crossed => forge.crossed(input, other, &how),
            _ => forge.mutant(input, &how),
        };
        if let Some(schedule) = &mut self.schedule {
            schedule.made(way, &mutant.bytes);
        }
        mutant
    }

    /// Records an input that the fuzzer keeps because it found something.
    pub fn found(&mut self, input: &[u8]) {
        if let Some(schedule) = &mut self.schedule {
            schedule.chosen(input);
        }
    }

    /// Chooses the strategy for the next mutant.
    fn way(&self, forge: &mut Forge, has_other: bool) -> Strategy {
        let Some(schedule) = &self.schedule else {
            return if has_other && self.made.is_multiple_of(CROSSED) { Strategy::Crossed } else { Strategy::Fields };
        };
        // A caller that requests certain roles, all roles or none gets exactly those.
        let is_choice = matches!(self.how.repair, Repair::AllBut(_));
        let ways = [(Strategy::Fields, true), (Strategy::Mended, is_choice), (Strategy::Crossed, has_other)];
        let ways: Vec<Strategy> = ways.into_iter().filter_map(|(way, is_there)| is_there.then_some(way)).collect();
        schedule.way(&ways, &mut forge.choices)
    }
}

#[cfg(test)]
mod tests {
    use super::CustomMutator;
    use crate::{Forge, Kind, Mutation, Repair};

    #[test]
    fn a_way_is_chosen_more_often_if_the_fuzzer_keeps_its_mutants() {
        let mut forge = Forge::new(1).of_kind(Kind::Idx);
        let (one, other) = (forge.valid(Kind::Idx).bytes, forge.valid(Kind::Idx).bytes);
        let mut beside = CustomMutator::new(Mutation::default(), true);
        let (mut at_first, mut at_last) = (0, 0);
        for number in 0..2000 {
            let mutant = beside.mutate(&mut forge, &one, &other, 4096);
            if mutant.recipe.to_string().contains("repair everything") {
                at_first += u32::from(number < 100);
                at_last += u32::from(number >= 1900);
                beside.found(&mutant.bytes);
            }
        }
        assert!(at_first < at_last && at_last > 75, "{at_first} and {at_last} of 100");
    }

    #[test]
    fn nothing_else_is_mended_where_a_repair_is_asked_for() {
        let mut forge = Forge::new(1).of_kind(Kind::RawArray);
        let file = forge.valid(Kind::RawArray).bytes;
        let mut beside = CustomMutator::new(Mutation { repair: Repair::Nothing, ..Mutation::default() }, true);
        for _ in 0..200 {
            let recipe = beside.mutate(&mut forge, &file, &[], 4096).recipe.to_string();
            assert!(!recipe.contains("repair everything"), "{recipe}");
        }
    }
}
