//! The choice between the engine's own mutations and those along the fields, by what each has found lately.

use everybyte::forge::Choices;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

/// A way to make a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// By the engine's own mutator.
    Plain,
    /// Along the fields, with a few dependents left wrong.
    Fields,
    /// Along the fields, with everything mended.
    Mended,
    /// With a part of another input.
    Crossed,
}

const WAYS: [Way; 4] = [Way::Plain, Way::Fields, Way::Mended, Way::Crossed];

/// The mutants after which old gains count half.
const WINDOW: u32 = 4096;

/// The mutants that are known again, at least.
const KNOWN: usize = 1 << 15;

/// The gains that each way has to begin with, per mutant: a way is judged only after it was tried.
const BEGINNING: [f64; 2] = [2.0, 256.0];

/// The least share of a way: what finds nothing now may find something later.
const LEAST: f64 = 1.0 / 16.0;

/// Learns which way finds more. An engine tells nobody what a mutant found, but it mutates again what found something. So a mutant
/// that comes back as an input is a gain of the way in which it was made.
#[derive(Debug)]
pub(super) struct Schedule {
    gains: [Gain; WAYS.len()],
    made: u32,
    /// The ways of the last mutants, by a digest of their bytes: those of this generation, and those of the one before.
    young: HashMap<u64, Way>,
    old: HashMap<u64, Way>,
}

/// The mutants of a way, and those of them that came back.
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

    /// Notes an input that the engine has chosen.
    pub fn chosen(&mut self, input: &[u8]) {
        let digest = digest(input);
        if let Some(way) = self.young.remove(&digest).or_else(|| self.old.remove(&digest)) {
            self.gains[way as usize].found += 1.0;
        }
    }

    /// Notes a mutant.
    pub fn made(&mut self, way: Way, mutant: &[u8]) {
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

    /// One of the ways, by their gains.
    pub fn way(&self, ways: &[Way], choices: &mut Choices<'_>) -> Way {
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
    use super::{Schedule, Way};
    use everybyte::forge::Choices;

    #[test]
    fn a_way_whose_mutants_come_back_is_chosen_more_often() {
        let mut schedule = Schedule::new();
        for number in 0..20_000_u32 {
            let way = if number % 2 == 0 { Way::Plain } else { Way::Mended };
            schedule.made(way, &number.to_le_bytes());
            if way == Way::Mended && number % 8 == 1 {
                schedule.chosen(&number.to_le_bytes());
            }
        }
        let mut choices = Choices::seeded(1);
        let ways = [Way::Plain, Way::Mended];
        let mended = (0..1000).filter(|_| schedule.way(&ways, &mut choices) == Way::Mended).count();
        assert!((850..=960).contains(&mended), "{mended}");
    }

    #[test]
    fn an_input_is_a_gain_once() {
        let mut schedule = Schedule::new();
        schedule.made(Way::Fields, b"mutant");
        let before = schedule.gains[Way::Fields as usize].found;
        schedule.chosen(b"mutant");
        schedule.chosen(b"mutant");
        schedule.chosen(b"another one");
        assert_eq!(schedule.gains[Way::Fields as usize].found, before + 1.0);
    }
}
