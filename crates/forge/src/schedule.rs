//! Chooses between the engine's mutations and mutations along the fields, based on the recent finds of each.
//!
//! The best strategy changes over time. Early on, mutations along the fields reach code behind checksums and lengths;
//! later, plain mutations may find more. A fixed share would be wrong most of the time, so shares follow the gains,
//! with a minimum for each strategy. Old gains fade.

use everybyte::forge::Choices;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

/// A way to make a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strategy {
    /// By the engine's own mutator.
    Plain,
    /// Along the fields, with a few derived fields left wrong.
    Fields,
    /// Along the fields, with everything recomputed.
    Mended,
    /// With a part of another input.
    Crossed,
}

const WAYS: [Strategy; 4] = [Strategy::Plain, Strategy::Fields, Strategy::Mended, Strategy::Crossed];

/// The number of mutants after which gains are halved.
const WINDOW: u32 = 4096;

/// The minimum number of recent mutants that are remembered.
const KNOWN: usize = 1 << 15;

/// The initial gains and mutants of each strategy, so that a strategy is judged only after it has been tried.
const BEGINNING: [f64; 2] = [2.0, 256.0];

/// The minimum share of a strategy. One that finds nothing now may find something later.
const LEAST: f64 = 1.0 / 16.0;

/// Learns which strategy finds more. An engine does not report what a mutant found, but it reuses mutants that found
/// something as inputs. So a mutant that comes back as an input is a gain for its strategy.
#[derive(Debug)]
pub(super) struct Schedule {
    gains: [Gain; WAYS.len()],
    made: u32,
    /// The strategies of the last mutants, by a digest of their bytes: the current generation, and the previous one.
    young: HashMap<u64, Strategy>,
    old: HashMap<u64, Strategy>,
}

/// The number of mutants of a strategy, and how many of them came back.
#[derive(Debug, Clone, Copy)]
struct Gain {
    found: f64,
    made: f64,
}

impl Schedule {
    pub fn new() -> Self {
        let [found, made] = BEGINNING;
        Schedule { gains: [Gain { found, made }; WAYS.len()], made: 0, young: HashMap::new(), old: HashMap::new() }
    }

    /// Records an input that the engine has chosen.
    pub fn chosen(&mut self, input: &[u8]) {
        let digest = digest(input);
        if let Some(way) = self.young.remove(&digest).or_else(|| self.old.remove(&digest)) {
            self.gains[way as usize].found += 1.0;
        }
    }

    /// Records a mutant.
    pub fn made(&mut self, way: Strategy, mutant: &[u8]) {
        if self.young.len() >= KNOWN {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(digest(mutant), way);
        self.gains[way as usize].made += 1.0;
        self.made += 1;
        if self.made.is_multiple_of(WINDOW) {
            let [found, made] = BEGINNING;
            for gain in &mut self.gains {
                *gain = Gain { found: gain.found / 2.0 + found / 4.0, made: gain.made / 2.0 + made / 4.0 };
            }
        }
    }

    /// Chooses one of the strategies, weighted by their gains.
    pub fn way(&self, ways: &[Strategy], choices: &mut Choices<'_>) -> Strategy {
        let rates = ways.iter().map(|&way| self.gains[way as usize].found / self.gains[way as usize].made);
        let all: f64 = rates.clone().sum();
        let shares = rates.map(|rate| (rate / all).max(LEAST));
        let mut left = choices.below(1 << 32) as f64 / (1_u64 << 32) as f64 * shares.clone().sum::<f64>();
        for (share, &way) in shares.zip(ways) {
            left -= share;
            if left < 0.0 {
                return way;
            }
        }
        ways[0]
    }
}

fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{Schedule, Strategy};
    use everybyte::forge::Choices;

    #[test]
    fn a_way_whose_mutants_come_back_is_chosen_more_often() {
        let mut schedule = Schedule::new();
        for number in 0..20_000_u32 {
            let way = if number % 2 == 0 { Strategy::Plain } else { Strategy::Mended };
            schedule.made(way, &number.to_le_bytes());
            if way == Strategy::Mended && number % 8 == 1 {
                schedule.chosen(&number.to_le_bytes());
            }
        }
        let mut choices = Choices::seeded(1);
        let ways = [Strategy::Plain, Strategy::Mended];
        let mended = (0..1000).filter(|_| schedule.way(&ways, &mut choices) == Strategy::Mended).count();
        assert!((850..=960).contains(&mended), "{mended}");
    }

    #[test]
    fn an_input_is_a_gain_once() {
        let mut schedule = Schedule::new();
        schedule.made(Strategy::Fields, b"mutant");
        let before = schedule.gains[Strategy::Fields as usize].found;
        schedule.chosen(b"mutant");
        schedule.chosen(b"mutant");
        schedule.chosen(b"another one");
        assert_eq!(schedule.gains[Strategy::Fields as usize].found, before + 1.0);
    }
}
