//! Many conversions: each file by itself, into a folder.

use super::arguments::Arguments;
use super::single::one;
use crate::commands::check::walk::{Files, Walking, words};
use crate::context::{Context, Outcome};
use crate::show::progress::Progress;
use crate::show::style::counted;
use crate::show::text;
use indicatif::ProgressDrawTarget;
use ndbytes::names::Name;
use ndbytes::{Checker, Depth, FileId};
use ndbytes_convert::FileKind;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Converts each file of the inputs into a folder. A file that cannot be converted is reported, and the others follow.
pub fn run(
    arguments: &Arguments,
    inputs: &[PathBuf],
    (folder, kind): (&Path, FileKind),
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let (limits, quiet) = (context.limits, context.quiet);
    let progress = Progress::new(ProgressDrawTarget::hidden());
    let walking = Walking::default();
    let mut files = match Files::new(inputs, &walking, limits, &progress) {
        Ok(files) => files,
        Err(problem) => {
            context.complain(&problem)?;
            return Ok(Outcome::Unreadable);
        }
    };
    let own = FileId::of(folder).ok();
    let (mut worst, mut written, mut done, mut failed, mut others) = (Outcome::Clean, HashSet::new(), 0, 0, 0);
    for file in files.by_ref() {
        let file = match file {
            Ok(file) => file,
            Err(problem) => {
                context.complain(&words(&problem))?;
                (worst, failed) = (worst.max(Outcome::Unreadable), failed + 1);
                continue;
            }
        };
        // Copies of an earlier run, below a folder that is converted.
        if own.is_some() && file.path.ancestors().skip(1).any(|around| FileId::of(around).ok() == own) {
            continue;
        }
        if !file.is_named && is_other(&file.path, context) {
            others += 1;
            continue;
        }
        let target = folder.join(place(&file.path, inputs, kind));
        if !written.insert(target.clone()) {
            context.complain(&format!(
                "{}: another file is {} already",
                text::path(&file.path),
                text::path(&target)
            ))?;
            (worst, failed) = (worst.max(Outcome::Unreadable), failed + 1);
            continue;
        }
        if let Some(parent) = target.parent()
            && let Err(error) = fs::create_dir_all(parent)
        {
            context.complain(&format!("{}: {error}", text::path(parent)))?;
            return Ok(Outcome::Unreadable);
        }
        context.limits = limits.started();
        let ended = one(arguments, &[file.path], &target, context)?;
        worst = worst.max(ended);
        *(if ended == Outcome::Clean { &mut done } else { &mut failed }) += 1;
    }
    let passed = files.passed().to_string();
    drop(files);
    context.note_passed(&passed)?;
    if !quiet {
        let mut sum = format!("{} converted", counted(done, "file"));
        for (count, words) in [(failed, "not converted"), (others, "of other formats")] {
            sum += &if count > 0 { format!("; {count} {words}") } else { String::new() };
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

/// Returns whether a file in a folder is of no kind that is converted.
fn is_other(path: &Path, context: &Context<'_>) -> bool {
    let checker = Checker::new().depth(Depth::Structure).limits(context.limits);
    let is_foreign = checker.check(path).is_ok_and(|report| report.is_foreign());
    is_foreign && FileKind::of_path(path).is_none()
}

/// The path of a converted file below the folder: its place in the folder that was named, under the extension of the kind.
fn place(path: &Path, inputs: &[PathBuf], kind: FileKind) -> PathBuf {
    let inside = inputs.iter().filter_map(|input| path.strip_prefix(input).ok());
    let inside = inside.filter(|rest| !rest.as_os_str().is_empty()).min_by_key(|rest| rest.as_os_str().len());
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
