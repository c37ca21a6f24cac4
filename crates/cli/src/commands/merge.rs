//! `ndbytes merge`
//!
//! Both users and git call it. As git's driver, it gets three temporary files and overwrites ours. In case of a
//! conflict, it leaves ours unchanged and returns 1, and git reports the file. The merge itself is in
//! [`ndbytes_convert::merge`]; this module has the arguments, the questions to the user, and the report.

use crate::commands::out::{Content, Out};
use crate::context::{Context, Outcome, lock};
use crate::report::{refuse, written};
use crate::show::style::{OK, WARNING, counted};
use crate::show::text::{self, Shown, is_standard};
use crate::values::tolerate::print_warnings;
use crate::values::without_rules;
use ndbytes::archive::{Archive, Opened};
use ndbytes::{File, Input, Limits, is_gzip, replace_file};
use ndbytes_convert::Error as Refusal;
use ndbytes_convert::merge::{Conflict, Decide, Merge, Merged, Options, Version, Versions, merge, merge_archives};
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};

/// Merge two edited versions of a file.
///
/// Rows of arrays and tables are matched by content, so insertions and deletions are recognised. If both sides changed a
/// row, its items or cells are merged. Archives, such as .npz, are merged member by member. The result has the format of
/// OURS.
///
/// If both sides changed the same value differently, it is a conflict. Conflicts are listed, and nothing is written
/// unless `--conflicts` resolves them.
///
/// Exit status: 0 if the result was written, 1 if conflicts remain or a file has an error, 2 if a path cannot be read.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file to write; `-` is standard output.
    #[arg(long, short, value_name = "FILE", required_unless_present = "git_driver")]
    out: Option<PathBuf>,
    /// How to resolve conflicts: use our version, theirs or the common base, or ask about each one and read the answer
    /// from standard input.
    #[arg(long, value_name = "HOW", value_enum)]
    conflicts: Option<How>,
    /// Accept the arguments that git passes to a merge driver, `%O %A %B %P`, and overwrite `%A` with the result.
    #[arg(long, conflicts_with_all = ["out", "conflicts"])]
    git_driver: bool,
    /// Overwrite an existing file in a known format, or write binary output to a terminal.
    #[arg(long)]
    force: bool,
    /// The common base, our version and their version. With `--git-driver`, the arguments from git.
    #[arg(required = true, num_args = 3..=4, value_name = "BASE OURS THEIRS")]
    paths: Vec<PathBuf>,
}

/// How conflicts are resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum How {
    Ours,
    Theirs,
    Base,
    Ask,
}

/// The three files, the target, and the name of the file in messages.
struct Request<'a> {
    paths: Versions<&'a Path>,
    out: &'a Path,
    name: &'a Path,
}

impl Arguments {
    /// Returns the request, or a message about the arguments.
    fn request(&self) -> Result<Request<'_>, &'static str> {
        match (&self.paths[..], &self.out) {
            ([base, ours, theirs, name], None) => {
                Ok(Request { paths: Versions { base, ours, theirs }, out: ours, name })
            }
            ([_, _, _], None) => Err("git passes 4 arguments to this merge driver: %O %A %B %P"),
            ([base, ours, theirs], Some(out)) => {
                let standard = [base, ours, theirs].into_iter().filter(|path| is_standard(path)).count();
                let asks = usize::from(self.conflicts == Some(How::Ask));
                if standard + asks > 1 {
                    return Err("standard input can be read only once: for one of the three files, or for answers");
                }
                Ok(Request { paths: Versions { base, ours, theirs }, out, name: out })
            }
            _ => Err("expected three paths: `ndbytes merge BASE OURS THEIRS`"),
        }
    }

    /// Returns why the target must not be written, or `None` if it may be. Git's driver replaces its second argument.
    fn refusal(&self, request: &Request<'_>, context: &Context<'_>) -> Option<String> {
        let Versions { base, ours, theirs } = request.paths;
        let (path, force, content) = (request.out, self.force, Content::Binary);
        let out = |input| Out { path, input, is_walked: false, force, content };
        let refusal = || [base, ours, theirs].into_iter().find_map(|input| out(input).refusal(context));
        if self.git_driver { None } else { refusal() }
    }
}

