//! Refuses memory requests, one after another, in each command that reads files. The tool either continues as if nothing had
//! happened, or prints a sentence, ends with status 2, and leaves no unfinished file. It neither aborts nor hangs.
//!
//! Each run of the tool is a separate process, namely this program, whose allocator refuses requests according to [`refusing`].
//! Memory for C code (zstd) is not refused. The tests cover a sample of the requests; `NDBYTES_ONE_IN=1` covers more of them.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

#[cfg(unix)]
mod asking;
#[cfg(unix)]
mod handled;
#[cfg(unix)]
mod refusing;
#[cfg(unix)]
#[path = "../it/bounds/table.rs"]
#[allow(dead_code, reason = "the tests of `it` use the rest")]
mod table;

use std::process::ExitCode;

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: everybyte_refused::Noting<refusing::Refusing> = everybyte_refused::Noting(refusing::Refusing);

#[cfg(unix)]
fn main() -> ExitCode {
    if let Some(ending) = std::env::var_os(handled::ENDING) {
        return ExitCode::from(everybyte_refused::answering(ndbytes_cli::REFUSED, || handled::end(&ending)));
    }
    if std::env::var_os(refusing::REFUSES).is_none() {
        return asking::main();
    }
    // The same start as in the tool.
    ExitCode::from(everybyte_refused::answering(ndbytes_cli::REFUSED, || {
        refusing::begin();
        let status = ndbytes_cli::run_as_process(std::env::args_os());
        refusing::end();
        status
    }))
}

/// On other systems, the tool uses the plain system allocator.
#[cfg(not(unix))]
fn main() -> ExitCode {
    println!("not run: the tool answers refusals on Unix alone");
    ExitCode::SUCCESS
}
