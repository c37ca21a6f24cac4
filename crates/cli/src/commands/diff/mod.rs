//! `ndbytes diff`

mod opened;
mod picture;

use crate::commands::out::{Content, Out};
use crate::commands::page;
use crate::commands::show::{picture_file, save};
use crate::context::{Context, Outcome};
use crate::report::{refuse, written};
use crate::show::json;
use crate::show::style::{ERROR, HEADING, OK, WARNING};
use crate::show::text::{self, Shown};
use crate::values::tolerate::{print_warnings, print_warnings_of};
use anstyle::Style;
use ndbytes::Input;
use ndbytes_compare::diff::{Diff, Options, Pattern, Tolerance, archives, diff};
use ndbytes_pictures::Medium;
use opened::{Opened, forget_bytes};
use picture::{ON_A_PAGE, picture};
use std::io;
use std::path::{Path, PathBuf};

/// The maximum number of differences of each kind that `--all` lists.
const ALL: usize = 100_000;

/// The least number of differences of each kind that a page lists.
const ON_PAGE: usize = 200;

/// Compare two files: bytes, structure, values, findings. The formats may differ: values count. A path of an array may end with
/// a slice in NumPy's syntax, as for `cat`. Then values alone are compared, and an index counts within the slice.
///
/// Items are equal if their bits are, byte order aside; NaN equals NaN. With a tolerance, |a − b| ≤ ATOL + RTOL · max(|a|, |b|)
/// is enough. That is symmetric, unlike NumPy's allclose, which takes |b| alone. RTOL and ULP apply to floating-point numbers,
/// ATOL to integers too; none of them to structure.
///
/// Exit status: 0 equal, 1 different or not to be compared, 2 wrong usage or a path that cannot be read. Values that are equal
/// in another encoding count as equal with `--values-only`, values within the tolerance always.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each of them is an option")]
pub struct Arguments {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write a page for the browser to OUT, which shows both files side by side; `-` is standard output.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "git_driver"])]
    html: Option<PathBuf>,
    /// Also draw two arrays of one shape, their difference with the boxes that hold all of it, and its histogram. FILE ends with
    /// `.png` or `.svg`.
    #[arg(long, value_name = "FILE", value_parser = picture_file(), conflicts_with = "git_driver")]
    picture: Option<PathBuf>,
    /// Replace a file that is neither a page nor a picture, even one of a format that ndbytes knows.
    #[arg(long)]
    force: bool,
    /// Compare only the values.
    #[arg(long, conflicts_with = "structure_only")]
    values_only: bool,
    /// Compare only the structures: the values of fields. The payload of IDX, RawArray and .npy is not read.
    #[arg(long)]
    structure_only: bool,
    /// Absolute tolerance of numbers.
    #[arg(long, value_name = "ATOL", default_value = "0", value_parser = parse_tolerance)]
    atol: f64,
    /// Relative tolerance of floating-point numbers, as a fraction of the larger one.
    #[arg(long, value_name = "RTOL", default_value = "0", value_parser = parse_tolerance)]
    rtol: f64,
    /// Tolerance of floating-point numbers in units in the last place, at their own width.
    #[arg(long, value_name = "N", default_value_t = 0)]
    ulp: u64,
    /// Also compare the bits of NaNs.
    #[arg(long)]
    bits: bool,
    /// Ignore fields matching PATTERN, e.g. `chunks[*].header.*`. May be repeated.
    #[arg(long, value_name = "PATTERN")]
    ignore: Vec<Pattern>,
    /// Align the rows of tables by the values of this column.
    #[arg(long, value_name = "COLUMN")]
    key: Option<String>,
    /// List all differences, and the fields that only follow from others.
    #[arg(long)]
    all: bool,
    /// Maximum number of differences to list, per kind.
    #[arg(long, value_name = "N", default_value_t = 10)]
    most: usize,
    /// How to list the items of two arrays of one shape that differ.
    #[arg(long, value_name = "ORDER", value_enum, default_value_t)]
    sort: SortArgument,
    /// Exit with 0 even if the files differ.
    #[arg(long)]
    exit_zero: bool,
    /// Exit with 1 if the second file has a finding that the first one does not have, even if all else is equal.
    #[arg(long)]
    deny_new: bool,
    /// Accept the arguments that git passes to an external diff driver; the exit status is 0 for all files that can be read.
    #[arg(long, conflicts_with = "json")]
    git_driver: bool,
    /// The two files; `-` is standard input, `/dev/null` no file. With `--git-driver`, git's arguments.
    #[arg(required = true, num_args = 1..=9, value_name = "A B")]
    paths: Vec<PathBuf>,
}

