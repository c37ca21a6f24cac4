//! The command line of `ndbytes-engine`.

mod arguments;
#[cfg(feature = "cluster")]
mod executor;
#[cfg(feature = "cluster")]
mod lifetime;
#[cfg(feature = "cluster")]
mod scheduler;
mod sql;

use clap::{Parser, Subcommand};
use datafusion::common::DataFusionError;
use std::ffi::OsString;
use std::io::{self, Write};
use tokio::runtime::Runtime;

/// Query IDX, RawArray, IDV, b2nd and .npy files with SQL, on one machine or on many.
///
/// Exit status: 0 on success, 2 for wrong usage, a query that fails, or a file that cannot be read.
#[derive(Debug, Parser)]
#[command(name = "ndbytes-engine", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Sql(sql::Arguments),
    #[cfg(feature = "cluster")]
    Scheduler(scheduler::Arguments),
    #[cfg(feature = "cluster")]
    Executor(executor::Arguments),
}

/// Runs the program and returns the exit status. `arguments` begin with the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // There is nowhere to report a failure here.
            let _ = error.print();
            return if error.use_stderr() { 2 } else { 0 };
        }
    };
    let ended = Runtime::new().map_err(DataFusionError::IoError).and_then(|runtime| {
        let ended = runtime.block_on(async {
            match cli.command {
                Command::Sql(arguments) => arguments.run().await,
                #[cfg(feature = "cluster")]
                Command::Scheduler(arguments) => arguments.run().await,
                #[cfg(feature = "cluster")]
                Command::Executor(arguments) => arguments.run().await,
            }
        });
        // Once all rows have arrived, files that are still being read do not delay the end.
        runtime.shutdown_background();
        ended
    });
    match ended {
        Ok(()) => 0,
        Err(error) if is_closed(&error) => 0,
        Err(error) => {
            let message = crate::show::shown(&crate::told::message(&error).replace('\n', " "));
            let _ = writeln!(io::stderr(), "error: {message}");
            2
        }
    }
}

/// Returns whether the reader of the output has closed it.
fn is_closed(error: &DataFusionError) -> bool {
    matches!(error, DataFusionError::IoError(error) if error.kind() == io::ErrorKind::BrokenPipe)
}
