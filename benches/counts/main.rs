//! Counts the instructions of the hot paths, as a guard against slowdowns that does not depend on the load of the machine.
//!
//! `run.sh` next to this file builds and starts this program. The program starts itself under Callgrind, once per path,
//! and compares the counts with `counts.txt`. Arguments are parts of the names of the requested paths.
//! `UPDATE_COUNTS=1` writes the counts instead. The profiles stay in `target/counts`, for `callgrind_annotate`.

#![allow(clippy::disallowed_methods, reason = "it trusts its own files")]

mod paths;

use paths::{PATHS, Work};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::error;
use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};

type Outcome<T> = Result<T, Box<dyn error::Error + Send + Sync>>;

/// The argument before the name of the path to run in this process.
const TAKE: &str = "--take";

/// The file with the counts.
const COUNTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/counts/counts.txt");

/// The directory of the profiles.
const PROFILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/counts");

/// Makes the C library copy memory in the same way on every machine. Otherwise, that depends on the cache sizes, and
/// Callgrind counts an instruction that copies many bytes once per byte.
const TUNABLES: &str = "glibc.cpu.x86_rep_movsb_threshold=0xfffffffffff:glibc.cpu.x86_rep_stosb_threshold=0xfffffffffff:\
                        glibc.cpu.x86_non_temporal_threshold=0xfffffffffff";

/// The maximum increase over the count in the file, in percent, because the C libraries differ between machines.
const ALLOWED: f64 = 3.0;

/// The maximum increase if another compiler built the program. Two versions of rustc have differed by 17 %.
const ALLOWED_OF_ANOTHER_COMPILER: f64 = 25.0;

/// The function that Callgrind counts, with everything that it calls, in its own thread. Callgrind is passed its name.
#[inline(never)]
fn counted(work: &mut dyn FnMut() -> Outcome<()>) -> Outcome<()> {
    black_box(work())
}

/// Runs a path twice, so that one-time work, such as detecting the processor's features, does not count.
fn take(name: &str) -> Outcome<()> {
    let (_, prepare) = PATHS.iter().find(|(path, _)| *path == name).ok_or("there is no such path")?;
    let folder = tempfile::tempdir()?;
    // Longer file paths take more instructions, so all paths are relative to the directory.
    std::env::set_current_dir(folder.path())?;
    let mut work: Work = prepare(Path::new("."))?;
    // Use only a single thread, the one that is counted.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        work()?;
        counted(&mut work)
    })
}

/// Counts the instructions of a path.
fn count(name: &str) -> Outcome<u64> {
    let mut callgrind = Command::new("valgrind");
    callgrind.env("GLIBC_TUNABLES", TUNABLES).args(["--tool=callgrind", "--toggle-collect=counts::counted*"]);
    callgrind.arg(format!("--callgrind-out-file={PROFILES}/{name}.out"));
    let output = callgrind.arg(std::env::current_exe()?).args([TAKE, name]).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{name} failed under Callgrind: {said}").into());
    }
    let collected = said.lines().find_map(|line| line.split_once("Collected : "));
    let count = collected.and_then(|(_, count)| count.trim().parse().ok()).filter(|&count| count > 0);
    count.ok_or_else(|| format!("Callgrind counts nothing of {name}: {said}").into())
}

/// The version that a program prints.
fn version(program: &str) -> Outcome<String> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .map_err(|error| format!("{program} does not start: {error}"))?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Returns the text of the file: how the counts were made, and one line per path.
fn written(made_by: &str, counts: &BTreeMap<String, u64>) -> String {
    let mut text = format!(
        "# Instructions of the paths in paths.rs, as benches/counts/run.sh has Callgrind count them. UPDATE_COUNTS=1 renews them.\n\
         # Callgrind stands in for a processor with AVX2 and without AVX-512, whatever the machine has beyond.\n\
         # A count may be {ALLOWED} % above, or {ALLOWED_OF_ANOTHER_COMPILER} % with another compiler than this:\n\
         # {made_by}\n"
    );
    for (name, count) in counts {
        let _ = writeln!(text, "{name} {count}");
    }
    text
}

