//! Converts one or more files to a single file.

use super::arguments::Arguments;
use super::opened::Opened;
use crate::commands::out::{Content, Out};
use crate::context::{Context, Outcome};
use crate::report::{refuse, written};
use crate::show::style::WARNING;
use crate::show::text::{self, Shown, is_standard};
use crate::values::tolerate::{print_tolerated, print_warnings};
use ndbytes::Format;
use ndbytes::archive::Opened as Archive;
use ndbytes_convert::door::NamedArray;
use ndbytes_convert::{Error as Refusal, FileKind, Loss, Options, Source, Target, Weight, convert};
use std::cell::{Cell, RefCell};
use std::io;
use std::path::{Path, PathBuf};

/// Converts the inputs to one file.
pub fn one(arguments: &Arguments, inputs: &[PathBuf], out: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
    let Arguments { tolerate, to, .. } = arguments;
    // All inputs share one time limit.
    context.limits = context.limits.started();
    let kind = match to.map_or_else(|| kind_of(out), Ok) {
        // An Arrow file cannot be read from a pipe.
        Ok(FileKind::Arrow) if is_standard(out) => FileKind::Arrows,
        Ok(kind) => kind,
        Err(words) => return complain(&words, context),
    };
    let inputs = &members(inputs, kind, context)[..];
    for input in inputs {
        if let Some(refusal) = refusal(arguments, input, out, context) {
            return complain(&refusal, context);
        }
    }
    let mut opened = Vec::new();
    for input in inputs {
        let one = match Opened::open(input, arguments.from, &tolerate.among(inputs.len()), context) {
            Ok(one) => one,
            Err(failure) => return failure.refuse(input, context),
        };
        // If the path ends with a slice or a name, the path of the file itself is known only now.
        if let Some(refusal) = refusal(arguments, one.path(), out, context) {
            return complain(&refusal, context);
        }
        opened.push(one);
    }
    let mut arrays = Vec::new();
    for (one, input) in opened.iter().zip(inputs) {
        match one.arrays() {
            Ok(all) => arrays.push(all),
            Err(Refusal::Library(error)) => return refuse(&error, input, context),
            Err(error) => return complain(&format!("{}: {error}", text::path(input)), context),
        }
    }
    if let Some(words) = several(&opened, &arrays, inputs, kind) {
        return complain(&words, context);
    }
    let (mut sources, mut places) = (Vec::new(), Vec::new());
    for (place, (one, arrays)) in opened.iter().zip(&arrays).enumerate() {
        match one.sources(arrays, &arguments.tables.columns) {
            Ok(all) => {
                places.extend(all.iter().map(|_| place));
                sources.extend(all);
            }
            Err(failure) => return failure.refuse(&inputs[place], context),
        }
    }
    let outcome = write((&sources, &places), (inputs, out, kind), arguments, context)?;
    if outcome == Outcome::Clean {
        print_known(&opened, context)?;
    }
    Ok(outcome)
}

/// Reports the warnings about the inputs, and the errors that were tolerated.
fn print_known(opened: &[Opened], context: &mut Context<'_>) -> io::Result<()> {
    for one in opened {
        let (warnings, tolerated) = one.known();
        print_warnings(one.path(), warnings, context)?;
        print_tolerated(tolerated, context)?;
    }
    Ok(())
}

/// Returns the inputs, with each archive replaced with all of its arrays if the target can hold several.
fn members(inputs: &[PathBuf], kind: FileKind, context: &Context<'_>) -> Vec<PathBuf> {
    let all = |input: &PathBuf| {
        if !kind.holds_several() || !input.is_file() {
            return None;
        }
        let Archive::Archive(archive) = Archive::open(input, context.limits).ok()? else { return None };
        let members = archive.members();
        let are_arrays = members.iter().all(|member| member.format().is_some_and(|format| format != Format::Idv));
        (are_arrays && !members.is_empty()).then(|| members.iter().map(|member| archive.address(member)).collect())
    };
    inputs.iter().flat_map(|input| all(input).unwrap_or_else(|| vec![input.clone()])).collect()
}

/// The maximum number of arrays that a message names.
const MOST_NAMED: usize = 10;

