//! The arguments of `ndbytes forge`.

use super::{dictionary, request};
use crate::values::profile::ProfileArgument;
use crate::values::size::number_of_bytes;
use ndbytes_forge::{Forge, Kind};
use std::ffi::OsString;
use std::path::PathBuf;

/// Make test files: valid ones, broken ones, or mutants of your own files.
///
/// Mutants are made field by field; `--repair` selects which offsets, lengths and checksums are recomputed. The same
/// seed, version and options produce the same bytes on every machine.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Arguments {
    /// Make valid files.
    #[arg(long, group = "what", help_heading = "What to make")]
    pub valid: bool,
    /// Make files that violate this rule and no other; `all` selects every rule. With `--from`, break those files instead.
    #[arg(long, group = "what", value_name = "RULE", value_delimiter = ',', help_heading = "What to make")]
    pub broken: Vec<String>,
    /// Make mutants of the `--from` files or, without `--from`, of generated valid files.
    #[arg(long, group = "what", help_heading = "What to make")]
    pub mutate: bool,
    /// Make the file that RECIPE describes, and write it to OUT.
    #[arg(long, group = "what", value_name = "RECIPE", help_heading = "What to make")]
    pub replay: Option<PathBuf>,
    /// Print the shortest version of RECIPE with which COMMAND still exits with the same status.
    #[arg(long, group = "what", value_name = "RECIPE", help_heading = "What to make")]
    pub minimise: Option<PathBuf>,
    /// Write a zip archive with a small seed corpus: valid files that together use every feature.
    #[arg(long, group = "what", help_heading = "What to make")]
    pub seeds: bool,
    /// Write a dictionary for AFL++ or libFuzzer: magic numbers, codes and integers of every width.
    #[arg(long, group = "what", value_name = "NAME", value_parser = dictionary::NAMES, help_heading = "What to make")]
    pub dictionary: Option<String>,

    /// Kinds of files to make [default: all]; with `--from`, the kind of those files.
    #[arg(long, value_name = "KIND", value_parser = kind, value_delimiter = ',')]
    pub format: Vec<Kind>,
    /// The files to mutate or break, or the original file for a recipe. A directory stands for every file in it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["valid", "seeds", "dictionary"])]
    pub from: Vec<PathBuf>,
    /// Seed for the random choices [default: 0; with `--in-place`, random].
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Number of files per kind, per rule, or per `--from` file.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: u64,
    /// With `reference`, make only valid files that the reference reader also accepts.
    #[arg(long, value_enum, default_value_t)]
    pub profile: ProfileArgument,
    /// Maximum size of a mutant [default: 64 KiB more than its original], or approximate size of a valid file [default: 4096].
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub size: Option<usize>,
    /// Which offsets, lengths, counts and checksums to recompute after a change: `everything`, `nothing`, roles such as
    /// `checksum`, or `all-but 16`, which skips one in 16.
    #[arg(long, requires = "mutate", default_value = "all-but 16", value_parser = request::repair, help_heading = "Mutants")]
    pub repair: ndbytes_forge::Repair,
    /// Change only fields that match PATTERN, e.g. `header.*`.
    #[arg(long, requires = "mutate", value_name = "PATTERN", help_heading = "Mutants")]
    pub only: Option<ndbytes::everybyte::diff::Pattern>,
    /// Next to each file, write a recipe from which `--replay` recreates it.
    #[arg(long, help_heading = "Output")]
    pub recipes: bool,
    /// Write `manifest.jsonl`, with one JSON object per file.
    #[arg(long, help_heading = "Output")]
    pub manifest: bool,
    /// Mutate this file in place, as some fuzzers require.
    #[arg(long, value_name = "FILE", requires = "mutate", conflicts_with_all = ["from", "out", "recipes", "manifest"])]
    #[arg(help_heading = "Mutants")]
    pub in_place: Option<PathBuf>,
    /// A new or empty directory for the files; with `--replay`, `--seeds` or `--dictionary`, the file to write.
    pub out: Option<PathBuf>,
    /// The command that `--minimise` runs, with the file as its last argument.
    #[arg(last = true, value_name = "COMMAND", requires = "minimise")]
    pub command: Vec<OsString>,
}

/// Parses the name of a kind.
fn kind(name: &str) -> Result<Kind, String> {
    Kind::named(name).ok_or_else(|| {
        let names = Kind::ALL.map(Kind::name).join(", ");
        format!("unknown kind of file; expected one of {names}")
    })
}

/// Parses a size that fits in memory.
fn size(text: &str) -> Result<usize, String> {
    usize::try_from(number_of_bytes(text)?).map_err(|_| "too many bytes".into())
}

impl Arguments {
    /// Returns the seed, which is 0 if none was given.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_default()
    }

    /// Returns the forge for the arguments.
    pub fn forge(&self) -> Forge {
        let forge = Forge::new(self.seed()).profile(self.profile.into());
        let forge = match self.size {
            Some(size) => forge.size(size),
            None => forge,
        };
        match self.format[..] {
            [kind] if !self.from.is_empty() || self.in_place.is_some() => forge.of_kind(kind),
            _ => forge,
        }
    }

    /// Returns why the arguments cannot be combined, if they cannot.
    pub fn refusal(&self) -> Option<&'static str> {
        let (is_made, takes_files) = (self.valid || self.seeds, !self.from.is_empty() || self.in_place.is_some());
        if takes_files && self.format.len() > 1 {
            return Some("`--from` and `--in-place` take files of one kind: give `--format` only once");
        }
        let is_reference = matches!(self.profile, ProfileArgument::Reference);
        (is_reference && !is_made).then_some("`--profile reference` applies only to `--valid` and `--seeds`")
    }
}

/// Returns the kinds in the arguments, or all.
pub fn kinds(arguments: &Arguments) -> Vec<Kind> {
    if arguments.format.is_empty() { Kind::ALL.to_vec() } else { arguments.format.clone() }
}
