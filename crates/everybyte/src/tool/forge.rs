//! The command `forge`: mutants of a file, and recipes performed on it.

use super::described::Described;
use super::input::{read, shown};
use super::outcome::Outcome;
use crate::diff::Pattern;
use crate::escape::escape;
use crate::forge::{Choices, Mutation, Recipe, Repair, Session, Step, replay};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The arguments of the command.
pub enum Request<'a> {
    /// Mutants of a file, in a folder.
    Mutants { file: &'a OsStr, folder: &'a OsStr, seed: u64, count: u64, how: Mutation },
    /// A recipe, performed on a file.
    Replay { recipe: &'a OsStr, file: &'a OsStr, to: &'a OsStr },
}

impl<'a> Request<'a> {
    /// Reads the arguments; `None` if they are not those of the command.
    pub fn new(arguments: &[&'a OsStr]) -> Result<Option<Self>, String> {
        let (mut seed, mut count, mut how, mut recipe) = (1, 1, Mutation::default(), None);
        let mut paths = Vec::new();
        let mut arguments = arguments.iter();
        while let Some(&argument) = arguments.next() {
            let Some(option) = argument.to_str().filter(|word| word.starts_with("--")) else {
                paths.push(argument);
                continue;
            };
            let Some(&value) = arguments.next() else { return Err(format!("{} needs a value", escape(option))) };
            let text = value.to_string_lossy();
            let wrong = |problem: &dyn std::fmt::Display| format!("{option} {}: {problem}", escape(&text));
            match option {
                "--seed" => seed = text.parse().map_err(|error| wrong(&error))?,
                "--count" => count = text.parse().map_err(|error| wrong(&error))?,
                "--size" => how.max_len = text.parse().map_err(|error| wrong(&error))?,
                "--only" => how.only = Some(Pattern::new(&text).map_err(|error| wrong(&error))?),
                "--repair" => how.repair = repair(&text).map_err(|error| wrong(&error))?,
                "--replay" => recipe = Some(value),
                _ => return Ok(None),
            }
        }
        Ok(match (recipe, &paths[..]) {
            (None, &[file, folder]) => Some(Request::Mutants { file, folder, seed, count, how }),
            (Some(recipe), &[file, to]) => Some(Request::Replay { recipe, file, to }),
            _ => None,
        })
    }
}

/// The roles to repair, as the line `repair` of a recipe says it; roles may be separated by commas.
fn repair(text: &str) -> Result<Repair, String> {
    let text = text.replace(',', " ");
    let recipe: Recipe = format!("repair {text}").parse().map_err(|error: crate::forge::RecipeError| error.problem)?;
    match recipe.steps[..] {
        [Step::Repair(repair)] => Ok(repair),
        _ => Err("this is not what can be mended".into()),
    }
}

pub fn run(
    format: &dyn Described,
    request: &Request<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Outcome> {
    let grammar = format.grammar();
    match request {
        Request::Mutants { file, folder, seed, count, how } => {
            let Some(bytes) = read(file, err)? else { return Ok(Outcome::Unusable) };
            let mut session = Session::new(&*grammar);
            let mut choices = Choices::seeded(*seed);
            if let Err(error) = fs::create_dir_all(folder) {
                return unwritten(folder, &error, err);
            }
            for number in 1..=*count {
                let mut mutant = session.mutate(&bytes, how, &mut choices.fork());
                let from = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
                mutant.recipe.header = vec![format!("forge 1 {} seed={seed} from={}", format.name(), escape(&from))];
                let name = format!("{}-{seed}-{number}", stem(format.name()));
                let made =
                    Path::new(folder).join(&name).with_extension(Path::new(file).extension().unwrap_or_default());
                let recipe = Path::new(folder).join(format!("{name}.recipe"));
                for (path, bytes) in [(&made, &mutant.bytes[..]), (&recipe, mutant.recipe.to_string().as_bytes())] {
                    if let Err(error) = create(path, bytes) {
                        return unwritten(path.as_os_str(), &error, err);
                    }
                }
                writeln!(out, "{}", shown(made.as_os_str()))?;
            }
            Ok(Outcome::Clean)
        }
        Request::Replay { recipe, file, to } => {
            let (Some(text), Some(bytes)) = (read(recipe, err)?, read(file, err)?) else {
                return Ok(Outcome::Unusable);
            };
            let text = String::from_utf8_lossy(&text);
            let made = text.parse::<Recipe>().map_err(|error| error.to_string());
            let made = made.and_then(|recipe| replay(&*grammar, &bytes, &recipe).map_err(|error| error.to_string()));
            match made {
                Ok(made) => match create(Path::new(to), &made) {
                    Ok(()) => Ok(Outcome::Clean),
                    Err(error) => unwritten(to, &error, err),
                },
                Err(error) => {
                    writeln!(err, "error: {}: {error}", shown(recipe))?;
                    Ok(Outcome::Unusable)
                }
            }
        }
    }
}

/// Writes a file that is not there yet.
fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::File::create_new(path)?.write_all(bytes)
}

fn unwritten(path: &OsStr, error: &io::Error, err: &mut dyn Write) -> io::Result<Outcome> {
    writeln!(err, "error: {}: {error}", shown(path))?;
    Ok(Outcome::Unusable)
}

/// The name of a format in names of files.
fn stem(name: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    name.chars().map(letter).collect()
}
