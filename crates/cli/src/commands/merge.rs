//! `ndbytes merge`

use crate::commands::out::{Content, Out};
use crate::context::{Context, Outcome, lock};
use crate::report::{refuse, written};
use crate::show::style::{OK, WARNING, counted};
use crate::show::text::{self, Shown, is_standard};
use crate::values::tolerate::print_warnings;
use ndbytes::archive::{Archive, Opened};
use ndbytes::{File, Input, Limits, is_gzip, replace_file};
use ndbytes_convert::Error as Refusal;
use ndbytes_convert::merge::{Conflict, Decide, Merge, Merged, Options, Version, Versions, merge, merge_archives};
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};

/// Merge what two people made of one file. Rows of arrays and tables are found by their content. In a row that both
/// changed, items or cells are merged one by one. Archives, such as .npz, are merged member by member. The result has the
/// format of OURS. Where both changed the same, each in another way, there is a conflict: nothing is written, and the
/// conflicts are listed.
///
/// Exit status 1 if there are conflicts that nobody decided, or if a file has an error.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file to write; `-` is standard output.
    #[arg(long, short, value_name = "FILE", required_unless_present = "git_driver")]
    out: Option<PathBuf>,
    /// How conflicts are decided: by our version, theirs, the one that both began with, or by questions. Answers are read
    /// from standard input.
    #[arg(long, value_name = "HOW", value_enum)]
    conflicts: Option<How>,
    /// Take the arguments that git gives to a merge driver, `%O %A %B %P`, and write the merged file in the place of `%A`.
    #[arg(long, conflicts_with_all = ["out", "conflicts"])]
    git_driver: bool,
    /// Replace a file of a format that ndbytes knows, or print to a terminal.
    #[arg(long)]
    force: bool,
    /// The version that both began with, ours, and theirs. With `--git-driver`, git's arguments.
    #[arg(required = true, num_args = 3..=4, value_name = "BASE OURS THEIRS")]
    paths: Vec<PathBuf>,
}

/// How conflicts are decided.
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
    /// The request, or the mistake in the arguments.
    fn request(&self) -> Result<Request<'_>, &'static str> {
        match (&self.paths[..], &self.out) {
            ([base, ours, theirs, name], None) => {
                Ok(Request { paths: Versions { base, ours, theirs }, out: ours, name })
            }
            ([_, _, _], None) => Err("git gives 4 arguments to this merge driver: %O %A %B %P"),
            ([base, ours, theirs], Some(out)) => {
                let standard = [base, ours, theirs].into_iter().filter(|path| is_standard(path)).count();
                let asks = usize::from(self.conflicts == Some(How::Ask));
                if standard + asks > 1 {
                    return Err("standard input is read once: for one of the three files, or for the answers");
                }
                Ok(Request { paths: Versions { base, ours, theirs }, out, name: out })
            }
            _ => Err("three files are merged: give three paths"),
        }
    }

    /// The reason why the target must not be written, if there is one. Git's driver replaces its second argument.
    fn refusal(&self, request: &Request<'_>, context: &Context<'_>) -> Option<String> {
        let Versions { base, ours, theirs } = request.paths;
        let (path, force, content) = (request.out, self.force, Content::Binary);
        let out = |input| Out { path, input, is_walked: false, force, content };
        let refusal = || [base, ours, theirs].into_iter().find_map(|input| out(input).refusal(context));
        if self.git_driver { None } else { refusal() }
    }
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    // All three files are one piece of work.
    context.limits = context.limits.started();
    let request = match arguments.request() {
        Ok(request) => request,
        Err(message) => return complain(message, context),
    };
    if let Some(refusal) = arguments.refusal(&request, context) {
        return complain(&refusal, context);
    }
    if let Some(archives) = archives(request.paths, context.limits) {
        let archives = archives.each_ref();
        let options = Options::new().limits(context.limits);
        let found = decided(|decide| merge_archives(archives, &options, decide), arguments.conflicts, context)?;
        return match found {
            Ok(found) => finish(&found, "changed items, rows or members", |_| Ok(None), &request, context),
            Err(error) => refused(&error, &request, context),
        };
    }
    let inputs = request.paths.try_map(|path| context.open(path).map_err(|error| (error, path)));
    let inputs = match inputs {
        Ok(inputs) => inputs,
        Err((error, path)) => return refuse(&error, path, context),
    };
    if inputs.base.length() == 0 {
        let name = text::path(request.name);
        return complain(&format!("{name}: both added the file, so that there is nothing to merge"), context);
    }
    let gzip = is_gzip(inputs.ours.head());
    let named = inputs.each_ref().zip(request.paths);
    let files = match named.try_map(|(input, path)| read(input, context).map_err(|error| (error, path))) {
        Ok(files) => files,
        Err((error, path)) => return refuse(&error, path, context),
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

/// The three files as archives, if all of them are.
fn archives(paths: Versions<&Path>, limits: Limits) -> Option<Versions<Archive<'static>>> {
    let archive = |path: &Path| match Opened::open(path, limits) {
        Ok(Opened::Archive(archive)) if archive.input().is_some() => Ok(archive),
        _ => Err(()),
    };
    if [paths.base, paths.ours, paths.theirs].into_iter().any(is_standard) {
        return None;
    }
    paths.try_map(archive).ok()
}

/// Says why nothing is merged.
fn refused(error: &Refusal, request: &Request<'_>, context: &mut Context<'_>) -> io::Result<Outcome> {
    match error {
        Refusal::Library(error) => refuse(error, request.name, context),
        error => complain(&format!("{}: {error}", text::path(request.name)), context),
    }
}

fn read<'i>(input: &'i Input<'static>, context: &Context<'_>) -> ndbytes::Result<File<'i>> {
    ndbytes::Options::new().limits(context.limits).read(input.again(context.limits)?)
}

fn complain(message: &str, context: &mut Context<'_>) -> io::Result<Outcome> {
    context.complain(message)?;
    Ok(Outcome::Unreadable)
}

/// Merges, and decides conflicts as is wanted.
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

/// Somebody who is asked.
struct Asked<'a, 'p, R: io::Read> {
    answers: BufReader<R>,
    err: &'a mut crate::show::printer::Printer<'p>,
    /// The answer to all further questions.
    always: Option<Version>,
    failed: Option<io::Error>,
}

impl<R: io::Read> Asked<'_, '_, R> {
    /// The version that counts in a conflict; `None` if there is no answer.
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

    fn ask(&mut self, conflict: &Conflict) -> io::Result<Option<Version>> {
        loop {
            write!(
                self.err,
                "{}\n(o)urs, (t)heirs, (b)ase, (O)urs for all, (T)heirs for all? ",
                Shown(&conflict.to_string())
            )?;
            self.err.flush()?;
            let mut answer = String::new();
            // Nobody is there.
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

/// Writes the merged file, if there is one, and says what came of it. `bytes` gives those of a version.
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
        for conflict in &found.conflicts {
            writeln!(context.err, "  {}", Shown(&conflict.to_string()))?;
        }
        let more = found.conflict_count - found.conflicts.len() as u64;
        if more > 0 {
            writeln!(context.err, "  and {more} more")?;
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
