//! The arguments of `ndbytes forge`.

use super::{dictionary, request};
use ndbytes_forge::Kind;
use std::ffi::OsString;
use std::path::PathBuf;

/// Make files: valid ones, files that break a rule, or mutants of files along their fields. The same seed, version and
/// options give the same bytes on every machine.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Arguments {
    /// Make whole valid files.
    #[arg(long, group = "what")]
    pub valid: bool,
    /// Make files that break this rule and no other; `all` is every rule.
    #[arg(long, group = "what", value_name = "RULE", value_delimiter = ',')]
    pub broken: Vec<String>,
    /// Make mutants of the files of --from; without it, of valid files.
    #[arg(long, group = "what")]
    pub mutate: bool,
    /// Repeat a recipe; OUT is the file that it makes.
    #[arg(long, group = "what", value_name = "RECIPE")]
    pub replay: Option<PathBuf>,
    /// Print the shortest part of a recipe after which COMMAND still exits with the same status; it gets the file as its last
    /// argument.
    #[arg(long, group = "what", value_name = "RECIPE")]
    pub minimise: Option<PathBuf>,
    /// Write a small corpus of valid files that has every feature, as a zip archive.
    #[arg(long, group = "what")]
    pub seeds: bool,
    /// Write a dictionary for fuzzers: magics, codes, and words of every width.
    #[arg(long, group = "what", value_name = "NAME", value_parser = dictionary::NAMES)]
    pub dictionary: Option<String>,

    /// Kinds of files to make, or whose rules `--broken all` breaks [default: all].
    #[arg(long, value_name = "KIND", value_parser = kind, value_delimiter = ',')]
    pub format: Vec<Kind>,
    /// Files to mutate, or the file that a recipe begins with.
    #[arg(long, value_name = "FILE")]
    pub from: Vec<PathBuf>,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Number of files: per kind, per rule, or per --from file.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub count: u64,
    /// Approximate maximum size of a valid file [default: 4096], or maximum size of a mutant [default: 64 KiB more than its file].
    #[arg(long, value_name = "BYTES")]
    pub size: Option<usize>,
    /// Which offsets, lengths, counts and checksums follow what was changed: `everything`, `nothing`, roles, or `all-but 16`,
    /// which leaves one of 16 wrong.
    #[arg(long, requires = "mutate", default_value = "all-but 16", value_parser = request::repair)]
    pub repair: ndbytes_forge::Repair,
    /// Fields to change, such as `header.*`.
    #[arg(long, requires = "mutate", value_name = "PATTERN")]
    pub only: Option<ndbytes::everybyte::diff::Pattern>,
    /// Write the recipe of each file beside it.
    #[arg(long)]
    pub recipes: bool,
    /// Write `manifest.jsonl`: one line for each file.
    #[arg(long)]
    pub manifest: bool,
    /// Mutate this file in place.
    #[arg(long, value_name = "FILE", requires = "mutate", conflicts_with_all = ["from", "out", "recipes", "manifest"])]
    pub in_place: Option<PathBuf>,
    /// The folder of the files that are made, which must be empty or absent; with --replay, --seeds and --dictionary, a file.
    pub out: Option<PathBuf>,
    /// The command of --minimise.
    #[arg(last = true, value_name = "COMMAND", requires = "minimise")]
    pub command: Vec<OsString>,
}

/// The kind of this name.
fn kind(name: &str) -> Result<Kind, String> {
    Kind::named(name).ok_or_else(|| {
        let names = Kind::ALL.map(Kind::name).join(", ");
        format!("there is no such kind of file; there are {names}")
    })
}

/// The kinds that the arguments name, or all.
pub fn kinds(arguments: &Arguments) -> Vec<Kind> {
    if arguments.format.is_empty() { Kind::ALL.to_vec() } else { arguments.format.clone() }
}
