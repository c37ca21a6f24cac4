//! What ndbytes does in the side-by-side benchmarks: a process that is asked over a pipe to do one piece of work.
//!
//! `run.sh` beside this file starts it and NumPy, and has them work by turns. A request is a line `CASE THREADS`; the
//! answer is a line with the nanoseconds that one piece of the case's work took. Work of less than a millisecond is
//! repeated and averaged. The time of a load ends when its array is usable; giving the memory back is not timed.
//! For arrays of b2nd, the case is `b2nd/FILE/WORK`, or `b2nd/FILE.mapped/WORK` of a file that is mapped.

mod b2nd;

use ndarray::{Axis, Ix2};
use ndbytes::{Checker, Depth, Error, Input, Limits, Verdict, idv, idx, info, rawarray};
use rayon::prelude::*;
use std::error;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn error::Error + Send + Sync>>;

/// How often short work is done within one request.
const REPEATED: u32 = 200;

/// How many random items are looked at within one request.
const VIEWS: u32 = 1 << 16;

/// A name, and what is done when it is asked for; the nanoseconds that it took.
type Case = (&'static str, fn(&Bench) -> Outcome<f64>);

/// Everything that can be asked for, but for arrays of b2nd; the files are those that `data.py` makes.
const CASES: &[Case] = &[
    ("open-u8", |bench| {
        let path = bench.path("u8.idx");
        repeated(REPEATED, |_| Ok(black_box(idx::open(&path)?.view::<u8>()?).len()))
    }),
    ("open-f32", |bench| {
        let path = bench.path("f32.ra");
        repeated(REPEATED, |_| Ok(black_box(rawarray::open(&path)?.view::<f32>(rawarray::Order::C)?).len()))
    }),
    ("item-u8", |bench| {
        let images = idx::open(bench.path("u8.idx"))?;
        let images = images.items::<u8>()?;
        let indices = random_indices(images.len());
        repeated(VIEWS, |turn| Ok(black_box(images.get(indices[turn as usize])).is_some()))
    }),
    ("item-f32", |bench| {
        let array = rawarray::open(bench.path("f32.ra"))?;
        let rows = array.view::<f32>(rawarray::Order::C)?.into_dimensionality::<Ix2>()?;
        let indices = random_indices(rows.nrows());
        repeated(VIEWS, |turn| Ok(black_box(rows.index_axis(Axis(0), indices[turn as usize])).len()))
    }),
    ("load-u8", |bench| {
        let path = bench.path("u8.idx");
        timed(|| Ok(idx::open(&path)?.to_array::<u8>()?))
    }),
    ("load-f32", |bench| {
        let path = bench.path("f32.ra");
        timed(|| Ok(rawarray::open(&path)?.to_array::<f32>(rawarray::Order::C)?))
    }),
    ("load-f32-be", |bench| {
        let path = bench.path("f32-be.idx");
        timed(|| Ok(idx::open(&path)?.to_array::<f32>()?))
    }),
    ("load-f32-crate", |bench| {
        let path = bench.path("f32.ra");
        timed(|| Ok(::rawarray::RawArray::<f32>::read(&path)?))
    }),
    ("idv-deflate-columns", |bench| idv_columns(&bench.path("bench_deflate.idv"))),
    ("idv-deflate-batches", |bench| idv_batches(&bench.path("bench_deflate.idv"))),
    ("idv-none-columns", |bench| idv_columns(&bench.path("bench_none.idv"))),
    ("idv-none-batches", |bench| idv_batches(&bench.path("bench_none.idv"))),
    ("check-many", |bench| {
        let checker = Checker::new().depth(Depth::Structure);
        let fine = |path| Ok(checker.check(path)?.verdict() == Verdict::Ok);
        timed(|| bench.many.par_iter().map(fine).try_reduce(|| true, |one, other| Ok(one && other)))
    }),
    ("check-many-tool", |bench| {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_ndbytes"));
        tool.args(["check", "--depth", "structure"]).arg(bench.path("many")).stdout(Stdio::null());
        tool.env("RAYON_NUM_THREADS", rayon::current_num_threads().to_string());
        timed(|| if tool.status()?.success() { Ok(()) } else { Err("the tool found something".into()) })
    }),
    ("info-small", |bench| info_of(&bench.path("small.ra"))),
    ("info-huge", |bench| info_of(&bench.path("huge.ra"))),
    ("check-small", |bench| check_of(&bench.path("small.ra"))),
    ("check-huge", |bench| check_of(&bench.path("huge.ra"))),
];

struct Bench {
    data: PathBuf,
    /// The many small files.
    many: Vec<PathBuf>,
}

impl Bench {
    fn open(data: PathBuf) -> Outcome<Self> {
        let many = data.join("many").read_dir()?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        Ok(Bench { data, many })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.data.join(name)
    }
}

/// All values of a table, column by column, into memory of their own.
fn idv_columns(path: &Path) -> Outcome<f64> {
    timed(|| {
        let table = idv::open(path)?;
        let columns: Result<Vec<idv::Values>, Error> = table.columns().map(|column| column.read()).collect();
        Ok(columns?)
    })
}

/// All values of a table, block by block, in the same memory.
fn idv_batches(path: &Path) -> Outcome<f64> {
    timed(|| {
        let table = idv::open(path)?;
        let names: Vec<String> = table.columns().map(|column| column.name()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (mut batches, mut rows) = (table.batches(&names)?, 0);
        while let Some(batch) = batches.next() {
            let batch = batch?;
            rows += black_box(batch.values(0)).map_or(0, idv::Values::rows);
        }
        Ok(rows)
    })
}

fn info_of(path: &Path) -> Outcome<f64> {
    let limits = Limits::default();
    repeated(REPEATED, |_| Ok(black_box(info(Input::open(path, limits)?, &limits)?).size))
}

fn check_of(path: &Path) -> Outcome<f64> {
    let checker = Checker::new().depth(Depth::Structure);
    repeated(REPEATED, |_| Ok(black_box(checker.check(path)?).size))
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

fn random_indices(below: usize) -> Vec<usize> {
    numbers().take(VIEWS as usize).map(|number| number as usize % below).collect()
}

/// The array that was asked for last, by its name.
type Last = Option<(String, Box<dyn b2nd::Opened>)>;

fn b2nd_time(bench: &Bench, last: &mut Last, file: &str, work: &str) -> Outcome<f64> {
    let (_, array) = match last {
        Some(last) if last.0 == file => last,
        other => other.insert((file.to_owned(), b2nd::open(&bench.path("copies"), file)?)),
    };
    array.time(work)
}

fn main() -> Outcome<()> {
    let Some(data) = std::env::args().skip(1).find(|argument| !argument.starts_with('-')) else {
        println!("these benchmarks are run with benches/peers/run.sh");
        return Ok(());
    };
    let bench = Bench::open(data.into())?;
    let (mut line, mut out, mut last) = (String::new(), io::stdout().lock(), None);
    while io::stdin().read_line(&mut line)? > 0 {
        let (name, threads) = line.trim().split_once(' ').ok_or("a request is a case and a number of threads")?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.parse()?).build()?;
        let nanoseconds = pool.install(|| match name.strip_prefix("b2nd/").and_then(|rest| rest.split_once('/')) {
            Some((file, work)) => b2nd_time(&bench, &mut last, file, work),
            None => {
                let (_, run) = CASES.iter().find(|(case, _)| *case == name).ok_or("there is no such case")?;
                run(&bench)
            }
        })?;
        writeln!(out, "{nanoseconds}")?;
        out.flush()?;
        line.clear();
    }
    Ok(())
}
