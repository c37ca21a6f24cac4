//! The arguments of the tool, and which subcommand they call.

use crate::commands::{
    cat, check, completions, diff, examples, explain, fix, forge, git, info, man, rules, schema, seal, show, stats,
    textconv,
};
#[cfg(feature = "convert")]
use crate::commands::{convert, merge};
use crate::context::{Context, Outcome};
use crate::show::bounded::{Bounded, OutputLimit};
use crate::show::printer::Printer;
use crate::stores::StoreArguments;
use crate::streams::Streams;
use crate::values::size::number_of_bytes;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use ndbytes::Limits;
use std::ffi::OsString;
use std::io;
use std::sync::Mutex;
use std::time::Duration;

/// The implementation of zstd.
#[cfg(feature = "zstd")]
macro_rules! zstd_kind {
    () => {
        "(reference implementation, in C)"
    };
}
#[cfg(not(feature = "zstd"))]
macro_rules! zstd_kind {
    () => {
        "(in Rust alone)"
    };
}

/// The widest line of a help text.
const HELP_WIDTH: usize = 100;

/// Reads, strictly validates and explains files of arrays and tables: IDX (MNIST), RawArray, IDV (ML.NET), b2nd
/// (Blosc2), .npy (NumPy).
///
/// PATH may be `-` for standard input, the directory of a sparse b2nd frame, or a member of a zip archive:
/// `model.zip!path/to/Schema`, `store.b2z!g/x.b2nd`. It may be an URL: https://, s3://, gs:// or az://. Exit status: 0 without errors (warnings are allowed), 1 with
/// errors, 2 for wrong usage or a path that cannot be read.
#[derive(Debug, Parser)]
#[command(name = "ndbytes", version, long_version = LONG_VERSION)]
struct Cli {
    /// When to use colour. `auto`: on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    color: ColourArgument,
    /// Maximum additional memory per file, beyond the file's own length, e.g. 512M, 1.5G or 8GiB.
    #[arg(long, global = true, value_name = "BYTES", default_value = "1G", value_parser = number_of_bytes)]
    max_memory: u64,
    /// Maximum size of the output, printed or written to a file, e.g. 10M or 1TiB.
    #[arg(long, global = true, value_name = "BYTES", default_value = "64G", value_parser = number_of_bytes)]
    max_output: u64,
    /// Maximum number of seconds per file; for `diff`, `merge` and `convert`, in total.
    #[arg(long, global = true, value_name = "SECONDS", value_parser = parse_seconds)]
    max_time: Option<Duration>,
    /// Suppress warnings and notes on standard error. With `check`, suppress all output; only set the exit status.
    #[arg(short, long, global = true)]
    quiet: bool,
    #[command(flatten)]
    stores: StoreArguments,
    #[command(subcommand)]
    command: Command,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum ColourArgument {
    #[default]
    Auto,
    Always,
    Never,
}

impl ColourArgument {
    /// Returns whether a stream gets colours, of which `auto` is known.
    fn wanted(self, auto: bool) -> bool {
        match self {
            ColourArgument::Auto => auto,
            ColourArgument::Always => true,
            ColourArgument::Never => false,
        }
    }
}

/// The version, and what the tool is built with.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\n\nformats: IDX, RawArray, IDV, b2nd, .npy; around them gzip, zip\n",
    "codecs:  deflate, zlib, blosclz, LZ4, zstd ",
    zstd_kind!()
);

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Arguments),
    Check(check::Arguments),
    Fix(fix::Arguments),
    Seal(seal::Arguments),
    Explain(explain::Arguments),
    Cat(cat::Arguments),
    Show(show::Arguments),
    Stats(stats::Arguments),
    Diff(diff::Arguments),
    #[cfg(feature = "convert")]
    Convert(convert::Arguments),
    #[cfg(feature = "convert")]
    Merge(merge::Arguments),
    Forge(Box<forge::Arguments>),
    Rules(rules::Arguments),
    Schema(schema::Arguments),
    Textconv(textconv::Arguments),
    Git(git::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// The command line of the tool.
pub fn command_line() -> clap::Command {
    let examples = |command: clap::Command| match examples::text(command.get_name()) {
        Some(text) => command.after_long_help(text),
        None => command,
    };
    Cli::command().mut_subcommands(examples)
}

/// Runs the tool, and returns the exit status. `arguments` begin with the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>, streams: Streams<'_>) -> u8 {
    let Streams { input, out, err, is_terminal, width, out_colours, err_colours, display, progress, files } = streams;
    let arguments = parse(arguments, width);
    let mut limits = Limits::default();
    let (mut out_colours, mut err_colours) = (out_colours, err_colours);
    if let Ok(cli) = &arguments {
        (out_colours, err_colours) = (cli.color.wanted(out_colours), cli.color.wanted(err_colours));
        limits = limits.memory(cli.max_memory).output(cli.max_output);
        limits.time = cli.max_time;
    }
    let quiet = arguments.as_ref().is_ok_and(|cli| cli.quiet);
    let input = Mutex::new(input);
    let mut out = Bounded::new(out, limits.output);
    let (out, err) = (Printer::new(&mut out, out_colours), Printer::new(err, err_colours));
    let context = &mut Context { limits, input: &input, out, err, width, is_terminal, display, progress, files, quiet };
    let ended = match arguments {
        Ok(cli) => match cli.stores.within(|| run_command(&cli.command, context)) {
            Ok(ended) => ended,
            Err(problem) => context.complain(&problem).map(|()| Outcome::Unreadable),
        },
        Err(error) => explain_usage(&error, context),
    };
    match ended.and_then(|outcome| context.out.flush().map(|()| outcome)) {
        Ok(outcome) => outcome.status(),
        // The reader of the output has closed it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Outcome::Clean.status(),
        Err(error) if error.get_ref().is_some_and(|error| error.is::<OutputLimit>()) => {
            context.complain_alone(&format!("{error}: `--max-output` allows more"));
            Outcome::Findings.status()
        }
        Err(error) => {
            // What is left of the output cannot be written either.
            context.complain_alone(&format!("standard output: {error}"));
            Outcome::Unreadable.status()
        }
    }
}

