//! The questions, and how the tool answers when a request is refused.

use crate::refusing::{COUNT, REFUSES};
use crate::table::QUESTIONS;
use libtest_mimic::{Arguments, Failed, Trial};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Requests that are refused of each question, and those in a run that takes every position.
const REFUSALS: u64 = 15;
const MANY_REFUSALS: u64 = 400;

/// The processor seconds that a process may take before it counts as one that hangs.
const PATIENCE: u64 = 60;

/// The files that are asked about: the sample, the name of its copy, and what it becomes.
const ARRAY: [&str; 3] = ["temperatures.b2nd", "file.b2nd", "target.npy"];
const TABLE: [&str; 3] = ["trees.idv", "file.idv", "target.parquet"];

pub fn main() -> ExitCode {
    let mut trials = Vec::new();
    for question in &QUESTIONS {
        let files: &[[&str; 3]] = if question.command() == "convert" { &[ARRAY, TABLE] } else { &[ARRAY] };
        for file in files {
            let name = format!("{} {}", question.arguments.join(" "), file[0]);
            let arguments = question.filled(file[1], "other", file[2]);
            trials.push(Trial::test(name, move || each_refusal_is_answered(&arguments, file)));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A folder with all files of another one, for one process: some commands change them.
fn copy(of: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(of).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    folder
}

/// A folder with a sample, another file of the same bytes, and a seal.
fn place(sample: &str, name: &str) -> Result<tempfile::TempDir, Failed> {
    let folder = tempfile::tempdir()?;
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(sample);
    for name in [name, "other"] {
        fs::copy(&sample, folder.path().join(name))?;
    }
    fs::write(folder.path().join("worst.toml"), "[files.\"?[a]{b,c}*\"]\ntype = \"u1\"\n")?;
    let sealed = run(folder.path(), &["seal", "--broken", "--out", "of.seal", name].map(str::to_owned), "0")?;
    assert_eq!(sealed.status, Some(0), "{}", sealed.err);
    Ok(folder)
}

/// How a process ended, and what it left. There is no status if a signal ended it.
struct Ended {
    status: Option<i32>,
    out: Vec<u8>,
    err: String,
    /// The page that was written; empty if there is none.
    page: String,
    unfinished: Vec<PathBuf>,
    requests: u64,
}

/// Runs the tool as a process to which the request of a number is refused, `+` for those after it too.
fn run(folder: &Path, arguments: &[String], refuses: &str) -> Result<Ended, Failed> {
    let [out, err, requests] = ["out", "err", "requests"].map(|name| folder.join(format!("{name}.txt")));
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(arguments)
        .current_dir(folder)
        .env(REFUSES, refuses)
        .env("RAYON_NUM_THREADS", "1")
        .env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::null()).stdout(fs::File::create(&out)?).stderr(fs::File::create(&err)?);
    // The limit is the system's: a busy machine makes no process hang.
    let mut child = command.env(COUNT, &requests).spawn()?;
    let limit = Rlimit { current: Some(PATIENCE), maximum: Some(PATIENCE) };
    prlimit(Some(Pid::from_child(&child)), Resource::Cpu, limit)?;
    let status = child.wait()?.code();
    let is_unfinished = |path: &PathBuf| path.to_string_lossy().contains("/.ndbytes-");
    let unfinished = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    Ok(Ended {
        status,
        out: fs::read(out)?,
        err: String::from_utf8_lossy(&fs::read(err)?).into_owned(),
        page: fs::read_to_string(folder.join("a.html")).unwrap_or_default(),
        unfinished: unfinished.collect::<Result<Vec<_>, _>>()?.into_iter().filter(is_unfinished).collect(),
        requests: fs::read_to_string(requests).ok().and_then(|count| count.parse().ok()).unwrap_or(0),
    })
}

/// The lack of memory as the lack of a limit is told: in the report on the file, or on its page.
fn is_reported(ended: &Ended) -> bool {
    const LACK: &str = "are needed for ";
    let reported = [&*String::from_utf8_lossy(&ended.out), &*ended.err, &*ended.page].join("");
    match ended.status {
        Some(1) => reported.contains("limit-exceeded") && reported.contains(LACK),
        // git shows nothing of a diff if one file fails.
        Some(0) => {
            let lacks = ["finding error limit-exceeded: ", "values not read: a block takes more memory than it may"];
            reported.starts_with("text not made: ") || lacks.iter().any(|lack| reported.contains(lack))
        }
        _ => false,
    }
}

fn each_refusal_is_answered(arguments: &[String], [sample, name, _]: &[&str; 3]) -> Result<(), Failed> {
    let place = place(sample, name)?;
    let whole = run(copy(place.path()).path(), arguments, "0")?;
    assert!(whole.requests > 0, "{}", whole.err);
    let count = if std::env::var("NDBYTES_ONE_IN").is_ok_and(|share| share == "1") { MANY_REFUSALS } else { REFUSALS };
    let (step, mut wrong) = (whole.requests.div_ceil(count).max(1), Vec::new());
    let (mut same, mut answered) = (0, 0);
    for number in (1..=whole.requests).step_by(usize::try_from(step)?) {
        // This request alone, and all from then on.
        for refuses in [number.to_string(), format!("{number}+")] {
            let folder = copy(place.path());
            let ended = run(folder.path(), arguments, &refuses).map_err(|hung| format!("{refuses}: {hung:?}"))?;
            let is_same = (ended.status, &ended.out) == (whole.status, &whole.out);
            let is_answer = ended.status == Some(2) && ended.err.contains("error: ");
            if !(is_same || is_answer || is_reported(&ended)) || !ended.unfinished.is_empty() {
                let out = String::from_utf8_lossy(&ended.out);
                wrong.push(format!("{refuses}: {:?}, {:?}, {}, {out}", ended.status, ended.unfinished, ended.err));
            }
            *if is_same { &mut same } else { &mut answered } += 1;
        }
    }
    println!(
        "{}: {} requests, step {step}: {answered} ended by a sentence, {same} as without",
        arguments.join(" "),
        whole.requests
    );
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}:\n{}", wrong.len(), wrong.join("\n")).into()) }
}
