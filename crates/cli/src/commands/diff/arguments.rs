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

/// Compare two files or directories: values, structure and findings.
///
/// The formats may differ: an IDX file and a .npy file, for example, are compared by value. A path may end with a slice
/// in NumPy's syntax, as for `cat`. In that case, only values are compared, and indices are relative to the slice.
///
/// Directories are compared file by file, with one line of output per file, followed by totals. Files in unknown
/// formats are compared byte by byte, and python-blosc2 stores member by member.
///
/// Two elements are equal if they have the same bits, apart from byte order; NaN equals NaN. With a tolerance, they are
/// equal if |a − b| ≤ ATOL + RTOL · max(|a|, |b|), which is symmetric, unlike NumPy's allclose. RTOL and ULP apply only
/// to floating-point numbers; ATOL also applies to integers.
///
/// Exit status: 0 if the files are equal, 1 if they differ or cannot be compared, 2 if a path cannot be read. Equal values in
/// different encodings count as equal only with `--values-only`.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each of them is an option")]
pub struct Arguments {
    /// Print one JSON object.
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Write an HTML page that shows two files side by side, or a table for two directories; `-` is standard output.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "git_driver"], help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Also draw both arrays, their difference and its histogram, and write the picture to FILE (`.png` or `.svg`). The
    /// shapes must be equal.
    #[arg(long, value_name = "FILE", value_parser = picture_file(), conflicts_with = "git_driver")]
    #[arg(help_heading = "Output")]
    pub picture: Option<PathBuf>,
    /// Overwrite an existing file in a known format, or one that is not an ndbytes page.
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// Compare only values.
    #[arg(long, conflicts_with = "structure_only", help_heading = "What is compared")]
    values_only: bool,
    /// Compare only the structure, that is, the fields of the files. The payload of IDX, RawArray and .npy files is not read.
    #[arg(long, help_heading = "What is compared")]
    pub structure_only: bool,
    /// Absolute tolerance, e.g. 1e-6. If none of `--atol`, `--rtol` and `--ulp` is set, the contract's tolerance applies.
    #[arg(long, value_name = "ATOL", value_parser = parse_tolerance, help_heading = "Tolerance")]
    atol: Option<f64>,
    /// Relative tolerance for floating-point numbers, as a fraction of the larger absolute value.
    #[arg(long, value_name = "RTOL", value_parser = parse_tolerance, help_heading = "Tolerance")]
    rtol: Option<f64>,
    /// Tolerance for floating-point numbers, in units in the last place (ULP).
    #[arg(long, value_name = "N", help_heading = "Tolerance")]
    ulp: Option<u64>,
    /// Also compare the bit patterns of NaNs.
    #[arg(long, help_heading = "Tolerance")]
    bits: bool,
    /// Ignore fields that match PATTERN, e.g. `chunks[*].header.*`. May be repeated.
    #[arg(long, value_name = "PATTERN", help_heading = "What is compared")]
    ignore: Vec<Pattern>,
    /// Align the rows of two tables by the values of this column.
    #[arg(long, value_name = "COLUMN", help_heading = "What is compared")]
    key: Option<String>,
    /// List all differences, including fields that changed only as a consequence of others.
    #[arg(long, help_heading = "Output")]
    all: bool,
    /// List at most N differences of each kind.
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Output")]
    most: usize,
    /// The order in which to list differing items of arrays of equal shape.
    #[arg(long, value_name = "ORDER", value_enum, default_value_t, help_heading = "Output")]
    sort: SortArgument,
    /// Exit with 0 even if the files differ.
    #[arg(long, help_heading = "Exit status")]
    pub exit_zero: bool,
    /// Exit with 1 if B has a finding that A does not have, even if everything else is equal.
    #[arg(long, help_heading = "Exit status")]
    pub deny_new: bool,
    /// Accept the arguments that git passes to an external diff driver, or the two paths that it passes to a difftool.
    /// `-` then means a file with that name, not standard input. The exit status is 0 even if a file cannot be read,
    /// because git stops if a driver fails.
    #[arg(long, conflicts_with = "json", help_heading = "git")]
    pub git_driver: bool,
    /// Compare HEAD with the merge base of HEAD and BASE, as in a pull request.
    ///
    /// Writes to `--out`: `comment.md`; `pages/`, with one page per changed file; and `files`, which contains the
    /// number of files compared.
    #[arg(
        long,
        help_heading = "git",
        num_args = 2,
        value_names = ["BASE", "HEAD"],
        requires = "out",
        conflicts_with_all = ["json", "html", "picture", "git_driver", "known_as", "paths"]
    )]
    git_range: Vec<String>,
    /// The output directory for `--git-range`.
    #[arg(long, value_name = "DIRECTORY", requires = "git_range", help_heading = "git")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub walking: Walking,
    #[command(flatten)]
    pub config: ConfigArguments,
    /// Look up the contract's tolerance under PATH first, and only then under the paths of the files.
    #[arg(long, value_name = "PATH", help_heading = "Tolerance")]
    known_as: Option<PathBuf>,
    /// Two files or directories; `-` is standard input, and `/dev/null` stands for a missing file. With `--git-driver`,
    /// the arguments from git.
    #[arg(help_heading = None::<&str>, required_unless_present = "git_range", num_args = 1..=9, value_name = "A B")]
    pub paths: Vec<PathBuf>,
}