/// Merges two versions of a file, given their common base. Archives are merged member by member.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    // All three files share one time limit.
    context.limits = context.limits.started();
    let request = match arguments.request() {
        Ok(request) => request,
        Err(message) => return complain(message, context),
    };
    if let Some(refusal) = arguments.refusal(&request, context) {
        return complain(&refusal, context);
    }
    if let Some(archives) = archives(request.paths, context.limits) {
        return run_archives(archives.each_ref(), arguments, &request, context);
    }
    let inputs = request.paths.try_map(|path| context.open(path).map_err(|error| (error, path)));
    let inputs = match inputs {
        Ok(inputs) => inputs,
        Err((error, path)) => return unread(&error, path, context),
    };
    if inputs.base.length() == 0 {
        let name = text::path(request.name);
        return complain(&format!("{name}: {NO_BASE}"), context);
    }
    let gzip = is_gzip(inputs.ours.head());
    let named = inputs.each_ref().zip(request.paths);
    let files = match named.try_map(|(input, path)| read(input, context.limits).map_err(|error| (error, path))) {
        Ok(files) => files,
        Err((error, path)) => return unread(&error, path, context),
    };
    let (files, inputs) = (files.each_ref(), inputs.each_ref());
    let options = Options::new().limits(context.limits).gzip(gzip);
    let found = match decided(|decide| merge(files, &options, decide), arguments.conflicts, context)? {
        Ok(found) => found,
        Err(error) => return refused(&error, &request, context),
    };
    let unit = match files.ours {
        File::Array(_) => "changed items or rows",
        _ => "changed rows or cells",
    };
    let outcome = finish(&found, unit, |version| inputs.of(version).bytes().map(Some), &request, context)?;
    if outcome == Outcome::Clean {
        for (file, path) in [(files.ours, request.paths.ours), (files.theirs, request.paths.theirs)] {
            print_warnings(path, file.warnings(), context)?;
        }
    }
    Ok(outcome)
}

/// Merges archives member by member.
fn run_archives(
    archives: Versions<&Archive<'static>>,
    arguments: &Arguments,
    request: &Request<'_>,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let options = Options::new().limits(context.limits);
    match decided(|decide| merge_archives(archives, &options, decide), arguments.conflicts, context)? {
        Ok(found) => finish(&found, "changed items, rows or members", |_| Ok(None), request, context),
        Err(error) => refused(&error, request, context),
    }
}

/// The message about a file that both sides added, which is not merged.
pub const NO_BASE: &str = "both sides added the file, so there is no common base to merge with";

/// Merges three versions without deciding conflicts, which are part of the result.
pub fn conflicts(paths: Versions<&Path>, limits: Limits) -> Result<Merge, Refusal> {
    let options = Options::new().limits(limits);
    if let Some(archives) = archives(paths, limits) {
        return merge_archives(archives.each_ref(), &options, &mut |_| None);
    }
    let inputs = paths.try_map(|path| Input::open(path, limits))?;
    let files = inputs.each_ref().try_map(|input| read(input, limits))?;
    merge(files.each_ref(), &options, &mut |_| None)
}

/// Returns the conflicts of a merge, one per line.
pub fn listed(found: &Merge) -> Vec<String> {
    let more = found.conflict_count - found.conflicts.len() as u64;
    let more = (more > 0).then(|| format!("and {more} more"));
    found.conflicts.iter().map(ToString::to_string).chain(more).collect()
}

/// Returns the three files as archives, if all of them are.
fn archives(paths: Versions<&Path>, limits: Limits) -> Option<Versions<Archive<'static>>> {
    let archive = |path: &Path| match Opened::open(path, limits) {
        Ok(Opened::Archive(archive)) if archive.input().is_some() && archive.file_of_tensors().is_none() => Ok(archive),
        _ => Err(()),
    };
    if [paths.base, paths.ours, paths.theirs].into_iter().any(is_standard) {
        return None;
    }
    paths.try_map(archive).ok()
}

/// Reports why a version cannot be read.
fn unread(error: &ndbytes::Error, path: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
    let what = "ndbytes does not merge it; convert all three versions to a format that it has rules for";
    match without_rules::refusal(path, what, context) {
        Some(failure) => failure.refuse(path, context),
        None => refuse(error, path, context),
    }
}

/// Reports why nothing is merged.
fn refused(error: &Refusal, request: &Request<'_>, context: &mut Context<'_>) -> io::Result<Outcome> {
    match error {
        Refusal::Library(error) => refuse(error, request.name, context),
        error => complain(&format!("{}: {error}", text::path(request.name)), context),
    }
}

/// Reads a version as an array or a table.
fn read<'i>(input: &'i Input<'static>, limits: Limits) -> ndbytes::Result<File<'i>> {
    ndbytes::Options::new().limits(limits).read(input.again(limits)?)
}

/// Reports why nothing was merged.
fn complain(message: &str, context: &mut Context<'_>) -> io::Result<Outcome> {
    context.complain(message)?;
    Ok(Outcome::Unreadable)
}

