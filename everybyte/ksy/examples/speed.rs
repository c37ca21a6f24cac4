//! Measures the processor time for reading a file with a specification: completely, and with all instances forced.
//!
//! `speed SPEC.ksy FOLDER_OF_IMPORTS FILE PASSES` prints the milliseconds per pass, and for loading the specification.

#![allow(clippy::disallowed_methods, reason = "it trusts the files that it is given")]

use everybyte_ksy::{Loader, Spec, SpecError};
use std::hint::black_box;
use std::process::ExitCode;

/// The kernel's ticks of processor time per second.
const TICKS: f64 = 100.0;

/// Returns the processor seconds of all threads so far.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, which may contain spaces, ends at the last parenthesis; the time is 11 fields later.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = fields.iter().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS
}

/// Returns the milliseconds per pass.
fn each(passes: u32, mut pass: impl FnMut()) -> f64 {
    pass();
    let began = processor_seconds();
    (0..passes).for_each(|_| pass());
    (processor_seconds() - began) * 1000.0 / f64::from(passes)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, imports, file, passes] = &arguments[..] else {
        eprintln!("speed SPEC.ksy FOLDER_OF_IMPORTS FILE PASSES");
        return ExitCode::from(2);
    };
    let load = || -> Result<Spec, SpecError> { Loader::new().folder(imports).read(path) };
    let (Ok(spec), Ok(bytes), Ok(passes)) = (load(), std::fs::read(file), passes.parse()) else {
        eprintln!("the specification or the file cannot be read");
        return ExitCode::from(2);
    };
    let read = each(passes, || drop(black_box(spec.check(black_box(&bytes)))));
    let loaded = each(200, || drop(black_box(load())));
    println!("{read:.3} {loaded:.3}");
    ExitCode::SUCCESS
}