/// The order of differences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum SortArgument {
    /// By their place.
    #[default]
    Index,
    /// By |Δ|, the largest first. Those without a distance, such as NaN on one side, come before them.
    Abs,
}

/// A tolerance: a number that is not negative.
fn parse_tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number >= 0.0);
    number.ok_or_else(|| "a number from 0 on is expected, such as 1e-6".into())
}

/// The two files that are compared, and their names.
struct Pair<'p> {
    a: &'p Path,
    b: &'p Path,
    /// The names in git's repository.
    names: Option<[&'p Path; 2]>,
}

impl Arguments {
    /// The reason why no page may be written, if there is one.
    fn refusal(&self, pair: &Pair<'_>, context: &Context<'_>) -> Option<String> {
        let page = self.html.as_deref().map(|path| (path, Content::Page));
        let picture = self.picture.as_deref().map(|path| (path, Content::Binary));
        page.into_iter().chain(picture).find_map(|(path, content)| {
            let out = |input| Out { path, input, force: self.force, content };
            [pair.a, pair.b].into_iter().find_map(|input| out(input).refusal(context))
        })
    }

    /// The two files, or what is wrong with the arguments.
    fn pair(&self) -> Result<Pair<'_>, &'static str> {
        match (self.git_driver, &self.paths[..]) {
            (false, [a, b]) if text::is_standard(a) && text::is_standard(b) => {
                Err("standard input is read once: only one of the two files can be `-`")
            }
            (false, [a, b]) => Ok(Pair { a, b, names: None }),
            (false, _) => Err("two files are compared: give two paths"),
            (true, [name, a, _, _, b, _, _]) => Ok(Pair { a, b, names: Some([name, name]) }),
            (true, [name, a, _, _, b, _, _, renamed, _]) => Ok(Pair { a, b, names: Some([name, renamed]) }),
            (true, _) => Err("git gives 7 arguments to a driver of differences, or 9 for a file that was renamed"),
        }
    }

    fn options(&self, context: &Context<'_>) -> Options {
        let tolerance = Tolerance::exact().absolute(self.atol).relative(self.rtol).ulp(self.ulp).bits(self.bits);
        let options = Options::new()
            .limits(context.limits)
            .tolerance(tolerance)
            .values(!self.structure_only)
            .structure(!self.values_only)
            .most(if self.all {
                self.most.max(ALL)
            } else {
                self.most.max(if self.html.is_some() { ON_PAGE } else { 0 })
            })
            .largest_first(self.sort == SortArgument::Abs)
            .all(self.all);
        let options = self.ignore.iter().cloned().fold(options, Options::ignore);
        match &self.key {
            Some(column) => options.key(column),
            None => options,
        }
    }
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    // A path that is in conflict has no two versions: git calls the driver with its name alone.
    if let (true, [name]) = (arguments.git_driver, &arguments.paths[..]) {
        writeln!(context.out, "{HEADING}{}{HEADING:#}: unmerged", Shown(&name.to_string_lossy()))?;
        return Ok(Outcome::Clean);
    }
    // Both files are one piece of work.
    context.limits = context.limits.started();
    let pair = match arguments.pair() {
        Ok(pair) => pair,
        Err(message) => {
            context.complain(message)?;
            return Ok(Outcome::Unreadable);
        }
    };
    if let Some(refusal) = arguments.refusal(&pair, context) {
        context.complain(&refusal)?;
        return Ok(Outcome::Unreadable);
    }
    let mut sides = Vec::new();
    for path in [pair.a, pair.b] {
        match Opened::new(path, context) {
            Ok(opened) => sides.push(opened),
            Err(failure) => return failure.refuse(path, context).map(|_| Outcome::Unreadable),
        }
    }
    let has_slice = sides.iter().any(|side| side.slice().is_some());
    if has_slice && (arguments.html.is_some() || arguments.structure_only) {
        context.complain("a slice has values alone: pages and structures are of whole files")?;
        return Ok(Outcome::Unreadable);
    }
    let options = arguments.options(context);
    let options = if has_slice { options.structure(false) } else { options };
    let Some(compared) = compared(&sides[0], &sides[1], &options) else {
        let store = if matches!(sides[0], Opened::Archive(_)) { pair.a } else { pair.b };
        context.complain(&format!("{}: a store is compared with another store only", text::path(store)))?;
        return Ok(Outcome::Unreadable);
    };
    match compared {
        Ok(found) => report(found, &pair, &sides, arguments, context),
        Err(error) => refuse(&error, pair.b, context).map(|_| Outcome::Unreadable),
    }
}