/// Merges, and decides conflicts as requested.
fn decided(
    mut merge: impl FnMut(&mut Decide<'_>) -> Result<Merge, Refusal>,
    how: Option<How>,
    context: &mut Context<'_>,
) -> io::Result<Result<Merge, Refusal>> {
    let always = match how {
        Some(How::Ask) => {
            let mut input = lock(context.input);
            let mut asked =
                Asked { answers: BufReader::new(&mut *input), err: &mut context.err, always: None, failed: None };
            let found = merge(&mut |conflict| asked.version(conflict));
            return asked.failed.map_or(Ok(found), Err);
        }
        Some(How::Ours) => Some(Version::Ours),
        Some(How::Theirs) => Some(Version::Theirs),
        Some(How::Base) => Some(Version::Base),
        None => None,
    };
    Ok(merge(&mut |_| always))
}

/// The source of answers about conflicts.
struct Asked<'a, 'p, R: io::Read> {
    answers: BufReader<R>,
    err: &'a mut crate::show::printer::Printer<'p>,
    /// The answer to all remaining questions.
    always: Option<Version>,
    failed: Option<io::Error>,
}

impl<R: io::Read> Asked<'_, '_, R> {
    /// Returns the version to use for a conflict; `None` if there is no answer.
    fn version(&mut self, conflict: &Conflict) -> Option<Version> {
        if self.always.is_some() {
            return self.always;
        }
        match self.ask(conflict) {
            Ok(version) => version,
            Err(error) => {
                self.failed.get_or_insert(error);
                None
            }
        }
    }

    /// Asks about a conflict until the answer is a valid letter. `None` at the end of the input.
    fn ask(&mut self, conflict: &Conflict) -> io::Result<Option<Version>> {
        loop {
            write!(
                self.err,
                "{}\n(o)urs, (t)heirs, (b)ase, (O)urs for all, (T)heirs for all? ",
                Shown(&conflict.to_string())
            )?;
            self.err.flush()?;
            let mut answer = String::new();
            // There is no one to answer.
            if io::Read::take(&mut self.answers, LONGEST_ANSWER).read_line(&mut answer)? == 0 {
                writeln!(self.err)?;
                return Ok(None);
            }
            let version = match answer.trim() {
                "o" | "O" | "ours" => Version::Ours,
                "t" | "T" | "theirs" => Version::Theirs,
                "b" | "base" => Version::Base,
                _ => continue,
            };
            self.always = matches!(answer.trim(), "O" | "T").then_some(version);
            return Ok(Some(version));
        }
    }
}

/// The maximum number of bytes of an answer.
const LONGEST_ANSWER: u64 = 1 << 10;

/// Writes the merged file, if there is one, and reports the result. `bytes` returns the bytes of a version.
fn finish<'b>(
    found: &'b Merge,
    unit: &str,
    bytes: impl Fn(Version) -> ndbytes::Result<Option<&'b [u8]>>,
    request: &Request<'_>,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let name = text::path(request.name);
    let Some(merged) = &found.merged else {
        context.out.flush()?;
        let count = counted(found.conflict_count, "conflict");
        writeln!(context.err, "{WARNING}{name}{WARNING:#}: {count}, nothing is written")?;
        for line in listed(found) {
            writeln!(context.err, "  {}", Shown(&line))?;
        }
        if request.out == request.name {
            writeln!(context.err, "`--conflicts` decides them: `ours`, `theirs`, `base` or `ask`")?;
        }
        context.err.flush()?;
        return Ok(Outcome::Findings);
    };
    let outcome = match put(merged, bytes, request, context) {
        Ok(()) => Outcome::Clean,
        Err(error) => written(Err(error), request.out, context)?,
    };
    if outcome != Outcome::Clean {
        return Ok(outcome);
    }
    if !is_standard(request.out) {
        let whose = |count: u64, whose: &str| (count > 0).then(|| format!("{count} from {whose}"));
        let parts: Vec<String> = [
            whose(found.from_ours, "ours"),
            whose(found.from_theirs, "theirs"),
            (found.conflict_count > 0).then(|| format!("{} decided", counted(found.conflict_count, "conflict"))),
        ]
        .into_iter()
        .flatten()
        .collect();
        let parts = if parts.is_empty() { "no changes".into() } else { format!("{unit}: {}", parts.join(", ")) };
        writeln!(context.out, "{OK}{name}{OK:#}: merged, {parts}")?;
    }
    Ok(Outcome::Clean)
}

/// Writes the merged file to its target.
fn put<'b>(
    merged: &'b Merged,
    bytes: impl Fn(Version) -> ndbytes::Result<Option<&'b [u8]>>,
    request: &Request<'_>,
    context: &mut Context<'_>,
) -> ndbytes::Result<()> {
    let bytes = match merged {
        Merged::File(bytes) => Some(bytes.as_slice()),
        Merged::Version(version) if request.paths.of(*version) == request.out => None,
        Merged::Version(version) => bytes(*version)?,
    };
    let Some(bytes) = bytes else { return Ok(()) };
    match is_standard(request.out) {
        true => Ok(context.out.machine().write_all(bytes)?),
        false => replace_file(request.out, bytes),
    }
}
