//! Many conversions: each file by itself, into a folder.

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

/// Converts each file of the inputs into a folder. A file that cannot be converted is reported, and the others follow.
pub fn run(
    arguments: &Arguments,
    (starts, inputs): (Starts<'_>, &[PathBuf]),
    (folder, kind): (&Path, FileKind),
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    // Each file has a bar of its own, if one is shown.
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
        // Copies of an earlier run, below a folder that is converted.
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

/// Conversions of many files, and their numbers.
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
            return self.fail(&format!("{path}: another file is {target} already"), context);
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

    fn fail(&mut self, words: &str, context: &mut Context<'_>) -> io::Result<Outcome> {
        self.failed += 1;
        context.complain(words)?;
        Ok(Outcome::Unreadable)
    }

    /// Says how many files were converted, and returns the outcome of all.
    fn end(self, worst: Outcome, context: &mut Context<'_>) -> io::Result<Outcome> {
        let Batch { done, failed, others, .. } = self;
        if !context.quiet {
            let mut sum = format!("{} converted", counted(done, "file"));
            for (count, words) in [(failed, "not converted"), (others, "of other formats")] {
                sum += &if count > 0 { format!("; {} {words}", grouped(count)) } else { String::new() };
            }
            // A failure here cannot be reported to anybody.
            let _ = writeln!(context.err, "{sum}").and_then(|()| context.err.flush());
        }
        match (done, worst) {
            (0, Outcome::Clean) => {
                context.complain("nothing was converted: no file of a known format was found")?;
                Ok(Outcome::Unreadable)
            }
            _ => Ok(worst),
        }
    }
}

/// Returns whether a file in a folder is of no kind that is converted.
fn is_other(path: &Path, context: &Context<'_>) -> bool {
    let checker = Checker::new().depth(Depth::Structure).limits(context.limits);
    let is_foreign = checker.check(path).is_ok_and(|report| report.is_foreign());
    is_foreign && FileKind::of_path(path).is_none()
}

/// The path of a converted file below the folder, with the extension of the kind. It keeps its place in the folder that was
/// named, or the relative path that a list gives. Otherwise it is its name.
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

/// The name of a file without the extension of its kind.
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
