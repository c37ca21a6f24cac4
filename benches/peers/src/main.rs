//! The ndbytes side of the benchmarks, which compare it with its peers: a process that receives requests for pieces of
//! work through a pipe.
//!
//! `run.sh` starts it and its peers, and lets them work in turn. A request is a line `CASE THREADS`. The answer is a
//! line with the nanoseconds for one piece of the case's work, the peak growth of the process in bytes, and the length
//! of the written file, or 0. Work of less than a millisecond is repeated and averaged. The time of a load ends when
//! its array is usable; freeing the memory is not timed. For b2nd arrays, the case is `b2nd/FILE/WORK`, or
//! `b2nd/FILE.mapped/WORK` for a mapped file; for written files, it is `write/WHAT/PLACE`.

#![allow(clippy::disallowed_methods, reason = "it trusts its own files")]

mod arrays;
mod b2nd;
mod bench;
mod memory;
mod small;
mod tables;
mod writing;

use bench::{Bench, Outcome};
use std::io::{self, Write};
use std::path::PathBuf;

/// Objects from the last request, for reuse.
#[derive(Default)]
struct Last {
    array: Option<(String, Box<dyn b2nd::Opened>)>,
    written: writing::Last,
}

/// Returns the nanoseconds for a case, and the length of the file that it wrote.
fn run(bench: &Bench, last: &mut Last, name: &str) -> Outcome<(f64, u64)> {
    let parts: Vec<&str> = name.split('/').collect();
    match parts[..] {
        ["b2nd", file, work] => {
            let (_, array) = match &mut last.array {
                Some(array) if array.0 == file => array,
                other => other.insert((file.to_owned(), b2nd::open(&bench.path("copies"), file)?)),
            };
            Ok((array.time(work)?, 0))
        }
        ["write", what, place] => writing::time(bench, &mut last.written, what, place),
        _ => {
            let mut cases = [arrays::CASES, tables::CASES, small::CASES].into_iter().flatten();
            let (_, run) = cases.find(|(case, _)| *case == name).ok_or("there is no such case")?;
            Ok((run(bench)?, 0))
        }
    }
}

fn main() -> Outcome<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(data), Some(tool)) = (arguments.next(), arguments.next()) else {
        return Err("these benchmarks are run with benches/peers/run.sh".into());
    };
    let bench = Bench { data, tool };
    let (mut line, mut out, mut last) = (String::new(), io::stdout().lock(), Last::default());
    while io::stdin().read_line(&mut line)? > 0 {
        let (name, threads) = line.trim().split_once(' ').ok_or("a request is a case and a number of threads")?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.parse()?).build()?;
        let before = memory::begin()?;
        let (nanoseconds, written) = pool.install(|| run(&bench, &mut last, name))?;
        writeln!(out, "{nanoseconds} {} {written}", memory::peak()?.saturating_sub(before))?;
        out.flush()?;
        line.clear();
    }
    Ok(())
}
