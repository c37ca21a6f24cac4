//! Requests for memory are refused, one after the other, in each command that reads files. The tool either does as if nothing had
//! been, or says a sentence, ends with status 2, and leaves no unfinished file. It neither aborts nor hangs.
//!
//! Each time the tool is a process of its own: this program, whose allocator refuses what [`refusing`] says. Memory that C takes
//! (zstd) is not refused. The tests go through a sample of the requests; `NDBYTES_ONE_IN=1` takes more of them.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

#[cfg(unix)]
mod asking;
#[cfg(unix)]
#[path = "../../crates/cli/src/memory.rs"]
mod memory;
#[cfg(unix)]
mod refusing;
#[cfg(unix)]
#[path = "../it/bounds/table.rs"]
#[allow(dead_code, reason = "the tests of `it` use the rest")]
mod table;

use std::process::ExitCode;

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: memory::Noting<refusing::Refusing> = memory::Noting(refusing::Refusing);

#[cfg(unix)]
fn main() -> ExitCode {
    if std::env::var_os(refusing::REFUSES).is_none() {
        return asking::main();
    }
    // As the tool begins.
    ExitCode::from(memory::answering(|| {
        refusing::begin();
        let status = ndbytes_cli::run_as_process(std::env::args_os());
        refusing::end();
        status
    }))
}

/// Elsewhere the tool has the system's allocator as it is.
#[cfg(not(unix))]
fn main() -> ExitCode {
    println!("not run: the tool answers refusals on Unix alone");
    ExitCode::SUCCESS
}
