//! The side of ndbytes in the side-by-side benchmarks: a process that is asked over a pipe to do one piece of work.
//!
//! `run.sh` starts it and the peers, and has them work by turns. A request is a line `CASE THREADS`. The answer is a
//! line with the nanoseconds that one piece of the case's work took. The bytes by which the process grew meanwhile at
//! its peak follow, and the bytes of the file that was written, or 0. Work of less than a millisecond is repeated and
//! averaged. The time of a load ends when its array is usable; giving the memory back is not timed. For arrays of b2nd,
//! the case is `b2nd/FILE/WORK`, or `b2nd/FILE.mapped/WORK` of a file that is mapped; for files that are written
//! `write/WHAT/PLACE`.

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

/// The things that were used last, and are used again.
#[derive(Default)]
struct Last {
    array: Option<(String, Box<dyn b2nd::Opened>)>,
    written: writing::Last,
}

/// The nanoseconds of a case, and the bytes of the file that it wrote.
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
