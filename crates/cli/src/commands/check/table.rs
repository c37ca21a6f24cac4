//! The formats arrow and parquet: tables about many files.

use super::arguments::{Arguments, FormatArgument, NOTHING, TableArgument};
use super::walk::{Files, Found};
use crate::commands::out::{Content, Out};
use crate::context::{Context, Outcome, StandardInput, lock};
use crate::contract::Demands;
use crate::show::finding_text::help;
use crate::show::printer::Printer;
use crate::show::progress::Progress;
use crate::show::text::{self, is_standard};
use ndbytes::walk::Problem;
use ndbytes::{FileId, Verdict};
use ndbytes_arrow::Error;
use ndbytes_arrow::lake::{Examined, Examiner, InOrder, Known, Options, Rows, Run, Sink, Table};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Results are passed on after this time, so that a killed run leaves some of them.
const LATEST: Duration = Duration::from_secs(5);

impl From<TableArgument> for Table {
    fn from(table: TableArgument) -> Self {
        match table {
            TableArgument::Findings => Table::Findings,
            TableArgument::Files => Table::Files,
            TableArgument::Columns => Table::Columns,
        }
    }
}

/// The reason why a run ends early.
enum Stop {
    /// A sentence for the user.
    Words(String),
    /// Standard output failed.
    Stream(io::Error),
}

impl<E: Into<Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        match error.into().into_io() {
            Ok(error) => Stop::Stream(error),
            Err(error) => Stop::Words(error.to_string()),
        }
    }
}

/// Writes the table. An error of the output stream ends the program; any other error is printed, with the same outcome
/// as for an unreadable path.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let progress = &context.progress();
    match write(arguments, progress, context) {
        Ok(outcome) => Ok(outcome),
        Err(Stop::Stream(error)) => Err(error),
        Err(Stop::Words(words)) => progress.aside(|| context.complain(&words)).map(|()| Outcome::Unreadable),
    }
}

/// Writes the rows of all files to `--out` or to standard output, batch by batch.
fn write(arguments: &Arguments, progress: &Progress, context: &mut Context<'_>) -> Result<Outcome, Stop> {
    let out = arguments.tables.out.as_deref().filter(|path| !is_standard(path));
    if let Some(refusal) = refusal(arguments, out, context) {
        return Err(Stop::Words(refusal));
    }
    let options = Options::new().profile(arguments.profile.into()).depth(arguments.depth.into()).limits(context.limits);
    let contract = arguments.config.contract().map_err(Stop::Words)?;
    let options = options.digest(arguments.tables.digest).help(help).demands(contract.as_ref().map(|it| it.digest));
    let demands = &Demands::new(contract, arguments.depth.into());
    let run = Run::now(&options);
    let known = known(arguments, &options, context)?;
    let table = arguments.tables.table.into();
    let schema = run.note(&Table::schema(table));
    let examiner = Examiner::new(table, &options).known(&known).judge(demands);
    let mut rows = Rows::new(table, &options).known(&known);
    let input = context.input;
    let starts = arguments.starts(&arguments.paths, input).map_err(Stop::Words)?;
    let mut files = Files::of(starts, &arguments.walking, context.limits, None, progress).map_err(Stop::Words)?;
    let examine = |file: &Result<Found, Problem>| examined(file, &examiner, input, progress);
    let mut sink = match out {
        None => Sink::stream(context.out.machine(), &schema)?,
        Some(path) if arguments.format() == FormatArgument::Parquet => Sink::parquet(path, &schema)?,
        Some(path) => Sink::arrow(path, &schema)?,
    };
    // Without `--force`, no file in a known format is replaced.
    let taken = out.filter(|_| arguments.tables.force).and_then(|path| FileId::of(path).ok());
    let (mut outcome, mut written, mut is_empty) = (Outcome::Clean, Instant::now(), true);
    for (file, examined) in InOrder::new(files.by_ref(), examine) {
        if let Ok(file) = &file {
            ensure_not_taken(&file.path, taken.as_ref())?;
            if examined.is_foreign() && file.may_be_foreign(arguments.walking.unknown) && !demands.knows(&file.path) {
                continue;
            }
        }
        is_empty = false;
        if let Some(reason) = examined.reason() {
            progress.aside(|| complain_of(&file, reason, &mut context.err));
            outcome = Outcome::Unreadable;
        }
        outcome = outcome.max(judged(&examined, arguments));
        rows.push(examined);
        while rows.is_full() || (written.elapsed() > LATEST && !rows.is_empty()) {
            sink.write(&rows.take()?)?;
            written = Instant::now();
        }
    }
    finish(sink, rows)?;
    context.note_passed(&files.passed().to_string()).map_err(Stop::Stream)?;
    match is_empty {
        true => Err(Stop::Words(NOTHING.to_owned())),
        false => Ok(outcome),
    }
}

