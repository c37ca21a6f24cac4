//! Parses the arguments and calls the subcommand.

use crate::commands::{
    cat, check, completions, diff, examples, explain, fix, forge, git, info, man, rules, schema, seal, show, stats,
    tips,
};
#[cfg(feature = "convert")]
use crate::commands::{convert, merge};
use crate::context::{Context, Outcome, TEXT_WIDTHS};
use crate::show::bounded::{Bounded, OutputLimit};
use crate::show::printer::Printer;
use crate::stores::StoreArguments;
use crate::streams::Streams;
use crate::values::size::number_of_bytes;
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};
use ndbytes::Limits;
use std::ffi::OsString;
use std::io;
use std::sync::Mutex;
use std::time::Duration;

/// The name of the zstd implementation.
#[cfg(feature = "zstd")]
macro_rules! zstd_kind {
    () => {
        "(reference implementation, in C)"
    };
}
#[cfg(not(feature = "zstd"))]
macro_rules! zstd_kind {
    () => {
        "(pure Rust)"
    };
}

/// The maximum width of a line of help text.
const HELP_WIDTH: usize = 100;

/// Inspect, check, repair, compare and convert files of arrays and tables: IDX (MNIST), RawArray, IDV (ML.NET), b2nd
/// (Blosc2) and .npy (NumPy).
#[derive(Debug, Parser)]
#[command(name = "ndbytes", version, long_version = LONG_VERSION, after_help = AFTER_HELP)]
#[command(disable_help_flag = true, disable_version_flag = true, next_help_heading = GLOBAL)]
struct Cli {
    /// Use colours: auto, always or never.
    #[arg(long, global = true, display_order = LAST, value_name = "WHEN", value_enum, default_value_t)]
    #[arg(hide_possible_values = true)]
    color: ColourArgument,
    /// Maximum memory per file beyond its length, e.g. 512M.
    #[arg(long, global = true, display_order = LAST, value_name = "BYTES")]
    #[arg(default_value = "1G", value_parser = number_of_bytes)]
    max_memory: u64,
    /// Maximum size of all output, e.g. 10M or 1TiB.
    #[arg(long, global = true, display_order = LAST, value_name = "BYTES")]
    #[arg(default_value = "64G", value_parser = number_of_bytes)]
    max_output: u64,
    /// Time limit per file (in total for `diff`, `merge` and `convert`).
    #[arg(long, global = true, display_order = LAST, value_name = "SECONDS", value_parser = parse_seconds)]
    max_time: Option<Duration>,
    /// Suppress warnings and notes; `check` prints nothing at all.
    #[arg(short, long, global = true, display_order = LAST)]
    quiet: bool,
    #[command(flatten)]
    stores: StoreArguments,
    #[command(subcommand)]
    command: Command,
}

/// The heading of the options that are common to all commands, which come last in each help text.
const GLOBAL: &str = "Global options";
/// The position after all options of a command.
const LAST: usize = 1000;

/// The end of the tool's help.
const AFTER_HELP: &str = "\
A PATH is a file, a directory of files, `-` for standard input, a sparse b2nd or Zarr directory, a
member of an archive (`model.zip!Schema`), or a URL (https://, s3://, gs://, az://).

Exit status: 0 for no errors (warnings are allowed), 1 for errors or differences, 2 for wrong usage
or a path that cannot be read. `ndbytes help COMMAND` describes a command.";

/// When to use colour.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum ColourArgument {
    #[default]
    Auto,
    Always,
    Never,
}

impl ColourArgument {
    /// Returns whether a stream gets colours. `auto` is the default for this stream.
    fn wanted(self, auto: bool) -> bool {
        match self {
            ColourArgument::Auto => auto,
            ColourArgument::Always => true,
            ColourArgument::Never => false,
        }
    }
}

/// The version, and the features that the tool was built with.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\n\nformats: IDX, RawArray, IDV, b2nd, .npy, safetensors, GGUF; around them gzip, zip\n",
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
    Git(git::Arguments),
    /// `git textconv` under its earlier name.
    #[command(hide = true)]
    Textconv(git::textconv::Arguments),
    #[command(hide = true)]
    Completions(completions::Arguments),
    #[command(hide = true)]
    Man(man::Arguments),
}

/// Returns the command line of the tool.
pub fn command_line() -> clap::Command {
    let examples = |command: clap::Command| match examples::text(command.get_name()) {
        Some(text) => command.after_long_help(text),
        None => command,
    };
    // They are declared here so that they come last.
    let flag = |name: &'static str, short, action, help: &'static str| {
        Arg::new(name).long(name).short(short).action(action).help(help).help_heading(GLOBAL).display_order(LAST + 1)
    };
    let help = flag("help", 'h', ArgAction::Help, "Print help; `-h` prints a summary").global(true);
    let version =
        flag("version", 'V', ArgAction::Version, "Print the version; `--version` also lists formats and codecs");
    Cli::command().arg(help).arg(version).mut_subcommands(examples)
}

/// Runs the tool and returns the exit status. `arguments` begin with the name of the program.
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
    let columns = width.map(|width| width.max(TEXT_WIDTHS.0));
    let (out, err) = (Printer::new(&mut out, out_colours).columns(columns), Printer::new(err, err_colours));
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
        // The reader of the output has closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Outcome::Clean.status(),
        Err(error) if error.get_ref().is_some_and(|error| error.is::<OutputLimit>()) => {
            context.complain_alone(&format!("{error}: `--max-output` allows more"));
            Outcome::Findings.status()
        }
        Err(error) => {
            // The rest of the output cannot be written either.
            context.complain_alone(&format!("standard output: {error}"));
            Outcome::Unreadable.status()
        }
    }
}

fn parse(arguments: impl IntoIterator<Item = OsString>, width: Option<usize>) -> Result<Cli, clap::Error> {
    let mut command = command_line().term_width(width.unwrap_or(HELP_WIDTH).min(HELP_WIDTH));
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let matches = command.try_get_matches_from_mut(&arguments).map_err(|mut error| {
        tips::add(&mut error, &arguments);
        error
    })?;
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
        Command::Textconv(arguments) => git::textconv::run(arguments, context),
        Command::Git(arguments) => git::run(arguments, context),
        Command::Completions(arguments) => completions::run(arguments, command_line(), context),
        Command::Man(arguments) => man::run(arguments, command_line(), context),
    }
}

/// Parses a number of seconds, which may have a fraction.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "expected a number of seconds, such as 10 or 0.5".into())
}
