//! Makes each system call of every writer fail, and kills the writer at each of them. Afterwards, either the old file
//! or the new one must be complete, and the next writer must remove all leftovers.
//!
//! `strace` causes these faults. Each writer is a separate process, namely this program, called with [`WRITE`]. The test takes a
//! while, so it runs only on request: `cargo test --test faults -- --ignored`. It then fails if `strace` is missing.

#![allow(clippy::disallowed_methods, reason = "the test trusts its own files")]

#[path = "it/support/cli.rs"]
mod cli;

use ndarray::Array2;
use ndbytes::idv::{self, Values};
use ndbytes::rawarray::{self, Order};
use ndbytes::{File, Limits, b2nd, idx};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// The argument that turns this program into a writer, followed by a kind, a path and a value.
const WRITE: &str = "--write";

/// Paths that do not exist. Accessing them marks the beginning and the end of a writer in the list of system calls.
const BEGIN: &str = "/ndbytes-begin";
const END: &str = "/ndbytes-end";

/// System calls for memory, threads and signals, which neither read nor write files.
const OTHERS: [&str; 14] = [
    "mmap",
    "munmap",
    "mremap",
    "mprotect",
    "brk",
    "madvise",
    "futex",
    "sigaltstack",
    "rt_sigaction",
    "rt_sigprocmask",
    "sched_yield",
    "sched_getaffinity",
    "getrandom",
    "clock_gettime",
];

/// System calls that change nothing. Killing a process at one of them is the same as killing it at the next call.
const LOOKING: [&str; 18] = [
    "statx",
    "stat",
    "lstat",
    "fstat",
    "newfstatat",
    "fstatfs",
    "readlink",
    "lseek",
    "fcntl",
    "getxattr",
    "listxattr",
    "fgetxattr",
    "geteuid",
    "getdents64",
    "read",
    "pread64",
    "close",
    "flock",
];

/// The writers of the library and of the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Idx,
    RawArray,
    Idv,
    B2nd,
    /// `Array::export`.
    Npy,
    /// `explain --html`.
    Page,
    /// A sparse b2nd frame.
    Folder,
    /// A sparse b2nd frame, on a system that cannot swap two directories.
    FolderInTwoSteps,
}

const KINDS: [Kind; 8] =
    [Kind::Idx, Kind::RawArray, Kind::Idv, Kind::B2nd, Kind::Npy, Kind::Page, Kind::Folder, Kind::FolderInTwoSteps];

/// The effect of a fault on a system call.
#[derive(Debug, Clone, Copy)]
enum Fault {
    Fail,
    Kill,
}

/// One system call: its name, and the number of calls with that name so far.
#[derive(Debug, Clone)]
struct Call {
    name: String,
    number: usize,
    /// True if neither this call nor the previous one changes anything.
    is_looking: bool,
}

struct Case {
    kind: Kind,
    has_old: bool,
    call: Call,
    fault: Fault,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { kind, has_old, call, fault } = self;
        write!(f, "{kind:?}, {}, {fault:?} at {} {}", if *has_old { "replaced" } else { "new" }, call.name, call.number)
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, mode, kind, path, value] = &arguments[..]
        && mode == WRITE
    {
        return be_writer(kind, Path::new(path), value.parse().unwrap());
    }
    let name = "every_system_call_of_every_writer_can_fail";
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    let mut filters = arguments[1..].iter().filter(|argument| !argument.starts_with('-')).peekable();
    let is_meant = filters.peek().is_none() || filters.any(|filter| name.contains(filter.as_str()));
    if has("--list") {
        println!("{name}: test");
        return ExitCode::SUCCESS;
    }
    let summary = |word: &str, [passed, failed, ignored, filtered]: [u32; 4]| {
        println!(
            "test result: {word}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; {filtered} filtered out"
        );
    };
    if !is_meant {
        summary("ok", [0, 0, 0, 1]);
        return ExitCode::SUCCESS;
    }
    if !has("--ignored") && !has("--include-ignored") {
        println!("test {name} ... ignored, needs strace, and takes a while");
        summary("ok", [0, 0, 1, 0]);
        return ExitCode::SUCCESS;
    }
    let begun = Instant::now();
    let failed = try_all();
    let seconds = begun.elapsed().as_secs();
    failed.iter().for_each(|failure| println!("{failure}"));
    let (word, code) = if failed.is_empty() { ("ok", ExitCode::SUCCESS) } else { ("FAILED", ExitCode::FAILURE) };
    println!("test {name} ... {word}, {seconds} s");
    summary(word, [u32::from(failed.is_empty()), u32::from(!failed.is_empty()), 0, 0]);
    code
}

