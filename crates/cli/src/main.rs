//! The command-line tool `ndbytes`. The library beside it does the work.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

#[cfg(unix)]
mod memory;

use std::process::ExitCode;

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: memory::Noting = memory::Noting(std::alloc::System);

fn main() -> ExitCode {
    let tool = || ndbytes_cli::run_as_process(std::env::args_os());
    #[cfg(unix)]
    let tool = || memory::answering(tool);
    ExitCode::from(tool())
}
