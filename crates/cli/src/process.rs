//! The tool on the standard streams of the process.

use crate::display::Display;
use crate::run::run;
use crate::signals::remove_unfinished_on_signals;
use crate::streams::{StandardFiles, Streams};
use anstream::{AutoStream, ColorChoice};
use indicatif::ProgressDrawTarget;
#[cfg(unix)]
use ndbytes::internals::Waiting;
use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Read, Write};

/// The number of progress updates per second.
const PROGRESS_RATE: u8 = 5;

/// How the tool ends if it cannot allocate memory. The exit status is the same as for a path that cannot be read.
pub const REFUSED: everybyte_refused::Answer = everybyte_refused::Answer {
    // This text follows the standard library's, which states the size of the request.
    sentence: "error: out of memory; a lower `--max-memory` refuses such files early\n",
    status: 2,
    tidy: ndbytes::remove_unfinished,
};

/// Runs the tool on the standard streams of the process and returns the exit status for the process. `arguments` begin
/// with the name of the program. A signal that ends the process removes unfinished files first.
pub fn run_as_process(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    remove_unfinished_on_signals();
    let (mut stdin, stdout, stderr) = (standard_input(), io::stdout(), io::stderr());
    let mut out = BufWriter::with_capacity(64 << 10, stdout.lock());
    let mut err = BufWriter::new(&stderr);
    let streams = Streams {
        input: &mut *stdin,
        out: &mut out,
        err: &mut err,
        is_terminal: stdout.is_terminal(),
        width: terminal_size::terminal_size_of(&stdout).map(|(width, _)| usize::from(width.0)),
        out_colours: AutoStream::choice(&stdout) != ColorChoice::Never,
        err_colours: AutoStream::choice(&stderr) != ColorChoice::Never,
        display: Display::of(|name| std::env::var(name).ok()),
        progress: match stderr.is_terminal() {
            true => ProgressDrawTarget::stderr_with_hz(PROGRESS_RATE),
            false => ProgressDrawTarget::hidden(),
        },
        files: files(),
    };
    let status = run(arguments, streams);
    // Otherwise, output that failed would be written again.
    let _ = err.flush();
    std::mem::forget(out);
    status
}

/// Returns standard input. Its reader can check the time limit while no data arrives.
fn standard_input() -> Box<dyn Read + Send> {
    #[cfg(unix)]
    if let Ok(input) = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned() {
        return Box::new(Waiting::new(input.into()));
    }
    Box::new(io::stdin())
}

/// Returns the files that standard input and output refer to.
#[cfg(unix)]
fn files() -> StandardFiles {
    use std::fs::File;
    use std::os::fd::AsFd;
    let file = |handle: &dyn AsFd| handle.as_fd().try_clone_to_owned().ok().map(File::from);
    StandardFiles::new(file(&io::stdin()), file(&io::stdout()))
}

/// Returns the default, since this system does not identify files.
#[cfg(not(unix))]
fn files() -> StandardFiles {
    StandardFiles::default()
}
