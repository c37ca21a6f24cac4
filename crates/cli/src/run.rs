//! The arguments of the tool, and which subcommand they call.

use crate::commands::{cat, check, diff, explain, export, git, info, rules, schema, textconv};
use crate::context::{Context, Outcome};
use crate::show::bounded::{Bounded, OutputLimit};
use crate::show::printer::Printer;
use crate::streams::Streams;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use ndbytes::Limits;
use std::ffi::OsString;
use std::io;
use std::sync::Mutex;
use std::time::Duration;

/// The widest line of a help text.
const HELP_WIDTH: usize = 100;

/// Reads, strictly validates and explains files of arrays and tables: IDX (MNIST), RawArray, IDV (ML.NET), b2nd (Blosc2), .npy (NumPy).
///
/// PATH may be `-` for standard input, the folder of a sparse b2nd frame, or lead into a zip archive:
/// `model.zip!path/to/Schema`, `store.b2z!g/x.b2nd`. Exit status: 0 clean
/// (warnings allowed), 1 findings of severity error, 2 wrong usage or a path that cannot be read.
#[derive(Debug, Parser)]
#[command(name = "ndbytes", version)]
struct Cli {
    /// The memory that a file may take beyond its own length, such as 512M or 8G.
    #[arg(long, global = true, value_name = "BYTES", default_value = "1G", value_parser = parse_bytes)]
    max_memory: u64,
    /// The most output that may be printed, or written to a file, such as 10M or 1T.
    #[arg(long, global = true, value_name = "BYTES", default_value = "64G", value_parser = parse_bytes)]
    max_output: u64,
    /// How many seconds the work on one file may take.
    #[arg(long, global = true, value_name = "SECONDS", value_parser = parse_seconds)]
    max_time: Option<Duration>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Arguments),
    Check(check::Arguments),
    Explain(explain::Arguments),
    Cat(cat::Arguments),
    Diff(diff::Arguments),
    Export(export::Arguments),
    Rules(rules::Arguments),
    Schema(schema::Arguments),
    Textconv(textconv::Arguments),
    Git(git::Arguments),
}

/// Runs the tool, and returns the exit status. `arguments` begin with the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>, streams: Streams<'_>) -> u8 {
    let Streams { input, out, err, is_terminal, width, out_colours, err_colours, progress, files } = streams;
    let arguments = parse(arguments, width);
    let mut limits = Limits::default();
    if let Ok(cli) = &arguments {
        limits = limits.memory(cli.max_memory).output(cli.max_output);
        limits.time = cli.max_time;
    }
    let input = Mutex::new(input);
    let mut out = Bounded::new(out, limits.output);
    let (out, err) = (Printer::new(&mut out, out_colours), Printer::new(err, err_colours));
    let context = &mut Context { limits, input: &input, out, err, width, is_terminal, progress, files };
    let ended = match arguments {
        Ok(cli) => run_command(&cli.command, context),
        Err(error) => explain_usage(&error, context),
    };
    match ended.and_then(|outcome| context.out.flush().map(|()| outcome)) {
        Ok(outcome) => outcome.status(),
        // The reader of the output has closed it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Outcome::Clean.status(),
        Err(error) if error.get_ref().is_some_and(|error| error.is::<OutputLimit>()) => {
            let _ = context.complain(&format!("{error}: `--max-output` allows more"));
            Outcome::Findings.status()
        }
        Err(error) => {
            // A failure here is the same error again.
            let _ = context.complain(&format!("cannot write the output: {error}"));
            Outcome::Unreadable.status()
        }
    }
}

fn parse(arguments: impl IntoIterator<Item = OsString>, width: Option<usize>) -> Result<Cli, clap::Error> {
    let mut command = Cli::command().term_width(width.unwrap_or(HELP_WIDTH).min(HELP_WIDTH));
    let matches = command.try_get_matches_from_mut(arguments)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Prints the help that was asked for, or the error in the arguments.
fn explain_usage(error: &clap::Error, context: &mut Context<'_>) -> io::Result<Outcome> {
    let text = error.render().ansi().to_string();
    if error.use_stderr() {
        let _ = context.err.text(&text).and_then(|()| context.err.flush());
        return Ok(Outcome::Unreadable);
    }
    context.out.text(&text)?;
    Ok(Outcome::Clean)
}

fn run_command(command: &Command, context: &mut Context<'_>) -> io::Result<Outcome> {
    match command {
        Command::Info(arguments) => info::run(arguments, context),
        Command::Check(arguments) => check::run(arguments, context),
        Command::Explain(arguments) => explain::run(arguments, context),
        Command::Cat(arguments) => cat::run(arguments, context),
        Command::Diff(arguments) => diff::run(arguments, context),
        Command::Export(arguments) => export::run(arguments, context),
        Command::Rules(arguments) => rules::run(arguments, context),
        Command::Schema(arguments) => schema::run(arguments, context),
        Command::Textconv(arguments) => textconv::run(arguments, context),
        Command::Git(arguments) => git::run(arguments, context),
    }
}

/// A number of seconds, which may have a fraction.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "a number of seconds is expected, such as 10 or 0.5".into())
}

/// A number of bytes: digits, perhaps with `K`, `M`, `G` or `T` for powers of 1024.
fn parse_bytes(text: &str) -> Result<u64, String> {
    let unit = |letter: char| "KMGT".find(letter.to_ascii_uppercase()).map(|place| 10 * (place as u32 + 1));
    let (digits, shift) = match text.chars().last().and_then(unit) {
        Some(shift) => (&text[..text.len() - 1], shift),
        None => (text, 0),
    };
    let number: u64 = digits.parse().map_err(|_| "a number of bytes is expected, such as 1048576, 64M or 2G")?;
    number.checked_mul(1 << shift).ok_or_else(|| "too many bytes".into())
}