/// Writes between the two markers, on a single thread.
fn be_writer(kind: &str, path: &Path, value: i64) -> ExitCode {
    let kind = KINDS.into_iter().find(|one| format!("{one:?}") == kind).expect("a kind");
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global().unwrap();
    let _ = fs::metadata(BEGIN);
    let written = write(kind, path, value);
    let _ = fs::metadata(END);
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// An array that does not compress well. Arrays for different values have no element in common.
fn array(value: i64) -> Array2<i64> {
    items(value, 1_000)
}

/// An array that is written in several pieces.
fn long_array(value: i64) -> Array2<i64> {
    items(value, 12_000)
}

fn items(value: i64, columns: usize) -> Array2<i64> {
    Array2::from_shape_fn((3, columns), |(row, column)| {
        let number = (row * columns + column) as i64;
        (number.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64.cast_signed()) & !3) | value
    })
}

/// The input for making `.npy` files and pages.
fn input(path: &Path, value: i64) -> PathBuf {
    let folder = path.parent().unwrap().parent().unwrap();
    folder.join(format!("input-{value}.ra"))
}

fn write(kind: Kind, path: &Path, value: i64) -> io::Result<()> {
    let written = match kind {
        Kind::Idx => idx::write(path, &array(value).mapv(|item| item as i32)),
        Kind::RawArray => rawarray::write(path, &long_array(value), Order::C),
        Kind::Idv => write_table(path, value),
        Kind::B2nd => b2nd::write(path, &array(value)),
        Kind::Npy => ndbytes::open(input(path, value))
            .and_then(File::into_array)
            .and_then(|array| array.export(path, &Limits::default())),
        Kind::Page => return write_page(path, value),
        Kind::Folder | Kind::FolderInTwoSteps => {
            b2nd::Writer::new().chunks([1, 1_000]).sparse(true).write(path, &array(value))
        }
    };
    written.map_err(io::Error::other)
}

fn write_table(path: &Path, value: i64) -> ndbytes::Result<()> {
    let column = idv::NewColumn::new("Number", idv::ColumnType::scalar(idv::ItemType::I64));
    let mut writer = idv::Writer::new([column]).create(path)?;
    writer.write(&[Values::scalars(array(value).into_iter().collect::<Vec<_>>())])?;
    writer.finish()
}

fn write_page(path: &Path, value: i64) -> io::Result<()> {
    let input = input(path, value);
    // Pages have no pictures here, because a page whose data cannot be read again states that, and differs.
    let command = ["ndbytes", "explain", "--depth", "structure", "--html"].map(OsStr::new);
    let arguments = command.into_iter().chain([path.as_os_str(), input.as_os_str()]);
    let (mut nothing, mut out, mut errors) = (io::empty(), Vec::new(), Vec::new());
    let streams = cli::Streams::captured(&mut nothing, &mut out, &mut errors);
    match cli::run(arguments.map(Into::into), streams) {
        0 => Ok(()),
        _ => Err(io::Error::other(String::from_utf8_lossy(&errors).into_owned())),
    }
}

/// The directory of all files, with the inputs and a directory for each case.
struct Place {
    folder: tempfile::TempDir,
    expected: BTreeMap<(String, i64), Vec<u8>>,
}

/// The values of the old file, of the file written under a fault, and of the file written afterwards.
const OLD: i64 = 1;
const NEW: i64 = 2;
const NEXT: i64 = 3;

/// The number of further writers that may try to remove the leftovers of a killed one, while another thread starts a process.
const MOST_WRITERS: usize = 50;