/// Writes the remaining rows and ends the table.
fn finish(mut sink: Sink<'_>, mut rows: Rows<'_>) -> Result<(), Stop> {
    while !rows.is_empty() {
        sink.write(&rows.take()?)?;
    }
    Ok(sink.finish()?)
}

/// Examines a file, or reports why it was not read.
fn examined(
    file: &Result<Found, Problem>,
    examiner: &Examiner<'_>,
    input: &StandardInput<'_>,
    progress: &Progress,
) -> Examined {
    match file {
        Ok(file) => {
            let _at_hand = progress.begin(&file.path, file.length);
            match is_standard(&file.path) {
                true => examiner.examine_reader(&file.path, &mut *lock(input)),
                false => examiner.examine_listed(&file.path, file.stat),
            }
        }
        Err(problem) => Examined::unreadable(problem.path.as_deref().unwrap_or(Path::new("")), problem.reason.clone()),
    }
}

/// Refuses to replace a file that is being checked.
fn ensure_not_taken(path: &Path, taken: Option<&FileId>) -> Result<(), Stop> {
    match taken {
        Some(taken) if FileId::of(path).is_ok_and(|id| id == *taken) => {
            Err(Stop::Words(format!("{} is one of the files to check, so it is not replaced", text::path(path))))
        }
        _ => Ok(()),
    }
}

/// Reports why a file was not read.
fn complain_of(file: &Result<Found, Problem>, reason: &str, err: &mut Printer<'_>) {
    let path = file.as_ref().map_or_else(|problem| problem.path.as_deref(), |file| Some(&file.path));
    let path = path.map_or_else(String::new, |path| format!("{}: ", text::path(path)));
    // There is nowhere to report a failure here.
    let _ = writeln!(err, "error: {path}{}", text::Shown(reason));
}

/// Returns the exit status that a file contributes. `--deny-warnings` makes warnings count as findings.
fn judged(examined: &Examined, arguments: &Arguments) -> Outcome {
    match examined.verdict() {
        Verdict::Error => Outcome::Findings,
        Verdict::Warning | Verdict::Unforeseen if arguments.deny_warnings => Outcome::Findings,
        Verdict::Warning | Verdict::Unforeseen | Verdict::Ok => Outcome::Clean,
    }
}

/// Returns why the table must not be written, or `None` if it may be.
fn refusal(arguments: &Arguments, out: Option<&Path>, context: &Context<'_>) -> Option<String> {
    if arguments.format() == FormatArgument::Parquet && out.is_none() {
        return Some("the format parquet needs `--out FILE`".to_owned());
    }
    let path = out.unwrap_or(Path::new("-"));
    let inputs = arguments.paths.iter().chain(&arguments.listed.files_from);
    let refused = |input: &Path| {
        let force = arguments.tables.force;
        Out { path, input, is_walked: true, force, content: Content::Binary }.refusal(context)
    };
    inputs.into_iter().find_map(|input| refused(input))
}

/// Returns the rows of earlier runs. An unusable table is an error; a truncated one is used up to its end, with a note.
fn known(arguments: &Arguments, options: &Options, context: &mut Context<'_>) -> Result<Known, Stop> {
    let mut known = Known::new();
    for path in &arguments.tables.since {
        let shown = text::path(path);
        match known.read(path, options) {
            Ok(true) => {}
            Ok(false) => note(&format!("{shown} is truncated; its complete rows are used"), context),
            Err(words) => return Err(Stop::Words(format!("`--since {shown}` cannot be used: {words}"))),
        }
    }
    Ok(known)
}

/// Prints a note that does not change the exit status.
fn note(words: &str, context: &mut Context<'_>) {
    // There is nowhere to report a failure here.
    let _ = writeln!(context.err, "note: {}", text::Shown(words)).and_then(|()| context.err.flush());
}
