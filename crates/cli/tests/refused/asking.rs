//! The questions to the tool, and its answers when a memory request is refused.

use crate::handled;
use crate::refusing::{COUNT, REFUSES};
use crate::table::QUESTIONS;
use libtest_mimic::{Arguments, Failed, Trial};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The number of requests to refuse for each question, in a normal run and in one that covers every position.
const REFUSALS: u64 = 15;
const MANY_REFUSALS: u64 = 400;

/// The processor seconds after which a process counts as hanging.
const PATIENCE: u64 = 60;

/// The files of the questions: the sample, the name of its copy, and the target.
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
    trials.extend(handled::trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A copy of a directory for one process, because some commands change files.
fn copy(of: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(of).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    folder
}

/// A directory with a sample, another file with the same bytes, and a seal.
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

/// The result of a process. There is no status if a signal ended it.
struct Ended {
    status: Option<i32>,
    out: Vec<u8>,
    err: String,
    /// The written page; empty if there is none.
    page: String,
    unfinished: Vec<PathBuf>,
    requests: u64,
}

/// Runs the tool as a process whose memory request with a number is refused; `+` also refuses all later ones.
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
    // The limit is on processor time, so a busy machine does not matter.
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

/// Returns whether missing memory is reported like a limit: in the report on the file, or on its page.
fn is_reported(ended: &Ended) -> bool {
    const LACK: &str = "are needed for ";
    let reported = [&*String::from_utf8_lossy(&ended.out), &*ended.err, &*ended.page].join("");
    match ended.status {
        Some(1) => reported.contains("limit-exceeded") && reported.contains(LACK),
        // git shows no diff at all if one file fails.
        Some(0) => {
            let lacks = ["finding error limit-exceeded: ", "values not read: the memory limit is too low for a block"];
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
        // Refuse only this request, and then all requests from this one on.
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
