//! If the process ends later for another reason, a handled refusal is not reported as the reason.

use libtest_mimic::{Failed, Trial};
use std::ffi::OsStr;
use std::hint::black_box;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::thread;

/// The variable that determines how the process ends.
pub const ENDING: &str = "NDBYTES_ENDING";

/// More than any system grants.
const TOO_MUCH: usize = 1 << 60;

/// How a process ended: its status, or the signal, and whether it reported refused memory.
type Expected = (Option<i32>, Option<i32>, bool);

const PANIC: Expected = (Some(101), None, false);
/// The signal of an abort.
const ABORT: Expected = (None, Some(6), false);
const REFUSED: Expected = (Some(2), None, true);

const ENDINGS: [(&str, Expected); 7] = [
    ("panic", PANIC),
    ("panic after a handled refusal", PANIC),
    ("panic after a handled refusal of another thread", PANIC),
    ("abort after a handled refusal", ABORT),
    ("panic of a refusal", REFUSED),
    ("panic of a refusal in another thread", REFUSED),
    ("refusal", REFUSED),
];

fn is_refused() -> bool {
    black_box(Vec::<u8>::new()).try_reserve_exact(black_box(TOO_MUCH)).is_err()
}

/// Handles a refusal, and goes on.
fn handle() {
    assert!(is_refused());
    for size in 1..100_usize {
        black_box(vec![1_u8; size]);
    }
}

/// Ends the process.
pub fn end(ending: &OsStr) -> u8 {
    match ending.to_str().expect("it is text") {
        "panic" => panic!("for another reason"),
        "panic after a handled refusal" => {
            handle();
            panic!("for another reason")
        }
        "panic after a handled refusal of another thread" => {
            thread::spawn(handle).join().expect("it ends");
            panic!("for another reason")
        }
        "abort after a handled refusal" => {
            handle();
            std::process::abort()
        }
        "panic of a refusal" => Vec::<u8>::new().try_reserve_exact(black_box(TOO_MUCH)).expect("there is no room"),
        "panic of a refusal in another thread" => {
            let ended =
                thread::spawn(|| Vec::<u8>::new().try_reserve_exact(black_box(TOO_MUCH)).expect("no room")).join();
            std::panic::resume_unwind(ended.expect_err("it has panicked"))
        }
        "refusal" => drop(black_box(vec![1_u8; black_box(TOO_MUCH)])),
        other => panic!("{other} is no ending"),
    }
    0
}

pub fn trials() -> impl Iterator<Item = Trial> {
    ENDINGS.into_iter().map(|(ending, expected)| Trial::test(ending, move || is_told(ending, expected)))
}

fn is_told(ending: &str, expected: Expected) -> Result<(), Failed> {
    let mut command = Command::new(std::env::current_exe()?);
    let ended = command.env(ENDING, ending).env("RUST_BACKTRACE", "0").output()?;
    let err = String::from_utf8_lossy(&ended.stderr);
    let found = (ended.status.code(), ended.status.signal(), err.contains("error: out of memory"));
    if found == expected { Ok(()) } else { Err(format!("{found:?} is not {expected:?}: {err}").into()) }
}
