//! Mutators for fuzz targets of cargo-fuzz, and for engines in C that ask like libFuzzer.

use super::kind::Kind;
use super::schedule::{Schedule, Way};
use super::seeded::Forge;
use everybyte::forge::{Mutation, Plain, Repair};
use std::cell::RefCell;

thread_local! {
    static BENCH: RefCell<Bench> = RefCell::new(Bench::new(Forge::new(0), Mutation::default(), true));
}

/// The forge of a target, what it did last, and what that found.
#[doc(hidden)]
pub struct Bench {
    /// It keeps the map of `base`.
    forge: Forge,
    how: Mutation,
    /// `None` for a fixed share of the engine's own mutations: one in four.
    schedule: Option<Schedule>,
    /// The input that the last mutant was made of.
    base: Vec<u8>,
    /// The last mutant.
    made: Vec<u8>,
}

/// Makes a fuzz target of cargo-fuzz mutate its inputs along their fields, and cross them. Inputs are of one [`Kind`],
/// or without an argument of the kind that their content has. A share of the mutants is libFuzzer's own: it grows while these find
/// more than those along the fields.
///
/// ```ignore
/// #![no_main]
///
/// libfuzzer_sys::fuzz_target!(|file: &[u8]| my_reader(file));
/// ndbytes_forge::fuzz_mutator!(ndbytes_forge::Kind::B2nd);
/// ```
#[macro_export]
macro_rules! fuzz_mutator {
    ($($kind:expr)?) => {
        ::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            let kind = [$($kind)?].first().copied();
            $crate::mutate_input(kind, data, size, max_size, seed, ::libfuzzer_sys::fuzzer_mutate)
        });
        ::libfuzzer_sys::fuzz_crossover!(|one: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
            let kind = [$($kind)?].first().copied();
            $crate::cross_inputs(kind, one, other, out, seed)
        });
    };
}

/// Once in so many times, inputs are crossed along their fields without a schedule; else libFuzzer does it.
const CROSSED: u32 = 4;

/// libFuzzer mutates each mutant again, up to five times. Once in so many times it is indeed the mutant that is mutated
/// again. Else it is the input before it, whose map is there: mapping a file takes more time than changing it.
const CHAINED: u32 = 4;

/// The longest buffer for libFuzzer's own mutator beyond twice the input.
const ROOM: usize = 1 << 16;

/// The ways to make a mutant of one input.
const OF_ONE: [Way; 3] = [Way::Plain, Way::Fields, Way::Mended];

/// The ways to make a mutant of two inputs, and of one.
const OF_TWO: [Way; 4] = [Way::Plain, Way::Fields, Way::Mended, Way::Crossed];

/// Mutates an input of libFuzzer in place; the number of its bytes. [`fuzz_mutator`] calls it.
#[doc(hidden)]
pub fn mutate_input(kind: Option<Kind>, data: &mut [u8], size: usize, max: usize, seed: u32, plain: Plain) -> usize {
    BENCH.with_borrow_mut(|bench| {
        bench.forge.kind = kind;
        let max = max.min(data.len());
        let input = &data[..size.min(data.len())];
        bench.mutate(input, max, seed, Some(plain));
        put(&bench.made, data).unwrap_or(size)
    })
}

/// Puts a part of an input into another one; 0 to leave that to libFuzzer. [`fuzz_mutator`] calls it.
#[doc(hidden)]
pub fn cross_inputs(kind: Option<Kind>, one: &[u8], other: &[u8], out: &mut [u8], seed: u32) -> usize {
    BENCH.with_borrow_mut(|bench| {
        bench.forge.kind = kind;
        let made = bench.cross(one, other, out.len(), seed);
        made.and_then(|made| put(made, out)).unwrap_or(0)
    })
}

impl Bench {
    /// The forge of a target. Without a schedule, one mutant in four is the engine's own.
    pub fn new(forge: Forge, how: Mutation, is_scheduled: bool) -> Self {
        let schedule = is_scheduled.then(Schedule::new);
        Bench { forge, how, schedule, base: Vec::new(), made: Vec::new() }
    }

    /// A mutant of an input, of at most `max` bytes.
    pub fn mutate(&mut self, input: &[u8], max: usize, seed: u32, plain: Option<Plain>) -> &[u8] {
        self.forge.reseed(seed.into());
        let is_mutant = self.note(input);
        let way = match (&self.schedule, plain) {
            (Some(schedule), Some(_)) => Some(schedule.way(&OF_ONE, &mut self.forge.choices)),
            _ => None,
        };
        let mut how = Mutation { max_len: max, plain, ..self.how.clone() };
        match (way, plain) {
            (Some(Way::Plain), Some(plain)) => {
                let room = max.min(input.len().saturating_mul(2).saturating_add(ROOM));
                let mut bytes = vec![0; room.max(input.len())];
                bytes[..input.len()].copy_from_slice(input);
                let used = plain(&mut bytes, input.len().min(room), room).min(room);
                bytes.truncate(used);
                self.made = bytes;
            }
            (way, _) => {
                if !is_mutant || (seed / CROSSED).is_multiple_of(CHAINED) {
                    input.clone_into(&mut self.base);
                }
                if let Some(way) = way {
                    how.plain = None;
                    how.repair = if way == Way::Mended { Repair::Everything } else { how.repair };
                }
                self.made = self.forge.mutant(&self.base, &how).bytes;
            }
        }
        if let (Some(way), Some(schedule)) = (way, &mut self.schedule) {
            schedule.made(way, &self.made);
        }
        &self.made
    }

    /// A mutant of an input with a part of another one, of at most `max` bytes; `None` to leave that to the engine.
    pub fn cross(&mut self, one: &[u8], other: &[u8], max: usize, seed: u32) -> Option<&[u8]> {
        self.forge.reseed(seed.into());
        let is_mutant = self.note(one);
        let is_asked = match &self.schedule {
            Some(schedule) => schedule.way(&OF_TWO, &mut self.forge.choices) == Way::Crossed,
            None => seed.is_multiple_of(CROSSED),
        };
        if !is_asked {
            return None;
        }
        if !is_mutant || (seed / CROSSED).is_multiple_of(CHAINED) {
            one.clone_into(&mut self.base);
        }
        let how = Mutation { max_len: max, plain: None, ..self.how.clone() };
        self.made = self.forge.crossed(&self.base, other, &how).bytes;
        if let Some(schedule) = &mut self.schedule {
            schedule.made(Way::Crossed, &self.made);
        }
        Some(&self.made)
    }

    /// Notes an input; returns whether it is the last mutant, which no engine has chosen.
    fn note(&mut self, input: &[u8]) -> bool {
        let is_mutant = self.made == input;
        if let Some(schedule) = self.schedule.as_mut().filter(|_| !is_mutant) {
            schedule.chosen(input);
        }
        is_mutant
    }
}

/// Copies what was made to the place of an input; `None` if it does not fit.
fn put(made: &[u8], place: &mut [u8]) -> Option<usize> {
    place.get_mut(..made.len()).filter(|_| !made.is_empty())?.copy_from_slice(made);
    Some(made.len())
}