fn parse(arguments: impl IntoIterator<Item = OsString>, width: Option<usize>) -> Result<Cli, clap::Error> {
    let mut command = command_line().term_width(width.unwrap_or(HELP_WIDTH).min(HELP_WIDTH));
    let matches = command.try_get_matches_from_mut(arguments)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Prints the help that was requested, or the error in the arguments.
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
        Command::Fix(arguments) => fix::run(arguments, context),
        Command::Seal(arguments) => seal::run(arguments, context),
        Command::Explain(arguments) => explain::run(arguments, context),
        Command::Cat(arguments) => cat::run(arguments, context),
        Command::Show(arguments) => show::run(arguments, context),
        Command::Stats(arguments) => stats::run(arguments, context),
        Command::Diff(arguments) => diff::run(arguments, context),
        #[cfg(feature = "convert")]
        Command::Convert(arguments) => convert::run(arguments, context),
        #[cfg(feature = "convert")]
        Command::Merge(arguments) => merge::run(arguments, context),
        Command::Forge(arguments) => forge::run(arguments, context),
        Command::Rules(arguments) => rules::run(arguments, context),
        Command::Schema(arguments) => schema::run(arguments, context),
        Command::Textconv(arguments) => textconv::run(arguments, context),
        Command::Git(arguments) => git::run(arguments, context),
        Command::Completions(arguments) => completions::run(arguments, command_line(), context),
        Command::Man(arguments) => man::run(arguments, command_line(), context),
    }
}

/// A number of seconds, which may have a fraction.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "a number of seconds is expected, such as 10 or 0.5".into())
}
