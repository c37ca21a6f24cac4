//! Options from the environment: `NDBYTES_FORGE="repair=16,format=idx,only=header.*"`, and `AFL_POST_REPAIR=1`.

use everybyte_ksy::{Loader, SpecGrammar};
use ndbytes::everybyte::diff::Pattern;
use ndbytes_forge::{Forge, Kind, Mutation, Repair};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The name of the variable.
pub const VARIABLE: &str = "NDBYTES_FORGE";

/// The environment variable that requests recomputing inputs before they run, unless it is 0 or empty.
const POST_REPAIR: &str = "AFL_POST_REPAIR";

/// The options of a fuzzing campaign.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The kind of every input; `None` to detect it by content.
    pub kind: Option<Kind>,
    /// The specification for reading every input.
    pub spec: Option<&'static SpecGrammar<'static>>,
    /// How to mutate inputs.
    pub how: Mutation,
    /// True if derived fields of inputs are recomputed before they run.
    pub post_repair: bool,
    /// True if shares are fixed, whatever each strategy finds: one mutant in four from libFuzzer itself, and one in
    /// four from crossover.
    pub is_unscheduled: bool,
}

impl Options {
    /// Reads the options from the environment.
    ///
    /// # Errors
    /// Fails if an option is unknown.
    pub fn of_environment() -> Result<Self, String> {
        let options =
            std::env::var(VARIABLE).map_or_else(|_| Ok(Options::default()), |words| Options::parse(&words))?;
        let post_repair = std::env::var_os(POST_REPAIR).is_some_and(|value| !value.is_empty() && value != "0");
        Ok(Options { post_repair, ..options })
    }

    /// Creates the forge for a campaign.
    pub fn forge(&self, seed: u64) -> Forge {
        let forge = Forge::new(seed);
        match (self.kind, self.spec) {
            (_, Some(spec)) => forge.of_grammar(spec),
            (Some(kind), None) => forge.of_kind(kind),
            (None, None) => forge,
        }
    }

    fn parse(words: &str) -> Result<Self, String> {
        let mut options = Options::default();
        for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (name, value) =
                word.split_once('=').ok_or_else(|| format!("{word:?} is not of the form NAME=VALUE"))?;
            match name {
                "repair" => options.how.repair = repair(value)?,
                "format" => {
                    let kind = Kind::named(value).ok_or_else(|| format!("there is no kind of file {value:?}"))?;
                    options.kind = Some(kind);
                }
                "spec" => options.spec = Some(spec(value)?),
                "only" => options.how.only = Some(value.parse::<Pattern>().map_err(|error| error.to_string())?),
                "schedule" if value == "off" => options.is_unscheduled = true,
                "schedule" => return Err(format!("the schedule is `off` or not named, but not {value:?}")),
                _ => {
                    return Err(format!(
                        "there is no option {name:?}; there are `repair`, `format`, `spec`, `only` and `schedule`"
                    ));
                }
            }
        }
        match (options.kind, options.spec) {
            (Some(_), Some(_)) => Err("`format` and `spec` exclude each other".into()),
            _ => Ok(options),
        }
    }
}

/// Returns a specification, which is read once and kept until the process ends. Its imports are searched for in its own
/// directory and in the directories in `KSY_PATH`.
fn spec(path: &str) -> Result<&'static SpecGrammar<'static>, String> {
    static READ: Mutex<BTreeMap<String, &SpecGrammar<'static>>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = read.get(path) {
        return Ok(known);
    }
    let spec = Loader::new().folders_of_environment().read(path).map_err(|error| error.to_string())?;
    let grammar: &SpecGrammar<'_> = Box::leak(Box::new(SpecGrammar::new(Box::leak(Box::new(spec)))));
    read.insert(path.to_owned(), grammar);
    Ok(grammar)
}

/// Parses what to recompute: `N` leaves one in N derived fields wrong, 0 recomputes none of them, and 1 all of them.
pub fn repair(value: &str) -> Result<Repair, String> {
    match value.parse::<u32>() {
        Ok(number) => Ok(repair_of(number)),
        Err(_) => value.parse::<Repair>().map_err(|error| error.to_string()),
    }
}

/// The same, but for a number.
pub fn repair_of(number: u32) -> Repair {
    match number {
        0 => Repair::Nothing,
        1 => Repair::Everything,
        number => Repair::AllBut(u8::try_from(number).unwrap_or(u8::MAX)),
    }
}