impl Place {
    fn new() -> Self {
        let mut place = Place { folder: tempfile::tempdir().unwrap(), expected: BTreeMap::new() };
        for value in [OLD, NEW, NEXT] {
            let path = place.folder.path().join(format!("input-{value}.ra"));
            rawarray::write(path, &array(value), Order::C).unwrap();
        }
        for kind in KINDS.into_iter().filter(|kind| !kind.is_folder()) {
            let path = place.target(&format!("expected-{kind:?}"));
            for value in [OLD, NEW, NEXT] {
                write(kind, &path, value).unwrap();
                place.expected.insert((format!("{kind:?}"), value), fs::read(&path).unwrap());
            }
        }
        place
    }

    /// Returns the target in its own directory, which is created.
    fn target(&self, folder: &str) -> PathBuf {
        let folder = self.folder.path().join(folder);
        fs::create_dir(&folder).unwrap();
        folder.join("target")
    }

    /// The value of the complete file; `None` if there is no file.
    fn value(&self, kind: Kind, path: &Path) -> Result<Option<i64>, String> {
        let found = match kind.is_folder() {
            true => match b2nd::open(path).and_then(|read| read.to_array::<i64>()) {
                Ok(read) => [OLD, NEW, NEXT].into_iter().find(|value| read == array(*value).into_dyn()),
                Err(ndbytes::Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error.to_string()),
            },
            false => match fs::read(path) {
                Ok(bytes) => {
                    let expected = |value: &i64| self.expected[&(format!("{kind:?}"), *value)] == bytes;
                    [OLD, NEW, NEXT].into_iter().find(expected)
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error.to_string()),
            },
        };
        found.map(Some).ok_or_else(|| "is neither the old one nor the new one".into())
    }
}

impl Kind {
    fn is_folder(self) -> bool {
        matches!(self, Kind::Folder | Kind::FolderInTwoSteps)
    }

    /// Returns whether a fault is not part of the writing. An unreadable file gets a different page, and a call
    /// that always fails needs no further fault.
    fn leaves_out(self, call: &str) -> bool {
        matches!((self, call), (Kind::Page, "pread64") | (Kind::FolderInTwoSteps, "renameat2"))
    }

    /// The calls that always fail.
    fn always(self) -> &'static [&'static str] {
        if self == Kind::FolderInTwoSteps { &["-e", "inject=renameat2:error=EINVAL"] } else { &[] }
    }
}

/// Runs a writer in a separate process, tracing some of its system calls.
fn strace(kind: Kind, target: &Path, log: &Path, options: &[&str]) -> Command {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "signal=none", "-o"]).arg(log).args(kind.always()).args(options).arg("--");
    command.arg(std::env::current_exe().unwrap()).args([WRITE, &format!("{kind:?}")]).arg(target);
    command.arg(NEW.to_string()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The system calls of a writer in a run without faults.
fn calls(place: &Place, kind: Kind, has_old: bool) -> Vec<Call> {
    let target = place.target(&format!("calls-{kind:?}-{has_old}"));
    if has_old {
        write(kind, &target, OLD).unwrap();
    }
    let log = place.folder.path().join("calls.log");
    let status = strace(kind, &target, &log, &["-e", "trace=all"]).status();
    let status = status.expect("`strace` is installed");
    assert!(status.success(), "{kind:?}: the writer works under strace: {status}");
    let log = fs::read_to_string(log).unwrap();
    let (mut numbers, mut calls, mut is_writing) = (BTreeMap::<&str, usize>::new(), Vec::new(), false);
    let mut looked = false;
    for line in log.lines() {
        let Some((name, _)) = line.split_once('(') else { continue };
        let name = name.split_whitespace().next_back().unwrap();
        let number = numbers.entry(name).or_default();
        *number += 1;
        if line.contains(BEGIN) || line.contains(END) {
            is_writing = line.contains(BEGIN);
        } else if is_writing && !OTHERS.contains(&name) && !kind.leaves_out(name) {
            let looks = LOOKING.contains(&name);
            calls.push(Call { name: name.to_owned(), number: *number, is_looking: looked && looks });
            looked = looks;
        }
    }
    assert!(calls.len() > 20, "{kind:?} makes system calls: {calls:?}");
    calls
}

/// Runs all cases on two threads and returns the failures.
fn try_all() -> Vec<String> {
    let place = Place::new();
    let mut cases = Vec::new();
    for kind in KINDS {
        // New files are written in the same way for all kinds.
        for has_old in [true, false].into_iter().filter(|has_old| *has_old || matches!(kind, Kind::Idx | Kind::Folder))
        {
            let calls = calls(&place, kind, has_old);
            println!("{kind:?}, {}: {} system calls", if has_old { "replaced" } else { "new" }, calls.len());
            for call in calls {
                if !call.is_looking {
                    cases.push(Case { kind, has_old, call: call.clone(), fault: Fault::Kill });
                }
                cases.push(Case { kind, has_old, call, fault: Fault::Fail });
            }
        }
    }
    println!("{} cases", cases.len());
    let (cases, failed) = (Mutex::new(cases.into_iter().enumerate()), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((number, case)) = { cases.lock().unwrap().next() } {
                    if let Err(why) = try_one(&place, number, &case) {
                        failed.lock().unwrap().push(format!("{case}: {why}"));
                    }
                }
            });
        }
    });
    failed.into_inner().unwrap()
}

