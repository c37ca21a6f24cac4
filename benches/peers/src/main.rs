//! What ndbytes does in the side-by-side benchmarks: a process that is asked over a pipe to do one piece of work.
//!
//! `run.sh` starts it and the peers, and has them work by turns. A request is a line `CASE THREADS`; the answer is a line
//! with the nanoseconds that one piece of the case's work took, the bytes by which the process grew meanwhile at its peak, and
//! the bytes of the file that was written, or 0. Work of less than a millisecond is repeated and averaged. The time of a load
//! ends when its array is usable; giving the memory back is not timed.
//! For arrays of b2nd, the case is `b2nd/FILE/WORK`, or `b2nd/FILE.mapped/WORK` of a file that is mapped; for files that are
//! written `write/WHAT/PLACE`.

mod arrays;
mod b2nd;
mod memory;
mod small;
mod tables;
mod writing;

use ndbytes::Error;
use std::error;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn error::Error + Send + Sync>>;

/// How often short work is done within one request.
const REPEATED: u32 = 200;

/// A name, and what is done when it is asked for; the nanoseconds that it took.
type Case = (&'static str, fn(&Bench) -> Outcome<f64>);

/// The files, which `data.py` makes, and the tool.
struct Bench {
    data: PathBuf,
    tool: PathBuf,
}

impl Bench {
    fn path(&self, name: &str) -> PathBuf {
        self.data.join(name)
    }

    /// The path of a file in a file system in memory, where nobody waits for a disk.
    fn memory(&self) -> PathBuf {
        PathBuf::from("/dev/shm/ndbytes-bench")
    }

    /// The many small files.
    fn many(&self) -> Outcome<Vec<PathBuf>> {
        Ok(self.path("many").read_dir()?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?)
    }
}

/// What was used last, and is used again.
#[derive(Default)]
struct Last {
    array: Option<(String, Box<dyn b2nd::Opened>)>,
    written: writing::Last,
}

/// The nanoseconds of one piece of work; its result is dropped after the clock has stopped. The work is done once
/// before, so that nobody pays for the state in which another left memory and page cache.
fn timed<T>(mut work: impl FnMut() -> Outcome<T>) -> Outcome<f64> {
    drop(black_box(work()?));
    let start = Instant::now();
    let result = work()?;
    let time = start.elapsed();
    drop(black_box(result));
    Ok(time.as_nanos() as f64)
}

/// The nanoseconds of one of so many turns, with all that it opens closed again.
fn repeated<T>(turns: u32, mut work: impl FnMut(u32) -> Result<T, Error>) -> Outcome<f64> {
    let start = Instant::now();
    for turn in 0..turns {
        black_box(work(turn)?);
    }
    Ok(start.elapsed().as_nanos() as f64 / f64::from(turns))
}

/// The same numbers every time, far apart from each other.
fn numbers() -> impl Iterator<Item = u64> {
    let next =
        |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    std::iter::successors(Some(1_u64), next).skip(1).map(|state| state >> 33)
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
