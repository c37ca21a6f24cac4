//! The files that work is done on, and its time.

use ndbytes::Error;
use std::error;
use std::hint::black_box;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

/// The result of work.
pub type Outcome<T> = Result<T, Box<dyn error::Error + Send + Sync>>;

/// How often short work is done within one request.
pub const REPEATED: u32 = 200;

/// A name, and what is done when it is requested; the nanoseconds that it took.
pub type Case = (&'static str, fn(&Bench) -> Outcome<f64>);

/// The files, which `data.py` makes, and the tool.
pub struct Bench {
    pub data: PathBuf,
    pub tool: PathBuf,
}

impl Bench {
    pub fn path(&self, name: &str) -> PathBuf {
        self.data.join(name)
    }

    /// The path of a file in a file system in memory, where nobody waits for a disk.
    pub fn memory(&self) -> PathBuf {
        PathBuf::from("/dev/shm/ndbytes-bench")
    }

    /// The many small files.
    pub fn many(&self) -> Outcome<Vec<PathBuf>> {
        Ok(self.path("many").read_dir()?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?)
    }
}

/// The nanoseconds of one piece of work; its result is dropped after the clock has stopped. The work is done once
/// before, so that nobody pays for the state in which another left memory and page cache.
pub fn timed<T>(mut work: impl FnMut() -> Outcome<T>) -> Outcome<f64> {
    drop(black_box(work()?));
    let start = Instant::now();
    let result = work()?;
    let time = start.elapsed();
    drop(black_box(result));
    Ok(time.as_nanos() as f64)
}

/// The nanoseconds of one of so many turns, with all that it opens closed again.
pub fn repeated<T>(turns: u32, mut work: impl FnMut(u32) -> Result<T, Error>) -> Outcome<f64> {
    let start = Instant::now();
    for turn in 0..turns {
        black_box(work(turn)?);
    }
    Ok(start.elapsed().as_nanos() as f64 / f64::from(turns))
}

/// The same numbers every time, far apart from each other.
pub fn numbers() -> impl Iterator<Item = u64> {
    let next =
        |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    std::iter::successors(Some(1_u64), next).skip(1).map(|state| state >> 33)
}