fn try_one(place: &Place, number: usize, case: &Case) -> Result<(), String> {
    let Case { kind, has_old, call, fault } = case;
    let target = place.target(&format!("case-{number}"));
    if *has_old {
        write(*kind, &target, OLD).map_err(|error| error.to_string())?;
    }
    let old = has_old.then_some(OLD);
    let log = target.with_extension("log");
    let log = place.folder.path().join(format!("{number}-{}", log.file_name().unwrap().display()));
    let what = match fault {
        Fault::Fail => "error=ENOSPC",
        Fault::Kill => "signal=KILL",
    };
    let inject = format!("inject={}:{what}:when={}", call.name, call.number);
    let trace = format!("trace={},renameat2", call.name);
    let status = strace(*kind, &target, &log, &["-e", &trace, "-e", &inject]).status().expect("strace runs");

    let is_hit = match fault {
        Fault::Fail => fs::read_to_string(&log).unwrap().contains("ENOSPC (No space left on device) (INJECTED)"),
        Fault::Kill => !status.success() && status.code() != Some(1),
    };
    if !is_hit {
        return Err(format!("the fault was not met: {status}"));
    }
    let now = place.value(*kind, &target)?;
    if now != old && now != Some(NEW) {
        return Err(format!("{now:?} is there, before it was {old:?}"));
    }
    // A replaced directory or an unfinished file that cannot be removed is left for the next writer.
    let is_removing = kind.is_folder() || call.name == "unlink";
    let beside = fs::read_dir(target.parent().unwrap()).unwrap().count() - usize::from(now.is_some());
    if matches!(fault, Fault::Fail) && !is_removing && beside > 0 {
        return Err(format!("the writer leaves a file beside the target, and ends with {status}"));
    }
    if status.success() && now != Some(NEW) {
        return Err(format!("the writer says that it has written, but {now:?} is there"));
    }
    write(*kind, &target, NEXT).map_err(|error| format!("the next writer fails: {error}"))?;
    if place.value(*kind, &target)? != Some(NEXT) {
        return Err("the next writer has not written".into());
    }
    let folder = target.parent().unwrap();
    let names = || fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    // A process that another thread starts holds the locks of this process until it executes its own program.
    for _ in 0..MOST_WRITERS {
        if names().len() == 1 {
            break;
        }
        thread::sleep(Duration::from_millis(20));
        write(*kind, &target, NEXT).map_err(|error| format!("a writer after the next one fails: {error}"))?;
    }
    let left = names();
    if left.len() != 1 {
        return Err(format!("the next writer leaves {left:?}"));
    }
    fs::remove_dir_all(folder).unwrap();
    fs::remove_file(log).unwrap();
    Ok(())
}
