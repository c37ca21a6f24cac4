//! The arguments of `ndbytes diff`.

use crate::commands::check::walk::Walking;
use crate::commands::git::run::named as tracked;
use crate::commands::out::{Content, Out};
use crate::commands::show::picture_file;
use crate::context::{Context, Outcome};
use crate::contract::{ConfigArguments, Contract};
use crate::show::text;
use ndbytes_compare::diff::{Diff, Options, Pattern, Tolerance};
use ndbytes_page::DIFFERENCES;
use std::path::{Path, PathBuf};

/// The maximum number of differences of each kind that `--all` lists.
const ALL: usize = 100_000;

/// Compare two files: bytes, structure, values, findings. The formats may differ: values count. A path of an array may end with
/// a slice in NumPy's syntax, as for `cat`. Then values alone are compared, and an index counts within the slice.
///
/// Two folders are compared file by file: a line for each, and totals. Files of no known format are compared by their bytes. Stores
/// of python-blosc2 are compared by their members.
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
    pub json: bool,
    /// Write a page for the browser to OUT, which shows both files side by side, or a table of two folders; `-` is standard
    /// output.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "git_driver"])]
    pub html: Option<PathBuf>,
    /// Also draw two arrays of one shape, their difference with the boxes that hold all of it, and its histogram. FILE ends with
    /// `.png` or `.svg`.
    #[arg(long, value_name = "FILE", value_parser = picture_file(), conflicts_with = "git_driver")]
    pub picture: Option<PathBuf>,
    /// Replace a file of a format that ndbytes knows, and by a page also what is not a page of ndbytes.
    #[arg(long)]
    pub force: bool,
    /// Compare only the values.
    #[arg(long, conflicts_with = "structure_only")]
    values_only: bool,
    /// Compare only the structures: the values of fields. The payload of IDX, RawArray and .npy is not read.
    #[arg(long)]
    pub structure_only: bool,
    /// Absolute tolerance of numbers. Without `--atol`, `--rtol` and `--ulp`, the contract's tolerance for the file counts.
    #[arg(long, value_name = "ATOL", value_parser = parse_tolerance)]
    atol: Option<f64>,
    /// Relative tolerance of floating-point numbers, as a fraction of the larger one.
    #[arg(long, value_name = "RTOL", value_parser = parse_tolerance)]
    rtol: Option<f64>,
    /// Tolerance of floating-point numbers in units in the last place, at their own width.
    #[arg(long, value_name = "N")]
    ulp: Option<u64>,
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
    pub exit_zero: bool,
    /// Exit with 1 if the second file has a finding that the first one does not have, even if all else is equal.
    #[arg(long)]
    pub deny_new: bool,
    /// Accept the arguments that git passes to an external diff driver; the exit status is 0 for all files that can be read.
    #[arg(long, conflicts_with = "json")]
    pub git_driver: bool,
    /// Compare the files of two commits of the repository around. Those of the first one are as they were where the second
    /// one left it. `--out` gets `comment.md`, a text for a pull request, `pages`, with a page for each file, and
    /// `files`, the number of files.
    #[arg(
        long,
        num_args = 2,
        value_names = ["BASE", "HEAD"],
        requires = "out",
        conflicts_with_all = ["json", "html", "picture", "git_driver", "known_as", "paths"]
    )]
    git_range: Vec<String>,
    /// The folder for what `--git-range` makes.
    #[arg(long, value_name = "DIR", requires = "git_range")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub walking: Walking,
    #[command(flatten)]
    pub config: ConfigArguments,
    /// The path under which the contract knows the files, if it is not theirs.
    #[arg(long, value_name = "PATH")]
    known_as: Option<PathBuf>,
    /// The two files or folders; `-` is standard input, `/dev/null` no file. With `--git-driver`, git's arguments.
    #[arg(required_unless_present = "git_range", num_args = 1..=9, value_name = "A B")]
    pub paths: Vec<PathBuf>,
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
pub struct Pair<'p> {
    pub a: &'p Path,
    pub b: &'p Path,
    /// The names in git's repository.
    pub names: Option<[&'p Path; 2]>,
}

