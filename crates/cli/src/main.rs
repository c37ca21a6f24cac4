//! The command-line tool `ndbytes`. The library beside it does the work.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(ndbytes_cli::run_as_process(std::env::args_os()))
}
