//! Limits the time that a process may take.
//!
//! A thread sleeps until the time is up and then ends the process. Nothing else needs to check a clock, so the limit
//! applies whatever the process is doing, even during a read from a pipe that never ends.

use super::outcome::Outcome;
use std::ffi::{OsStr, OsString};
use std::process;
use std::thread;
use std::time::Duration;

const OPTION: &str = "--max-time";

/// Removes `--max-time SECONDS` from the arguments and limits the running time of this process. When the time is up, the process
/// prints a message and ends with status 2. This works whether the process is waiting for input, reading, building a map,
/// comparing or writing.
///
/// # Errors
/// Returns a message if the value is missing or not a number of seconds, or if the system cannot start a timer.
pub fn bound_time(arguments: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let (mut arguments, mut others, mut time) = (arguments.into_iter(), Vec::new(), None);
    while let Some(argument) = arguments.next() {
        match argument == OPTION {
            true => time = Some(seconds(&arguments.next().ok_or_else(|| format!("{OPTION} needs a value"))?)?),
            false => others.push(argument),
        }
    }
    match time {
        None => {}
        Some(Duration::ZERO) => end(Duration::ZERO),
        Some(time) => {
            let clock = thread::Builder::new().name("clock".into()).spawn(move || {
                thread::sleep(time);
                end(time)
            });
            clock.map_err(|error| format!("the time cannot be bounded: {error}"))?;
        }
    }
    Ok(others)
}

fn end(time: Duration) -> ! {
    eprintln!("error: the command takes longer than the time limit of {time:?}; {OPTION} raises it");
    process::exit(Outcome::Unusable as i32)
}

fn seconds(text: &OsStr) -> Result<Duration, String> {
    let text = text.to_string_lossy();
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| format!("{OPTION} takes a number of seconds, such as 10 or 0.5, not {text:?}"))
}