impl Arguments {
    /// The reason why no page may be written, if there is one.
    pub fn refusal(&self, pair: &Pair<'_>, context: &Context<'_>) -> Option<String> {
        let page = self.html.as_deref().map(|path| (path, Content::Page));
        let picture = self.picture.as_deref().map(|path| (path, Content::Binary));
        page.into_iter().chain(picture).find_map(|(path, content)| {
            let out = |input| Out { path, input, is_walked: false, force: self.force, content };
            [pair.a, pair.b].into_iter().find_map(|input| out(input).refusal(context))
        })
    }

    /// The two commits whose files are compared, and the folder for what is made, if they are asked for.
    pub fn range(&self) -> Option<([&str; 2], &Path)> {
        match (&self.git_range[..], &self.out) {
            ([base, head], Some(out)) => Some(([base, head], out)),
            _ => None,
        }
    }

    /// The two files, or what is wrong with the arguments.
    pub fn pair(&self) -> Result<Pair<'_>, &'static str> {
        match (self.git_driver, &self.paths[..]) {
            (false, [a, b]) if text::is_standard(a) && text::is_standard(b) => {
                Err("standard input is read once: only one of the two files can be `-`")
            }
            (false, [a, b]) => Ok(Pair { a, b, names: None }),
            (false, _) => Err("two files are compared: give two paths"),
            (true, [name, a, _, _, b, _, _]) => Ok(Pair { a: tracked(a), b: tracked(b), names: Some([name, name]) }),
            (true, [name, a, _, _, b, _, _, renamed, _]) => {
                Ok(Pair { a: tracked(a), b: tracked(b), names: Some([name, renamed]) })
            }
            (true, _) => Err("git gives 7 arguments to a driver of differences, or 9 for a file that was renamed"),
        }
    }

    /// The contract's tolerance for files of these paths, of which the first one counts that it knows. `None` if the options have
    /// one.
    pub fn agreed(&self, contract: Option<&Contract>, paths: &[&Path]) -> Option<Agreed> {
        let contract = contract?;
        if self.atol.is_some() || self.rtol.is_some() || self.ulp.is_some() {
            return None;
        }
        let paths = self.known_as.as_deref().into_iter().chain(paths.iter().copied());
        let found = paths.into_iter().find_map(|path| contract.tolerance(path))?;
        let note = format!("the tolerance is that of line {} of {}", found.line, contract.shown);
        Some(Agreed { tolerance: found.value.bits(self.bits), note })
    }

    /// Returns whether the second file has findings that it must not have.
    pub fn is_denied(&self, found: &Diff) -> bool {
        self.deny_new && !found.findings.new.is_empty()
    }

    /// The outcome of a comparison that has found a difference, or none.
    pub fn outcome(&self, is_different: bool) -> Outcome {
        let is_asked = !self.exit_zero && !self.git_driver;
        if is_different && is_asked { Outcome::Findings } else { Outcome::Clean }
    }

    pub fn options(&self, context: &Context<'_>) -> Options {
        let tolerance = Tolerance::exact()
            .absolute(self.atol.unwrap_or(0.0))
            .relative(self.rtol.unwrap_or(0.0))
            .ulp(self.ulp.unwrap_or(0))
            .bits(self.bits);
        let options = Options::new()
            .limits(context.limits)
            .tolerance(tolerance)
            .values(!self.structure_only)
            .structure(!self.values_only)
            .most(if self.all {
                self.most.max(ALL)
            } else {
                self.most.max(if self.html.is_some() { DIFFERENCES } else { 0 })
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

/// A tolerance that a contract states.
pub struct Agreed {
    pub tolerance: Tolerance,
    /// A sentence that names its line.
    pub note: String,
}
