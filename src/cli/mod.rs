//! The tool: one file a subcommand, thin over the library.

mod array_json;
mod cat;
mod cell;
mod check;
mod clock;
mod columns;
mod diagnostic;
mod explain;
mod export;
mod float_format;
mod html;
mod info;
mod json;
mod numpy_text;
mod real;
mod rules;
mod schema;
mod streams;
mod style;
mod table_json;
mod table_text;

use clap::{Parser, Subcommand};
use ndbytes::{Depth, Input, Limits};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Reads, strictly validates and explains files of arrays and tables: IDX (MNIST), RawArray, IDV (ML.NET), b2nd (Blosc2).
///
/// PATH may be `-` for standard input, the folder of a sparse b2nd frame, or lead into a zip archive:
/// `model.zip!path/to/Schema`. Exit status: 0 clean
/// (warnings allowed), 1 findings of severity error, 2 wrong usage or a path that cannot be read.
#[derive(Debug, Parser)]
#[command(name = "ndbytes", version, max_term_width = 100)]
struct Cli {
    /// How much memory a file may take beyond its own length, such as 512M or 8G.
    #[arg(long, global = true, value_name = "BYTES", default_value = "1G", value_parser = parse_bytes)]
    max_memory: u64,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Arguments),
    Check(check::Arguments),
    Explain(explain::Arguments),
    Cat(cat::Arguments),
    Export(export::Arguments),
    Rules(rules::Arguments),
    Schema(schema::Arguments),
}

/// What a subcommand works with.
struct Context<'a> {
    limits: Limits,
    out: &'a mut dyn Write,
}

/// How a subcommand ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Clean,
    /// At least one finding of severity error.
    Findings,
    /// A path could not be read or written.
    Unreadable,
}

/// How deep files are looked at.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum DepthArgument {
    /// The structure only, whatever the size of the payload.
    Structure,
    /// Everything is decoded.
    #[default]
    Payload,
}

impl From<DepthArgument> for Depth {
    fn from(depth: DepthArgument) -> Self {
        match depth {
            DepthArgument::Structure => Depth::Structure,
            DepthArgument::Payload => Depth::Payload,
        }
    }
}

/// Runs the tool.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = BufWriter::with_capacity(64 << 10, anstream::AutoStream::auto(io::stdout()));
    let context = &mut Context { limits: Limits::default().memory(cli.max_memory), out: &mut out };
    let result = match &cli.command {
        Command::Info(arguments) => info::run(arguments, context),
        Command::Check(arguments) => check::run(arguments, context),
        Command::Explain(arguments) => explain::run(arguments, context),
        Command::Cat(arguments) => cat::run(arguments, context),
        Command::Export(arguments) => export::run(arguments, context),
        Command::Rules(arguments) => rules::run(arguments, context),
        Command::Schema(arguments) => schema::run(arguments, context),
    };
    match result.and_then(|outcome| out.flush().map(|()| outcome)) {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Ok(Outcome::Unreadable) => ExitCode::from(2),
        // Whoever read our output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            std::mem::forget(out);
            ExitCode::SUCCESS
        }
        Err(error) => {
            complain(&format!("cannot write the output: {error}"));
            ExitCode::from(2)
        }
    }
}

/// Opens a path, or standard input for `-`.
fn open(path: &Path, limits: Limits) -> ndbytes::Result<Input<'static>> {
    if path == Path::new("-") { Input::from_reader(io::stdin().lock(), limits) } else { Input::open(path, limits) }
}

/// Says on standard error what went wrong.
fn complain(message: &str) {
    let error = style::ERROR;
    anstream::eprintln!("{error}error{error:#}: {message}");
}

/// Reports what kept a subcommand from its work: a finding goes with the output, anything else to standard error.
fn report(error: &ndbytes::Error, path: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
    match error.finding() {
        Some(finding) => {
            diagnostic::print(finding, path, None, context)?;
            Ok(Outcome::Findings)
        }
        None => {
            let message = match error {
                ndbytes::Error::Archive { .. } => {
                    format!("{} is a zip archive: name one of the IDV streams in it", path.display())
                }
                ndbytes::Error::NoEntry { entry, .. } => {
                    format!("{}: the archive has no entry {entry:?}", path.display())
                }
                // These name the path themselves.
                ndbytes::Error::Io { path: Some(_), .. } => error.to_string(),
                _ => format!("{}: {error}", path.display()),
            };
            complain(&style::harmless(&message));
            if let ndbytes::Error::Archive { streams, more } | ndbytes::Error::NoEntry { streams, more, .. } = error {
                streams::list(streams, *more);
            }
            Ok(Outcome::Unreadable)
        }
    }
}

/// How writing a file of the user's choice ended. What standard output refuses is for [`main`] to judge.
fn written(result: ndbytes::Result<()>, out: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
    match result {
        Ok(()) => Ok(Outcome::Clean),
        Err(ndbytes::Error::Io { path: None, source }) => Err(source),
        Err(error) => report(&error, out, context),
    }
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

/// A path as it is shown.
fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
}

/// The paths of a subcommand that takes several.
#[derive(Debug, clap::Args)]
struct Paths {
    /// Files; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}
