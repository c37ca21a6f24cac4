//! The files to work on, and functions for timing.

use ndbytes::Error;
use std::error;
use std::hint::black_box;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

/// The result of some work.
pub type Outcome<T> = Result<T, Box<dyn error::Error + Send + Sync>>;

/// The number of repetitions of short work in one request.
pub const REPEATED: u32 = 200;

/// A name, and the work to do when it is requested, which returns the nanoseconds that it took.
pub type Case = (&'static str, fn(&Bench) -> Outcome<f64>);

/// The files from `data.py`, and the tool.
pub struct Bench {
    pub data: PathBuf,
    pub tool: PathBuf,
}

impl Bench {
    pub fn path(&self, name: &str) -> PathBuf {
        self.data.join(name)
    }

    /// The path of a file in an in-memory file system, so that no time is spent on a disk.
    pub fn memory(&self) -> PathBuf {
        PathBuf::from("/dev/shm/ndbytes-bench")
    }

    /// The many small files.
    pub fn many(&self) -> Outcome<Vec<PathBuf>> {
        Ok(self.path("many").read_dir()?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?)
    }
}

/// Returns the nanoseconds for a piece of work, whose result is dropped after the clock has stopped. The work is done
/// once beforehand, so that memory and the page cache are warm.
pub fn timed<T>(mut work: impl FnMut() -> Outcome<T>) -> Outcome<f64> {
    drop(black_box(work()?));
    let start = Instant::now();
    let result = work()?;
    let time = start.elapsed();
    drop(black_box(result));
    Ok(time.as_nanos() as f64)
}

/// Returns the average nanoseconds for one of this many turns, including closing everything that it opens.
pub fn repeated<T>(turns: u32, mut work: impl FnMut(u32) -> Result<T, Error>) -> Outcome<f64> {
    let start = Instant::now();
    for turn in 0..turns {
        black_box(work(turn)?);
    }
    Ok(start.elapsed().as_nanos() as f64 / f64::from(turns))
}

/// A reproducible sequence of numbers that are far apart.
pub fn numbers() -> impl Iterator<Item = u64> {
    let next =
        |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    std::iter::successors(Some(1_u64), next).skip(1).map(|state| state >> 33)
}
