//! The time of a mutation: `cargo bench --bench forge`. Prints a line for each kind of file.

use ndbytes_forge::{Forge, Kind, Mutation, Repair};
use std::hint::black_box;
use std::time::Instant;

/// The bytes that the seeds have, about.
const SIZE: usize = 4096;

/// The mutants of each seed.
const MUTANTS: usize = 32;

/// The seeds of each kind.
const SEEDS: usize = 64;

fn main() {
    println!("microseconds a mutation, median (10 % and 90 %) over {SEEDS} seeds of about {SIZE} bytes");
    println!("kind      seed  first of a seed      the next {}", MUTANTS - 1);
    for kind in Kind::ALL {
        let mut forge = Forge::new(1).size(SIZE);
        let mut seeds: Vec<Vec<u8>> = (0..40 * SEEDS).map(|_| forge.valid(kind).bytes).collect();
        // The largest ones.
        seeds.sort_by_key(|seed| std::cmp::Reverse(seed.len()));
        seeds.truncate(SEEDS);
        let bytes = seeds.iter().map(Vec::len).sum::<usize>() / SEEDS;
        let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
        let (mut first, mut next) = (Vec::new(), Vec::new());
        for seed in &seeds {
            for number in 0..MUTANTS {
                let start = Instant::now();
                black_box(forge.mutate(black_box(seed), &how));
                let micros = start.elapsed().as_secs_f64() * 1e6;
                if number == 0 { first.push(micros) } else { next.push(micros) }
            }
        }
        println!("{:8} {bytes:5}  {}  {}", kind.name(), spread(first), spread(next));
    }
}

fn spread(mut micros: Vec<f64>) -> String {
    micros.sort_by(f64::total_cmp);
    let at = |share: usize| micros[micros.len() * share / 100];
    format!("{:5.0} ({:5.0} {:5.0})", at(50), at(10), at(90))
}
