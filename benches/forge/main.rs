//! Measures the time of a mutation: `cargo bench --bench forge`. Prints two lines for each kind of file.

use ndbytes_forge::{Forge, Kind, Mutation, Repair};
use std::env;
use std::hint::black_box;

/// The maximum size of the seeds in bytes.
const SIZE: usize = 4096;

/// The number of mutants of each seed.
const MUTANTS: u64 = 32;

/// The number of seeds of each kind, and the number of files from which the largest are selected.
const SEEDS: usize = 64;
const FILES: usize = 40 * SEEDS;

fn main() {
    let only = env::args().nth(1).and_then(|name| Kind::named(&name));
    println!(
        "microseconds of processor time per mutation, median (10 % and 90 %) over {SEEDS} seeds; everything is repaired, or all but 16"
    );
    println!("kind     repair      seed  by a new forge      first of a seed     the next {}", MUTANTS - 1);
    for kind in Kind::ALL.into_iter().filter(|&kind| only.is_none_or(|only| only == kind)) {
        let mut forge = Forge::new(1).size(SIZE);
        let files: Vec<Vec<u8>> = (0..FILES).map(|_| forge.valid(kind).bytes).collect();
        let mut largest = files.clone();
        largest.sort_by_key(|seed| std::cmp::Reverse(seed.len()));
        for seeds in [&files[..SEEDS], &largest[..SEEDS]] {
            for repair in [Repair::Everything, Repair::default()] {
                measure(kind, seeds, repair);
            }
        }
    }
}

fn measure(kind: Kind, seeds: &[Vec<u8>], repair: Repair) {
    let how = Mutation { repair, ..Mutation::default() };
    let bytes = seeds.iter().map(Vec::len).sum::<usize>() / seeds.len();
    let mut one_forge = Forge::new(1);
    let (mut anew, mut first, mut next) = (Vec::new(), Vec::new(), Vec::new());
    for (place, seed) in (0..).zip(seeds) {
        for number in 0..MUTANTS {
            let choices = place * MUTANTS + number;
            anew.push(micros(|| Forge::new(choices).mutant(black_box(seed), &how)));
            one_forge.reseed(choices);
            let took = micros(|| one_forge.mutant(black_box(seed), &how));
            if number == 0 { first.push(took) } else { next.push(took) }
        }
    }
    let [anew, first, next] = [anew, first, next].map(spread);
    println!("{:8} {:10} {bytes:5}  {anew}  {first}  {next}", kind.name(), repair.to_string());
}

/// The microseconds that a closure takes, in processor time if available, since a busy machine takes longer.
fn micros<T>(run: impl FnOnce() -> T) -> f64 {
    let start = now();
    black_box(run());
    now() - start
}

#[cfg(unix)]
fn now() -> f64 {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    spent.tv_sec as f64 * 1e6 + spent.tv_nsec as f64 / 1e3
}

#[cfg(not(unix))]
fn now() -> f64 {
    use std::sync::LazyLock;
    static START: LazyLock<std::time::Instant> = LazyLock::new(std::time::Instant::now);
    START.elapsed().as_secs_f64() * 1e6
}

fn spread(mut micros: Vec<f64>) -> String {
    micros.sort_by(f64::total_cmp);
    let at = |share: usize| micros[micros.len() * share / 100];
    format!("{:5.0} ({:5.0} {:5.0})", at(50), at(10), at(90))
}
