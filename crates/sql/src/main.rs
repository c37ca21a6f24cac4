//! The program `ndbytes-engine`.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

use std::process::ExitCode;

fn main() -> ExitCode {
    ndbytes_engine::cli::run(std::env::args_os()).into()
}
