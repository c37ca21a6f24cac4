//! Mutators for fuzz targets of cargo-fuzz.

use super::kind::Kind;
use super::seeded::Forge;
use everybyte::forge::{Mutation, Plain};
use std::cell::RefCell;

thread_local! {
    static BENCH: RefCell<Bench> = RefCell::new(Bench { forge: Forge::new(0), base: Vec::new(), made: Vec::new() });
}

/// The forge of the target, and what it did last.
struct Bench {
    /// It keeps the map of `base`.
    forge: Forge,
    /// The input that the last mutant was made of.
    base: Vec<u8>,
    /// The last mutant.
    made: Vec<u8>,
}

/// Makes a fuzz target of cargo-fuzz mutate its inputs along their fields, and cross them. Inputs are of one [`Kind`],
/// or without an argument of the kind that their content has. One mutant in four is libFuzzer's own.
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

/// Once in so many times, inputs are crossed along their fields; else libFuzzer does it.
const CROSSED: u32 = 4;

/// libFuzzer mutates each mutant again, up to five times. Once in so many times it is indeed the mutant that is mutated
/// again. Else it is the input before it, whose map is there: mapping a file takes more time than changing it.
const CHAINED: u32 = 4;

/// Mutates an input of libFuzzer in place; the number of its bytes. [`fuzz_mutator`] calls it.
#[doc(hidden)]
pub fn mutate_input(kind: Option<Kind>, data: &mut [u8], size: usize, max: usize, seed: u32, plain: Plain) -> usize {
    let how = Mutation { max_len: max.min(data.len()), plain: Some(plain), ..Mutation::default() };
    let input = &data[..size.min(data.len())];
    let made = at_bench(kind, seed, input, |forge, base| forge.mutant(base, &how).bytes);
    put(&made, data).unwrap_or(size)
}

/// Puts a part of an input into another one; 0 in three of four cases. [`fuzz_mutator`] calls it.
#[doc(hidden)]
pub fn cross_inputs(kind: Option<Kind>, one: &[u8], other: &[u8], out: &mut [u8], seed: u32) -> usize {
    if !seed.is_multiple_of(CROSSED) {
        return 0;
    }
    let how = Mutation { max_len: out.len(), ..Mutation::default() };
    let made = at_bench(kind, seed, one, |forge, base| forge.crossed(base, other, &how).bytes);
    put(&made, out).unwrap_or(0)
}

/// Makes something of an input, or of the input that it was made of.
fn at_bench(kind: Option<Kind>, seed: u32, input: &[u8], make: impl FnOnce(&mut Forge, &[u8]) -> Vec<u8>) -> Vec<u8> {
    BENCH.with_borrow_mut(|bench| {
        bench.forge.kind = kind;
        bench.forge.reseed(seed.into());
        if bench.made != input || (seed / CROSSED).is_multiple_of(CHAINED) {
            bench.base.clear();
            bench.base.extend_from_slice(input);
        }
        bench.made = make(&mut bench.forge, &bench.base);
        bench.made.clone()
    })
}

/// Copies what was made to the place of an input; `None` if it does not fit.
fn put(made: &[u8], place: &mut [u8]) -> Option<usize> {
    place.get_mut(..made.len()).filter(|_| !made.is_empty())?.copy_from_slice(made);
    Some(made.len())
}
