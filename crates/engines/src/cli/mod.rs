//! The command line of `ndbytes-engine`.

mod executor;
mod scheduler;
mod sql;

use clap::{Parser, Subcommand};
use datafusion::common::{DataFusionError, Result};
use std::ffi::OsString;
use std::io::{self, Write};
use std::net::ToSocketAddrs;
use tokio::runtime::Runtime;

/// SQL over IDX, RawArray, IDV, b2nd and .npy files, on one machine and on many.
///
/// Exit status: 0 done, 2 wrong usage, a query that fails, or a file that cannot be read.
#[derive(Debug, Parser)]
#[command(name = "ndbytes-engine", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Sql(sql::Arguments),
    Scheduler(scheduler::Arguments),
    Executor(executor::Arguments),
}

/// Runs the program, and returns the exit status. `arguments` begin with the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // A failure here cannot be reported to anybody.
            let _ = error.print();
            return if error.use_stderr() { 2 } else { 0 };
        }
    };
    let ended = Runtime::new().map_err(DataFusionError::IoError).and_then(|runtime| {
        let ended = runtime.block_on(async {
            match cli.command {
                Command::Sql(arguments) => arguments.run().await,
                Command::Scheduler(arguments) => arguments.run().await,
                Command::Executor(arguments) => arguments.run().await,
            }
        });
        // A file that is being read when all rows are there is not waited for.
        runtime.shutdown_background();
        ended
    });
    match ended {
        Ok(()) => 0,
        Err(error) if is_closed(&error) => 0,
        Err(error) => {
            let message = crate::show::shown(&words(&error).replace('\n', " "));
            let _ = writeln!(io::stderr(), "error: {message}");
            2
        }
    }
}

/// The reader of the output has closed it.
fn is_closed(error: &DataFusionError) -> bool {
    matches!(error, DataFusionError::IoError(error) if error.kind() == io::ErrorKind::BrokenPipe)
}

/// The innermost error alone: what engines put around it is no help.
fn words(error: &DataFusionError) -> String {
    match error.find_root() {
        DataFusionError::Plan(text) | DataFusionError::Execution(text) | DataFusionError::Configuration(text) => {
            text.clone()
        }
        DataFusionError::External(error) => error.to_string(),
        DataFusionError::IoError(error) => error.to_string(),
        other => other.strip_backtrace(),
    }
}

/// A number of bytes, such as 512M.
fn bytes(text: &str) -> std::result::Result<u64, String> {
    let unexpected = || "a number of bytes is expected, such as 1048576, 64M or 2G".to_owned();
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let shift = match text[digits..].to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(unexpected()),
    };
    let number: u64 = text[..digits].parse().map_err(|_| unexpected())?;
    number.checked_mul(1 << shift).ok_or_else(|| "too many bytes".into())
}

/// A host and a port.
fn host_port(text: &str) -> std::result::Result<(String, u16), String> {
    let parts = text.rsplit_once(':').and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?)));
    parts.filter(|(host, _)| !host.is_empty()).ok_or_else(|| "HOST:PORT is expected, such as localhost:50050".into())
}

/// The address of a host and a port.
fn resolve((host, port): &(String, u16)) -> Result<std::net::SocketAddr> {
    let mut found = (host.as_str(), *port).to_socket_addrs().map_err(DataFusionError::IoError)?;
    found.next().ok_or_else(|| DataFusionError::Configuration(format!("the host {host:?} has no address")))
}

/// Runs a process of a cluster until it fails, or until it is told to end.
async fn until_told(work: impl Future<Output = Result<()>>, with_input: bool) -> Result<()> {
    let (sender, closed) = tokio::sync::oneshot::channel();
    if with_input {
        std::thread::spawn(move || {
            let _ = io::copy(&mut io::stdin(), &mut io::sink());
            let _ = sender.send(());
        });
        tokio::select! {
            ended = work => ended,
            _ = closed => Ok(()),
        }
    } else {
        work.await
    }
}
