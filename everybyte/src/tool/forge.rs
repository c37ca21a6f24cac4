//! The commands `forge`, `set` and `fix`: mutants of a file, recipes and edits.

use super::check;
use super::described::Described;
use super::input::{read, shown};
use super::outcome::Outcome;
use super::whole::create;
use crate::diff::Pattern;
use crate::escape::escape;
use crate::forge::{Choices, Editor, Mutation, Recipe, Repair, Session, Step, replay};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The arguments of the command.
pub enum Request<'a> {
    /// Writes mutants of a file to a directory.
    Mutants { file: &'a OsStr, folder: &'a OsStr, seed: u64, count: u64, how: Mutation },
    /// Applies a recipe to a file.
    Replay { recipe: &'a OsStr, file: &'a OsStr, to: &'a OsStr },
    /// Sets fields; if there are none, corrects all derived fields.
    Edit { file: &'a OsStr, fields: Vec<(String, String)>, to: &'a OsStr },
}

impl<'a> Request<'a> {
    /// Parses the arguments of one of the commands; `None` if they do not match.
    pub fn of(command: &OsStr, arguments: &[&'a OsStr]) -> Result<Option<Self>, String> {
        match command == "forge" {
            true => Request::new(arguments),
            false => Request::edit(arguments, command == "set"),
        }
    }

    /// Parses the arguments of `set` and `fix`; `None` if they do not match.
    fn edit(arguments: &[&'a OsStr], is_set: bool) -> Result<Option<Self>, String> {
        let Some(place) = arguments.iter().position(|argument| *argument == "--out") else { return Ok(None) };
        let Some(&to) = arguments.get(place + 1) else { return Err("--out needs a value".into()) };
        let others: Vec<&OsStr> = [&arguments[..place], &arguments[place + 2..]].concat();
        let [file, assignments @ ..] = &others[..] else { return Ok(None) };
        if is_set == assignments.is_empty() {
            return Ok(None);
        }
        let fields = assignments.iter().map(|text| {
            let shown = text.to_string_lossy();
            text.to_str().and_then(assignment).ok_or_else(|| format!("`{}` should be PATH=VALUE", escape(&shown)))
        });
        Ok(Some(Request::Edit { file, fields: fields.collect::<Result<_, _>>()?, to }))
    }

    /// Parses the arguments; `None` if they do not match the command.
    fn new(arguments: &[&'a OsStr]) -> Result<Option<Self>, String> {
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

/// Parses a path and a value. A `=` in brackets or quotes is part of the path.
fn assignment(text: &str) -> Option<(String, String)> {
    let (mut depth, mut is_quoted) = (0_u32, false);
    let place = text.find(|letter| {
        match letter {
            '"' => is_quoted = !is_quoted,
            '[' if !is_quoted => depth += 1,
            ']' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == '=' && depth == 0 && !is_quoted
    })?;
    Some((text[..place].to_owned(), text[place + 1..].to_owned())).filter(|(path, _)| !path.is_empty())
}

/// Parses the roles to repair, as on the `repair` line of a recipe; roles may be separated by commas.
fn repair(text: &str) -> Result<Repair, String> {
    let text = text.replace(',', " ");
    let recipe: Recipe = format!("repair {text}").parse().map_err(|error: crate::forge::RecipeError| error.problem)?;
    match recipe.steps[..] {
        [Step::Repair(repair)] => Ok(repair),
        _ => Err("this is not what can be repaired".into()),
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
        Request::Edit { file, fields, to } => edit(format, file, fields, to, out, err),
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

/// Writes an edited copy of a file and prints the findings of `check` for it.
fn edit(
    format: &dyn Described,
    file: &OsStr,
    fields: &[(String, String)],
    to: &OsStr,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Outcome> {
    let Some(bytes) = read(file, err)? else { return Ok(Outcome::Unusable) };
    let editor = Editor::new(format.grammar(), bytes);
    let edited = match fields {
        [] => Ok(editor.fix()),
        fields => fields.iter().try_fold(editor, |editor, (path, value)| editor.set(path, value)),
    };
    match edited.and_then(Editor::write) {
        Ok(made) => match create(Path::new(to), &made) {
            Ok(()) => check::run(format, &[to], out, err),
            Err(error) => unwritten(to, &error, err),
        },
        Err(error) => {
            writeln!(err, "error: {}: {error}", shown(file))?;
            Ok(Outcome::Unusable)
        }
    }
}

fn unwritten(path: &OsStr, error: &io::Error, err: &mut dyn Write) -> io::Result<Outcome> {
    writeln!(err, "error: {}: {error}", shown(path))?;
    Ok(Outcome::Unusable)
}

/// Returns a format's name as it is used in file names.
fn stem(name: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    name.chars().map(letter).collect()
}
