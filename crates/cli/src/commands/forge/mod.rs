//! `ndbytes forge`

mod dictionary;
mod folder;
mod in_place;
mod make;
mod minimise;
mod replay;
mod request;
mod seeds;

use crate::context::{Context, Outcome};
use ndbytes_forge::Kind;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// Make files: valid ones, files that break a rule, or mutants of files along their fields. The same seed, version and
/// options give the same bytes on every machine.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Arguments {
    /// Make whole valid files.
    #[arg(long, group = "what")]
    valid: bool,
    /// Make files that break this rule and no other; `all` is every rule.
    #[arg(long, group = "what", value_name = "RULE", value_delimiter = ',')]
    broken: Vec<String>,
    /// Make mutants of the files of --from; without it, of valid files.
    #[arg(long, group = "what")]
    mutate: bool,
    /// Repeat a recipe; OUT is the file that it makes.
    #[arg(long, group = "what", value_name = "RECIPE")]
    replay: Option<PathBuf>,
    /// Print the shortest part of a recipe after which COMMAND still exits with the same status; it gets the file as its last
    /// argument.
    #[arg(long, group = "what", value_name = "RECIPE")]
    minimise: Option<PathBuf>,
    /// Write a small corpus of valid files that has every feature, as a zip archive.
    #[arg(long, group = "what")]
    seeds: bool,
    /// Write a dictionary for fuzzers: magics, codes, and words of every width.
    #[arg(long, group = "what", value_name = "NAME", value_parser = dictionary::NAMES)]
    dictionary: Option<String>,

    /// The kinds of files that are made, or whose rules `--broken all` breaks; without it, all.
    #[arg(long, value_name = "KIND", value_parser = kind, value_delimiter = ',')]
    format: Vec<Kind>,
    /// Files that are mutated, or the file that a recipe begins with.
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// The number that all choices follow from.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The number of files: of each kind, of each rule, or of each file of --from.
    #[arg(long, default_value_t = 1, value_name = "N")]
    count: u64,
    /// About the most bytes of a valid file, or else 4,096; the most bytes of a mutant, or else 64 KiB more than its file has.
    #[arg(long, value_name = "BYTES")]
    size: Option<usize>,
    /// Which offsets, lengths, counts and check sums follow what was changed: `everything`, `nothing`, roles, or `all-but 16`,
    /// which leaves one of 16 wrong.
    #[arg(long, requires = "mutate", default_value = "all-but 16", value_parser = request::repair)]
    repair: ndbytes_forge::Repair,
    /// The fields that are changed, such as `header.*`.
    #[arg(long, requires = "mutate", value_name = "PATTERN")]
    only: Option<ndbytes::everybyte::diff::Pattern>,
    /// Write the recipe of each file beside it.
    #[arg(long)]
    recipes: bool,
    /// Write `manifest.jsonl`: one line for each file.
    #[arg(long)]
    manifest: bool,
    /// Mutate this file where it is.
    #[arg(long, value_name = "FILE", requires = "mutate", conflicts_with_all = ["from", "out", "recipes", "manifest"])]
    in_place: Option<PathBuf>,
    /// The folder of the files that are made, which must be empty or absent; with --replay, --seeds and --dictionary, a file.
    out: Option<PathBuf>,
    /// The command of --minimise.
    #[arg(last = true, value_name = "COMMAND", requires = "minimise")]
    command: Vec<OsString>,
}

/// The kind of this name.
fn kind(name: &str) -> Result<Kind, String> {
    Kind::named(name).ok_or_else(|| {
        let names = Kind::ALL.map(Kind::name).join(", ");
        format!("there is no such kind of file; there are {names}")
    })
}

/// The kinds that the arguments name, or all.
fn kinds(arguments: &Arguments) -> Vec<Kind> {
    if arguments.format.is_empty() { Kind::ALL.to_vec() } else { arguments.format.clone() }
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    if let Some(recipe) = &arguments.minimise {
        return minimise::run(recipe, arguments, context);
    }
    if let Some(file) = &arguments.in_place {
        return in_place::run(file, arguments, context);
    }
    let Some(out) = &arguments.out else {
        context.complain("the command lacks OUT, the place for what is made")?;
        return Ok(Outcome::Unreadable);
    };
    match (&arguments.replay, &arguments.dictionary) {
        (Some(recipe), _) => replay::run(recipe, out, arguments, context),
        (_, Some(name)) => dictionary::run(name, out, context),
        _ if arguments.seeds => seeds::run(out, arguments, context),
        _ => make::run(out, arguments, context),
    }
}