/// Returns why a Zarr store cannot be converted, if it has several arrays but the target holds only one.
fn several(opened: &[Opened], arrays: &[Vec<NamedArray<'_>>], inputs: &[PathBuf], kind: FileKind) -> Option<String> {
    let is_several = |one: &Opened, arrays: &[NamedArray<'_>]| one.is_store() && arrays.len() > 1;
    let mut all = opened.iter().zip(arrays).zip(inputs);
    let ((_, all), input) = all.find(|((one, all), _)| !kind.holds_several() && is_several(one, all))?;
    let names: Vec<&str> = all.iter().take(MOST_NAMED).map(|array| &*array.name).collect();
    let more = if all.len() > names.len() { ", …" } else { "" };
    let (input, kind, count, names) = (text::path(input), kind.title(), all.len(), names.join(", "));
    Some(format!(
        "{input} has {count} arrays, but {kind} holds one: choose one as in {input}!{}; there are {names}{more}",
        all[0].name
    ))
}

/// Returns why the target must not be written, or `None` if it may be.
fn refusal(arguments: &Arguments, input: &Path, out: &Path, context: &Context<'_>) -> Option<String> {
    Out { path: out, input, is_walked: false, force: arguments.force, content: Content::Binary }.refusal(context)
}

/// Reports why nothing was converted.
fn complain(words: &str, context: &mut Context<'_>) -> io::Result<Outcome> {
    context.complain(words)?;
    Ok(Outcome::Unreadable)
}

/// Returns the kind that the name of the target implies.
fn kind_of(out: &Path) -> Result<FileKind, String> {
    let kinds = || FileKind::ALL.map(FileKind::name).join(", ");
    FileKind::of_path(out).ok_or_else(|| match is_standard(out) {
        true => format!("`--to` must name the type of standard output: {}", kinds()),
        false => format!(
            "the type of {} is unknown: give it one of the extensions {}, or use `--to`",
            text::path(out),
            kinds()
        ),
    })
}

/// Converts sources, showing progress. `places` are the indices of the inputs that the sources belong to.
fn write(
    (sources, places): (&[Source<'_>], &[usize]),
    (inputs, out, kind): (&[PathBuf], &Path, FileKind),
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let length = sources.iter().map(Source::length).fold(0, u64::saturating_add);
    let progress = context.progress();
    progress.expect(length);
    progress.all_found();
    // The index of the current source.
    let place = Cell::new(0);
    let result = {
        let at_hand = RefCell::new(progress.begin(&inputs[0], length));
        let advance = |source, bytes| {
            place.set(places[source]);
            at_hand.borrow_mut().advance(bytes);
        };
        let options = Options::new()
            .limits(context.limits)
            .lossy(arguments.lossy)
            .strict(arguments.strict)
            .compress(arguments.compress)
            .zarr_codec(arguments.codec)
            .sheet(arguments.sheet)
            .tables(arguments.tables.options())
            .progress(&advance);
        match is_standard(out) {
            true => convert(sources, kind, Target::Stream(context.out.machine()), &options),
            false => convert(sources, kind, Target::File(out), &options),
        }
    };
    drop(progress);
    match result {
        Ok(losses) => {
            print_losses(&losses, context)?;
            Ok(Outcome::Clean)
        }
        Err(Refusal::Library(error)) => written(Err(error), &inputs[place.get()], context),
        Err(Refusal::Lossy(losses)) => {
            let is_values = losses.iter().any(|loss| loss.weight == Weight::Values);
            let way = if is_values { "`--lossy` drops it" } else { "without `--strict`, it is dropped" };
            complain(&format!("{}; {way}", Refusal::Lossy(losses)), context)
        }
        Err(error) => complain(&refused(&error, &inputs[place.get()], arguments.out_dir.is_some()), context),
    }
}

/// The settings that errors of the libraries mention, and the corresponding options of the tool.
const CHOICES: [(&str, &str); 7] = [
    ("choose the times", "--times"),
    ("choose the keys", "--keys"),
    ("choose the nulls", "--nulls"),
    ("choose a replacement for nulls", "--nulls"),
    ("choose the zones", "--tz"),
    ("choose the texts lossy", "--lossy"),
    ("choose the vectors", "--sparse"),
];

/// Returns why a file cannot be converted, with the option that helps, if any. If there are several files, the message
/// names the file.
fn refused(error: &Refusal, path: &Path, is_among_many: bool) -> String {
    let words = error.to_string();
    let is_named = path.file_name().is_some_and(|name| words.contains(&*name.to_string_lossy()));
    let name = if is_among_many && !is_named { format!("{}: ", text::path(path)) } else { String::new() };
    let option = CHOICES.into_iter().find(|(choice, _)| words.contains(choice));
    let option = option.map_or_else(String::new, |(_, option)| format!(" (`{option}`)"));
    format!("{name}{words}{option}")
}

/// Reports losses of values, one per line, and dropped metadata on a single line.
fn print_losses(losses: &[Loss], context: &mut Context<'_>) -> io::Result<()> {
    context.out.flush()?;
    let (left_out, given_up): (Vec<&Loss>, Vec<&Loss>) =
        losses.iter().partition(|loss| loss.weight == Weight::Metadata);
    if let (Some(first), false) = (left_out.first(), context.quiet) {
        let all: Vec<&str> = left_out.iter().map(|loss| loss.what.as_str()).collect();
        let (kind, all) = (first.kind.title(), all.join(", "));
        writeln!(context.err, "{WARNING}dropped{WARNING:#}: {kind} cannot hold {}", Shown(&all))?;
    }
    for loss in given_up {
        if loss.weight == Weight::Values || !context.quiet {
            writeln!(context.err, "{WARNING}dropped{WARNING:#}: {}", Shown(&loss.to_string()))?;
        }
    }
    context.err.flush()
}