/// Shows what was found, and ends as the arguments ask for.
fn report(
    mut found: Diff,
    pair: &Pair<'_>,
    sides: &[Opened],
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    sides[0].name(&mut found.a, pair.a);
    sides[1].name(&mut found.b, pair.b);
    if sides.iter().any(|side| side.slice().is_some()) {
        forget_bytes(&mut found);
    }
    if let Some([old, new]) = pair.names {
        found.a.name = Some(old.to_string_lossy().into_owned());
        found.b.name = Some(new.to_string_lossy().into_owned());
    }
    let files = [sides[0].file(), sides[1].file()];
    let outcome = match show(&found, pair, files, arguments, context)? {
        Outcome::Clean => save_picture(&found, pair, files, arguments, context)?,
        outcome => outcome,
    };
    if outcome != Outcome::Clean {
        return Ok(outcome);
    }
    let names = pair.names.unwrap_or([pair.a, pair.b]);
    for (name, side) in names.into_iter().zip(sides) {
        match (side.slice(), side.file()) {
            (Some(slice), _) => print_warnings(name, &slice.warnings, context)?,
            (None, Some(input)) => print_warnings_of(name, input, context)?,
            (None, None) => {}
        }
    }
    let is_refused = !found.is_equal() || (arguments.deny_new && !found.findings.new.is_empty());
    let is_asked = !arguments.exit_zero && !arguments.git_driver;
    Ok(if is_refused && is_asked { Outcome::Findings } else { Outcome::Clean })
}

/// Compares what two paths lead to. `None` for a store and what is none.
fn compared(a: &Opened, b: &Opened, options: &Options) -> Option<ndbytes::Result<Diff>> {
    match (a, b) {
        (Opened::Archive(a), Opened::Archive(b)) => Some(archives(a, b, options)),
        (Opened::Archive(_), _) | (_, Opened::Archive(_)) => None,
        (a, b) => Some(diff(a.file(), b.file(), options)),
    }
}

/// Writes the picture of the difference, if the arguments name its file.
fn save_picture(
    found: &Diff,
    pair: &Pair<'_>,
    files: [Option<&Input<'static>>; 2],
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    let Some(out) = &arguments.picture else { return Ok(Outcome::Clean) };
    match picture(found, [pair.a, pair.b], files, Medium::DIFFERENCE.room(), context.limits) {
        Ok(drawing) => written(save(&drawing, out, context), pair.b, context),
        Err(failure) => failure.refuse(pair.b, context),
    }
}

/// Shows the differences in the form that the arguments ask for.
fn show(
    found: &Diff,
    pair: &Pair<'_>,
    files: [Option<&Input<'static>>; 2],
    arguments: &Arguments,
    context: &mut Context<'_>,
) -> io::Result<Outcome> {
    if let Some(out) = &arguments.html {
        // A page without a picture says enough.
        let drawing = picture(found, [pair.a, pair.b], files, ON_A_PAGE, context.limits).ok();
        let page = page::of_two(found, [pair.a, pair.b], files, drawing.as_ref(), context);
        return written(page.and_then(|page| page::save(&page, out, context)), pair.b, context);
    }
    if arguments.json {
        print_json(found.clone(), context)?;
    } else {
        print(found, context)?;
    }
    Ok(Outcome::Clean)
}

/// Findings are in the words of the tool.
fn print_json(mut found: Diff, context: &mut Context<'_>) -> io::Result<()> {
    for findings in [&mut found.findings.gone, &mut found.findings.new] {
        findings.iter_mut().for_each(|finding| *finding = json::finding(finding));
    }
    json::line(context.out.machine(), &found)
}

/// Prints the report, with the lines in colours of their own.
fn print(found: &Diff, context: &mut Context<'_>) -> io::Result<()> {
    let verdict = if found.is_equal() { OK } else { WARNING };
    for (number, line) in found.to_string().lines().enumerate() {
        let style = match (number, line) {
            (0, _) => HEADING,
            (1, _) => verdict,
            (_, line) if line.starts_with("  + ") => OK,
            (_, line) if line.starts_with("  - ") => ERROR,
            (_, line) if line.starts_with(|letter: char| letter.is_alphabetic()) => HEADING,
            _ => Style::new(),
        };
        writeln!(context.out, "{style}{}{style:#}", Shown(line))?;
    }
    Ok(())
}