/// The order of differences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum SortArgument {
    /// By index.
    #[default]
    Index,
    /// By |Δ|, largest first. Pairs without a distance, such as a number and NaN, come before all others.
    Abs,
}

/// Parses a tolerance: a number that is not negative.
fn parse_tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number >= 0.0);
    number.ok_or_else(|| "expected a number that is not negative, such as 1e-6".into())
}

/// The two files to compare, and their names.
pub struct Pair<'p> {
    pub a: &'p Path,
    pub b: &'p Path,
    /// The names in git's repository.
    pub names: Option<[&'p Path; 2]>,
}

impl Arguments {
    /// Returns why the page must not be written, or `None` if it may be.
    pub fn refusal(&self, pair: &Pair<'_>, context: &Context<'_>) -> Option<String> {
        let page = self.html.as_deref().map(|path| (path, Content::Page));
        let picture = self.picture.as_deref().map(|path| (path, Content::Binary));
        page.into_iter().chain(picture).find_map(|(path, content)| {
            let out = |input| Out { path, input, is_walked: false, force: self.force, content };
            [pair.a, pair.b].into_iter().find_map(|input| out(input).refusal(context))
        })
    }

    /// Returns the two commits to compare, and the output directory, if they are requested.
    pub fn range(&self) -> Option<([&str; 2], &Path)> {
        match (&self.git_range[..], &self.out) {
            ([base, head], Some(out)) => Some(([base, head], out)),
            _ => None,
        }
    }

    /// Returns the two files, or a message about the arguments.
    pub fn pair(&self) -> Result<Pair<'_>, &'static str> {
        match (self.git_driver, &self.paths[..]) {
            (false, [a, b]) if text::is_standard(a) && text::is_standard(b) => {
                Err("standard input can be read only once: one of the two files at most can be `-`")
            }
            (false, [a, b]) => Ok(Pair { a, b, names: None }),
            (false, _) => Err("expected two paths: `ndbytes diff A B`"),
            (true, [name, a, _, _, b, _, _]) => Ok(Pair { a: tracked(a), b: tracked(b), names: Some([name, name]) }),
            (true, [name, a, _, _, b, _, _, renamed, _]) => {
                Ok(Pair { a: tracked(a), b: tracked(b), names: Some([name, renamed]) })
            }
            (true, [a, b]) => Ok(Pair { a: tracked(a), b: tracked(b), names: None }),
            (true, _) => {
                Err("git passes 7 arguments to an external diff driver, 9 for a renamed file, and 2 to a difftool")
            }
        }
    }

    /// Returns the contract's tolerance for the first of these paths that has one. `None` if the options set a
    /// tolerance.
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

    /// Returns whether the second file has findings that are not allowed.
    pub fn is_denied(&self, found: &Diff) -> bool {
        self.deny_new && !found.findings.new.is_empty()
    }

    /// Returns the outcome of a comparison, depending on whether it has found a difference.
    pub fn outcome(&self, is_different: bool) -> Outcome {
        let is_asked = !self.exit_zero && !self.git_driver;
        if is_different && is_asked { Outcome::Findings } else { Outcome::Clean }
    }

    /// Returns the options of the comparison. Comparisons are exact unless the arguments state a tolerance.
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

/// A tolerance from a contract.
pub struct Agreed {
    pub tolerance: Tolerance,
    /// A sentence that names its line.
    pub note: String,
}
