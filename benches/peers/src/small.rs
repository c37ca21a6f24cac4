//! Many small files, and work that does not depend on the size of a file.

use super::bench::{Case, Outcome, REPEATED, repeated, timed};
use ndbytes::{Checker, Depth, Input, Limits, Verdict, info};
use rayon::prelude::*;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};

pub const CASES: &[Case] = &[
    ("check-many", |bench| {
        let checker = Checker::new().depth(Depth::Structure);
        let many = bench.many()?;
        let fine = |path| Ok(checker.check(path)?.verdict() == Verdict::Ok);
        timed(|| many.par_iter().map(fine).try_reduce(|| true, |one, other| Ok(one && other)))
    }),
    ("check-many-tool", |bench| {
        let mut tool = Command::new(&bench.tool);
        tool.args(["check", "--depth", "structure"]).arg(bench.path("many")).stdout(Stdio::null());
        tool.env("RAYON_NUM_THREADS", rayon::current_num_threads().to_string());
        timed(|| if tool.status()?.success() { Ok(()) } else { Err("the tool found something".into()) })
    }),
    ("info-small", |bench| info_of(&bench.path("small.ra"))),
    ("info-huge", |bench| info_of(&bench.path("huge.ra"))),
    ("check-small", |bench| check_of(&bench.path("small.ra"))),
    ("check-huge", |bench| check_of(&bench.path("huge.ra"))),
];

fn info_of(path: &Path) -> Outcome<f64> {
    let limits = Limits::default();
    repeated(REPEATED, |_| Ok(black_box(info(Input::open(path, limits)?, &limits)?).size))
}

fn check_of(path: &Path) -> Outcome<f64> {
    let checker = Checker::new().depth(Depth::Structure);
    repeated(REPEATED, |_| Ok(black_box(checker.check(path)?).size))
}
