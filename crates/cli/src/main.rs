//! The command-line tool `ndbytes`: its standard streams. The library beside it does the work.

#![forbid(unsafe_code)]

use anstream::{AutoStream, ColorChoice};
use indicatif::ProgressDrawTarget;
use ndbytes_cli::{StandardFiles, Streams, remove_unfinished_on_signals, run};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

/// The number of times a second that progress is shown.
const PROGRESS_RATE: u8 = 5;

fn main() -> ExitCode {
    remove_unfinished_on_signals();
    let (mut stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    let mut out = BufWriter::with_capacity(64 << 10, stdout.lock());
    let mut err = BufWriter::new(&stderr);
    let streams = Streams {
        input: &mut stdin,
        out: &mut out,
        err: &mut err,
        is_terminal: stdout.is_terminal(),
        width: terminal_size::terminal_size_of(&stdout).map(|(width, _)| usize::from(width.0)),
        out_colours: AutoStream::choice(&stdout) != ColorChoice::Never,
        err_colours: AutoStream::choice(&stderr) != ColorChoice::Never,
        progress: match stderr.is_terminal() {
            true => ProgressDrawTarget::stderr_with_hz(PROGRESS_RATE),
            false => ProgressDrawTarget::hidden(),
        },
        files: files(),
    };
    let status = run(std::env::args_os(), streams);
    // Output that could not be written would be tried again.
    let _ = err.flush();
    std::mem::forget(out);
    ExitCode::from(status)
}

/// The files that standard input and output are.
#[cfg(unix)]
fn files() -> StandardFiles {
    use std::fs::File;
    use std::os::fd::AsFd;
    let file = |handle: &dyn AsFd| handle.as_fd().try_clone_to_owned().ok().map(File::from);
    StandardFiles::new(file(&io::stdin()), file(&io::stdout()))
}

/// Unknown: the system does not identify them.
#[cfg(not(unix))]
fn files() -> StandardFiles {
    StandardFiles::default()
}
