//! Mutants for a fuzzer that makes some of its own besides, and that says which ones found something: AFL++.

use super::schedule::{Schedule, Way};
use super::seeded::Forge;
use everybyte::forge::{Mutant, Mutation, Repair};

/// Once in so many times, a part of another input goes into a mutant without a schedule, where there is another input.
const CROSSED: u64 = 4;

/// How the mutants of a fuzzer are made, and what each way has found.
#[doc(hidden)]
pub struct Beside {
    how: Mutation,
    /// `None` for a fixed share of crossed inputs, and nothing mended beyond what is asked for.
    schedule: Option<Schedule>,
    /// The number of mutants that were made.
    made: u64,
}

impl Beside {
    /// Mutants that are made so. A schedule chooses between the ways by what each has found.
    pub fn new(how: Mutation, is_scheduled: bool) -> Self {
        Beside { how, schedule: is_scheduled.then(Schedule::new), made: 0 }
    }

    /// A mutant of an input, of at most `max` bytes; with a part of another input now and then, if there is one.
    pub fn mutate(&mut self, forge: &mut Forge, input: &[u8], other: &[u8], max: usize) -> Mutant {
        self.made += 1;
        let way = self.way(forge, !other.is_empty());
        let mut how = Mutation { max_len: max, ..self.how.clone() };
        if way == Way::Mended {
            how.repair = Repair::Everything;
        }
        let mutant = match way {
            Way::Crossed => forge.crossed(input, other, &how),
            _ => forge.mutant(input, &how),
        };
        if let Some(schedule) = &mut self.schedule {
            schedule.made(way, &mutant.bytes);
        }
        mutant
    }

    /// Notes an input that the fuzzer keeps: it found something.
    pub fn found(&mut self, input: &[u8]) {
        if let Some(schedule) = &mut self.schedule {
            schedule.chosen(input);
        }
    }

    fn way(&self, forge: &mut Forge, has_other: bool) -> Way {
        let Some(schedule) = &self.schedule else {
            return if has_other && self.made.is_multiple_of(CROSSED) { Way::Crossed } else { Way::Fields };
        };
        // Who asks for certain roles, for all or for none gets that alone.
        let is_choice = matches!(self.how.repair, Repair::AllBut(_));
        let ways = [(Way::Fields, true), (Way::Mended, is_choice), (Way::Crossed, has_other)];
        let ways: Vec<Way> = ways.into_iter().filter_map(|(way, is_there)| is_there.then_some(way)).collect();
        schedule.way(&ways, &mut forge.choices)
    }
}

#[cfg(test)]
mod tests {
    use super::Beside;
    use crate::{Forge, Kind, Mutation, Repair};

    #[test]
    fn a_way_is_chosen_more_often_if_the_fuzzer_keeps_its_mutants() {
        let mut forge = Forge::new(1).of_kind(Kind::Idx);
        let (one, other) = (forge.valid(Kind::Idx).bytes, forge.valid(Kind::Idx).bytes);
        let mut beside = Beside::new(Mutation::default(), true);
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
        let mut beside = Beside::new(Mutation { repair: Repair::Nothing, ..Mutation::default() }, true);
        for _ in 0..200 {
            let recipe = beside.mutate(&mut forge, &file, &[], 4096).recipe.to_string();
            assert!(!recipe.contains("repair everything"), "{recipe}");
        }
    }
}
