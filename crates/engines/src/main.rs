//! The program `ndbytes-engine`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ndbytes_engine::cli::run(std::env::args_os()).into()
}
