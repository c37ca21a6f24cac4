//! The command-line tool `ndbytes`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
