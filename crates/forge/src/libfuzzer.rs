//! Mutators for cargo-fuzz targets, and for engines in C with libFuzzer's interface.
//!
//! libFuzzer calls the mutator once for each input that it is about to run, thousands of times per second. It does not
//! report what a mutant found. But a mutant that comes back as an input must have found something, so the [`Schedule`]
//! learns from that.

use super::kind::Kind;
use super::schedule::{Schedule, Strategy};
use super::seeded::Forge;
use everybyte::forge::{Mutation, Plain, Repair};
use std::cell::RefCell;

thread_local! {
    static BENCH: RefCell<Bench> = RefCell::new(Bench::new(Forge::new(0), Mutation::default(), true));
}

/// The forge of a fuzz target, with its last input and mutant.
#[doc(hidden)]
pub struct Bench {
    /// The forge, which keeps the map of `base`.
    forge: Forge,
    how: Mutation,
    /// The schedule; `None` to leave one mutant in four to the engine.
    schedule: Option<Schedule>,
    /// The input of the last mutant.
    base: Vec<u8>,
    /// The last mutant.
    made: Vec<u8>,
}

/// Makes a cargo-fuzz target mutate its inputs along their fields, and cross them. All inputs have one [`Kind`] or,
/// without an argument, the kind that their content determines. Some of the mutants are libFuzzer's own; their share
/// grows while they find more than the others.
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

/// Without a schedule, one crossover in this many is along the fields; libFuzzer makes the others.
const CROSSED: u32 = 4;

/// libFuzzer mutates each mutant again, up to five times. In one case in this many, the mutant really is mutated again.
/// Otherwise, its predecessor is, because its map is available, and mapping a file takes more time than changing it.
const CHAINED: u32 = 4;

/// The maximum length of the buffer for libFuzzer's own mutator beyond twice the input.
const ROOM: usize = 1 << 16;

/// The strategies for a single input.
const OF_ONE: [Strategy; 3] = [Strategy::Plain, Strategy::Fields, Strategy::Mended];

/// The strategies for two inputs.
const OF_TWO: [Strategy; 4] = [Strategy::Plain, Strategy::Fields, Strategy::Mended, Strategy::Crossed];

/// Mutates an input of libFuzzer in place; returns its new length in bytes. [`fuzz_mutator`] calls it.
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

/// Copies a part of one input into another; returns 0 to leave that to libFuzzer. [`fuzz_mutator`] calls it.
#[doc(hidden)]
pub fn cross_inputs(kind: Option<Kind>, one: &[u8], other: &[u8], out: &mut [u8], seed: u32) -> usize {
    BENCH.with_borrow_mut(|bench| {
        bench.forge.kind = kind;
        let made = bench.cross(one, other, out.len(), seed);
        made.and_then(|made| put(made, out)).unwrap_or(0)
    })
}

impl Bench {
    /// Creates the bench for a target. Without a schedule, one mutant in four is the engine's own.
    pub fn new(forge: Forge, how: Mutation, is_scheduled: bool) -> Self {
        let schedule = is_scheduled.then(Schedule::new);
        Bench { forge, how, schedule, base: Vec::new(), made: Vec::new() }
    }

    /// Makes a mutant of an input, of at most `max` bytes.
    pub fn mutate(&mut self, input: &[u8], max: usize, seed: u32, plain: Option<Plain>) -> &[u8] {
        self.forge.reseed(seed.into());
        let is_mutant = self.note(input);
        let way = match (&self.schedule, plain) {
            (Some(schedule), Some(_)) => Some(schedule.way(&OF_ONE, &mut self.forge.choices)),
            _ => None,
        };
        let mut how = Mutation { max_len: max, plain, ..self.how.clone() };
        match (way, plain) {
            (Some(Strategy::Plain), Some(plain)) => {
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
                    how.repair = if way == Strategy::Mended { Repair::Everything } else { how.repair };
                }
                self.made = self.forge.mutant(&self.base, &how).bytes;
            }
        }
        if let (Some(way), Some(schedule)) = (way, &mut self.schedule) {
            schedule.made(way, &self.made);
        }
        &self.made
    }

    /// A mutant of an input with a part of another, of at most `max` bytes; `None` to leave that to the engine.
    pub fn cross(&mut self, one: &[u8], other: &[u8], max: usize, seed: u32) -> Option<&[u8]> {
        self.forge.reseed(seed.into());
        let is_mutant = self.note(one);
        let is_asked = match &self.schedule {
            Some(schedule) => schedule.way(&OF_TWO, &mut self.forge.choices) == Strategy::Crossed,
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
            schedule.made(Strategy::Crossed, &self.made);
        }
        Some(&self.made)
    }

    /// Records an input; returns whether it is the last mutant, not an input that the engine has chosen.
    fn note(&mut self, input: &[u8]) -> bool {
        let is_mutant = self.made == input;
        if let Some(schedule) = self.schedule.as_mut().filter(|_| !is_mutant) {
            schedule.chosen(input);
        }
        is_mutant
    }
}

/// Copies a result over an input; returns `None` if it does not fit.
fn put(made: &[u8], place: &mut [u8]) -> Option<usize> {
    place.get_mut(..made.len()).filter(|_| !made.is_empty())?.copy_from_slice(made);
    Some(made.len())
}
