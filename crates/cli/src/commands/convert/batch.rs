//! Converts many files, each separately, into a directory.
//!
//! Each file is converted independently with its own limits, and a failure does not stop the others. If two inputs
//! would get the same output name, the second is an error: a run never overwrites its own output.

use super::arguments::Arguments;
use super::single::one;
use crate::commands::check::walk::{Files, Found, Walking, words};
use crate::commands::out::leads_out;
use crate::context::{Context, Outcome};
use crate::show::progress::Progress;
use crate::show::style::{counted, grouped};
use crate::show::text;
use indicatif::ProgressDrawTarget;
use ndbytes::names::Name;
use ndbytes::walk::{Problem, Starts};
use ndbytes::{Checker, Depth, FileId};
use ndbytes_convert::FileKind;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Converts each input file into a directory. A file that cannot be converted is reported, and the others are still
/// converted.
pub fn run(
    arguments: &Arguments,
    (starts, inputs): (Starts<'_>, &[PathBuf]),
    (folder, kind): (&Path, FileKind),
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    // Each conversion shows its own progress bar, if any.
    let progress = Progress::new(ProgressDrawTarget::hidden());
    let walking = Walking::default();
    let mut files = match Files::of(starts, &walking, context.limits, None, &progress) {
        Ok(files) => files,
        Err(problem) => {
            context.complain(&problem)?;
            return Ok(Outcome::Unreadable);
        }
    };
    let own = FileId::of(folder).ok();
    let mut batch = Batch { arguments, inputs, folder, kind, written: HashSet::new(), done: 0, failed: 0, others: 0 };
    let mut worst = Outcome::Clean;
    let limits = context.limits;
    for file in files.by_ref() {
        // Skip copies from an earlier run that are below an input directory.
        let is_copy = |file: &Found| file.path.ancestors().skip(1).any(|around| FileId::of(around).ok() == own);
        if own.is_some() && file.as_ref().is_ok_and(is_copy) {
            continue;
        }
        context.limits = limits.started();
        worst = worst.max(batch.take(file, context)?);
    }
    let passed = files.passed().to_string();
    context.note_passed(&passed)?;
    batch.end(worst, context)
}

/// The conversion of many files, and its counts.
struct Batch<'b> {
    arguments: &'b Arguments,
    inputs: &'b [PathBuf],
    folder: &'b Path,
    kind: FileKind,
    written: HashSet<PathBuf>,
    done: u64,
    failed: u64,
    others: u64,
}

impl Batch<'_> {
    /// Converts a file that the walk found, or counts it as skipped or failed. An unknown format is a failure only for
    /// named files, since a directory may contain any other files.
    fn take(&mut self, file: Result<Found, Problem>, context: &mut Context<'_>) -> io::Result<Outcome> {
        let file = match file {
            Ok(file) => file,
            Err(problem) => return self.fail(&words(&problem), context),
        };
        if !file.is_named && is_other(&file.path, context) {
            self.others += 1;
            return Ok(Outcome::Clean);
        }
        let target = self.folder.join(place(&file.path, self.inputs, self.kind));
        if !self.written.insert(target.clone()) {
            let (path, target) = (text::path(&file.path), text::path(&target));
            return self.fail(&format!("{path}: another file is written to {target}"), context);
        }
        if let Some(refusal) = leads_out(self.folder, &target) {
            return self.fail(&refusal, context);
        }
        if let Some(parent) = target.parent()
            && let Err(error) = fs::create_dir_all(parent)
        {
            return self.fail(&format!("{}: {error}", text::path(parent)), context);
        }
        let ended = one(self.arguments, &[file.path], &target, context)?;
        *(if ended == Outcome::Clean { &mut self.done } else { &mut self.failed }) += 1;
        Ok(ended)
    }

    /// Counts a failure and reports it. The conversion of the other files continues.
    fn fail(&mut self, words: &str, context: &mut Context<'_>) -> io::Result<Outcome> {
        self.failed += 1;
        context.complain(words)?;
        Ok(Outcome::Unreadable)
    }

    /// Prints how many files were converted, and returns the overall outcome.
    fn end(self, worst: Outcome, context: &mut Context<'_>) -> io::Result<Outcome> {
        let Batch { done, failed, others, .. } = self;
        if !context.quiet {
            let mut sum = format!("{} converted", counted(done, "file"));
            for (count, words) in [(failed, "not converted"), (others, "of other formats")] {
                sum += &if count > 0 { format!("; {} {words}", grouped(count)) } else { String::new() };
            }
            // There is nowhere to report a failure here.
            let _ = writeln!(context.err, "{sum}").and_then(|()| context.err.flush());
        }
        match (done, worst) {
            (0, Outcome::Clean) => {
                context.complain("nothing was converted: found no file in a known format")?;
                Ok(Outcome::Unreadable)
            }
            _ => Ok(worst),
        }
    }
}

/// Returns whether a file cannot be converted because neither its content nor its name suggests a known kind.
fn is_other(path: &Path, context: &Context<'_>) -> bool {
    let checker = Checker::new().depth(Depth::Structure).limits(context.limits);
    let is_foreign = checker.check(path).is_ok_and(|report| report.is_foreign());
    is_foreign && FileKind::of_path(path).is_none()
}

/// Returns the path of a converted file in the output directory, with the extension of the kind. This is the path
/// relative to the input directory, the relative path in a list, or else the name of the file.
fn place(path: &Path, inputs: &[PathBuf], kind: FileKind) -> PathBuf {
    let inside = inputs.iter().filter_map(|input| path.strip_prefix(input).ok());
    let inside = inside.filter(|rest| !rest.as_os_str().is_empty()).min_by_key(|rest| rest.as_os_str().len());
    let is_listed = !inputs.iter().any(|input| input == path);
    let from_here = path.strip_prefix(".").unwrap_or(path);
    let from_here = Some(from_here).filter(|path| path.components().all(|part| matches!(part, Component::Normal(_))));
    let inside = inside.or(from_here.filter(|_| is_listed));
    let inside = inside.unwrap_or_else(|| path.file_name().map_or(Path::new(""), Path::new));
    let name = inside.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = stem(&name);
    inside.with_file_name(format!("{stem}.{}", kind.name()))
}

/// Returns the name of a file without the extension of its kind.
fn stem(name: &str) -> &str {
    let known = Name::of(name);
    let plain = if known.is_some_and(|known| known.is_gzip) { &name[..name.len() - ".gz".len()] } else { name };
    let has_extension = match known {
        Some(known) => known.form.extension().is_some(),
        None => FileKind::of_path(Path::new(plain)).is_some(),
    };
    match plain.rsplit_once('.') {
        Some((stem, _)) if has_extension && !stem.is_empty() => stem,
        _ => plain,
    }
}