/// The compiler and the counts in the file.
fn read(text: &str) -> Outcome<(&str, BTreeMap<String, u64>)> {
    let (notes, counts): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.starts_with('#'));
    let made_by = notes.last().map_or("", |note| note.trim_start_matches("# "));
    let pair = |line: &str| {
        let (name, count) = line.split_once(' ').ok_or("a line is a path and its count")?;
        Ok((name.to_owned(), count.parse()?))
    };
    Ok((made_by, counts.into_iter().map(pair).collect::<Outcome<_>>()?))
}

/// Prints each count next to the count in the file, and their ratio. Returns true if none is too high or unknown.
fn compared(counts: &BTreeMap<String, u64>, before: &BTreeMap<String, u64>, allowed: f64) -> bool {
    let mut holds = true;
    println!("{:20} {:>12} {:>12} {:>7}", "path", "instructions", "in the file", "ratio");
    for (name, &count) in counts {
        let Some(&known) = before.get(name) else {
            println!("{name:20} {count:12} {:>12}", "none");
            holds = false;
            continue;
        };
        let ratio = count as f64 / known as f64;
        let change = (ratio - 1.0) * 100.0;
        holds &= change <= allowed;
        let verdict = match change {
            change if change > allowed => "  slower than allowed",
            change if change < -allowed => "  faster: write it down",
            _ => "",
        };
        println!("{name:20} {count:12} {known:12} {ratio:7.4}{verdict}");
    }
    holds
}

fn guard(wanted: &[String]) -> Outcome<bool> {
    if !has_the_processor() {
        println!("not counted: the counts are those of an x86-64 processor with AVX2");
        return Ok(true);
    }
    let valgrind = version("valgrind")?;
    let compiler = version("rustc")?;
    fs::create_dir_all(PROFILES)?;
    let names = PATHS.iter().map(|(name, _)| *name);
    let is_wanted = |name: &&str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    let names: Vec<_> = names.filter(is_wanted).collect();
    let pairs = names.par_iter().map(|name| Ok(((*name).to_owned(), count(name)?)));
    let counts: BTreeMap<_, _> = pairs.collect::<Outcome<_>>()?;

    let text = if Path::new(COUNTS).exists() { fs::read_to_string(COUNTS)? } else { String::new() };
    let (made_by, before) = read(&text)?;
    let is_same = made_by.starts_with(&compiler);
    let allowed = if is_same { ALLOWED } else { ALLOWED_OF_ANOTHER_COMPILER };
    let holds = compared(&counts, &before, allowed);
    if !is_same {
        println!("made by {compiler}, not by that of counts.txt");
    }
    println!("a count may be {allowed} % above that in the file");
    if std::env::var_os("UPDATE_COUNTS").is_none() {
        let is_complete = !wanted.is_empty() || before.len() == counts.len();
        if !holds || !is_complete {
            println!("UPDATE_COUNTS=1 benches/counts/run.sh writes the counts down, if they are meant to be so");
        }
        return Ok(holds && is_complete);
    }
    // The old counts of other paths are kept, unless the paths are gone.
    let mut all: BTreeMap<_, _> =
        before.into_iter().filter(|(name, _)| PATHS.iter().any(|(path, _)| path == name)).collect();
    all.extend(counts);
    fs::write(COUNTS, written(&format!("{compiler}, {valgrind}"), &all))?;
    Ok(true)
}

#[cfg(target_arch = "x86_64")]
fn has_the_processor() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_the_processor() -> bool {
    false
}

fn main() -> ExitCode {
    // `cargo bench` adds its own argument.
    let arguments: Vec<_> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let outcome = match arguments.as_slice() {
        [take_it, name] if take_it == TAKE => take(name).map(|()| true),
        wanted => guard(wanted),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
