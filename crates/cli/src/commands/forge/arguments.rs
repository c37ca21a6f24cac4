//! The arguments of `ndbytes forge`.

use super::{dictionary, request};
use crate::values::profile::ProfileArgument;
use crate::values::size::number_of_bytes;
use ndbytes_forge::{Forge, Kind};
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
    /// Make files that break this rule and no other; `all` is every rule. With --from, each file is broken in these ways.
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

    /// Kinds of files to make, or whose rules `--broken all` breaks [default: all]; with --from, the kind of these files.
    #[arg(long, value_name = "KIND", value_parser = kind, value_delimiter = ',')]
    pub format: Vec<Kind>,
    /// Files to mutate or to break, or the file that a recipe begins with; of a directory, each file in it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["valid", "seeds", "dictionary"])]
    pub from: Vec<PathBuf>,
    /// Seed of the random choices [default: 0; with --in-place, another one each time].
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Number of files: per kind, per rule, or per --from file.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: u64,
    /// The profile that accepts the files of --valid and --seeds: with `reference`, those that the reference readers take, too.
    #[arg(long, value_enum, default_value_t)]
    pub profile: ProfileArgument,
    /// Approximate maximum size of a valid file [default: 4096], or maximum size of a mutant [default: 64 KiB more than its file].
    #[arg(long, value_name = "BYTES", value_parser = size)]
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

/// A size that memory can have.
fn size(text: &str) -> Result<usize, String> {
    usize::try_from(number_of_bytes(text)?).map_err(|_| "too many bytes".into())
}

impl Arguments {
    /// The seed, which is 0 if none was given.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_default()
    }

    /// The forge that makes what the arguments ask for.
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

    /// The reason why the arguments do not suit each other, if there is one.
    pub fn refusal(&self) -> Option<&'static str> {
        let (is_made, takes_files) = (self.valid || self.seeds, !self.from.is_empty() || self.in_place.is_some());
        if takes_files && self.format.len() > 1 {
            return Some("`--format` names one kind where files are given: that of these files");
        }
        let is_reference = matches!(self.profile, ProfileArgument::Reference);
        (is_reference && !is_made).then_some("`--profile` is about valid files: `--valid` or `--seeds` makes them")
    }
}

/// The kinds that the arguments name, or all.
pub fn kinds(arguments: &Arguments) -> Vec<Kind> {
    if arguments.format.is_empty() { Kind::ALL.to_vec() } else { arguments.format.clone() }
}
