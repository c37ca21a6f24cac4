//! The command-line tool `ndbytes`. The library of this crate does the work.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

use std::process::ExitCode;

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: everybyte_refused::Noting = everybyte_refused::Noting(std::alloc::System);

fn main() -> ExitCode {
    let tool = || ndbytes_cli::run_as_process(std::env::args_os());
    ExitCode::from(everybyte_refused::answering(ndbytes_cli::REFUSED, tool))
}
