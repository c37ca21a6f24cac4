//! `ndbytes git setup`

use super::run::{CONFIG, DRIVER, EARLIER, Failed, config, git, patterns, root};
use crate::context::{Context, Outcome};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Configure git to show and to merge files of arrays and tables: in the configuration of this repository, and in its
/// .gitattributes.
///
/// Existing settings are kept, except for those that an earlier version wrote. Commit .gitattributes to share the patterns; the
/// configuration is per user.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print what would be written, as commands and lines, and write nothing.
    #[arg(long)]
    print: bool,
    /// Write the configuration for all repositories of this user. .gitattributes is left alone.
    #[arg(long)]
    global: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    if arguments.print {
        return print(arguments.global, context);
    }
    match write(arguments.global, context)? {
        Ok(()) => Ok(Outcome::Clean),
        Err(Failed(message)) => {
            context.complain(&message)?;
            Ok(Outcome::Unreadable)
        }
    }
}

fn print(is_global: bool, context: &mut Context<'_>) -> io::Result<Outcome> {
    let scope = if is_global { " --global" } else { "" };
    for (key, value, purpose) in CONFIG {
        writeln!(context.out, "# {purpose}\ngit config{scope} {key} '{value}'")?;
    }
    if !is_global {
        writeln!(context.out, "\n# .gitattributes")?;
        for line in lines() {
            writeln!(context.out, "{line}")?;
        }
    }
    Ok(Outcome::Clean)
}

/// A line of .gitattributes that gives a driver to the names of a pattern.
fn line(pattern: &str, attributes: &[&str]) -> String {
    attributes.iter().fold(pattern.to_owned(), |line, attribute| format!("{line} {attribute}={DRIVER}"))
}

fn lines() -> impl Iterator<Item = String> {
    patterns().map(|(pattern, attributes)| line(&pattern, attributes))
}

/// Writes what is missing, and says what it did.
fn write(is_global: bool, context: &mut Context<'_>) -> io::Result<Result<(), Failed>> {
    // Asked before anything is written: outside a repository, and in one without files, nothing is.
    let attributes = match (!is_global).then(attributes).transpose() {
        Ok(attributes) => attributes,
        Err(failed) => return Ok(Err(failed)),
    };
    for &(key, value, _) in CONFIG {
        let there = match config(key) {
            Ok(there) => there,
            Err(failed) => return Ok(Err(failed)),
        };
        match there.as_deref() {
            Some(there) if there == value => writeln!(context.out, "{key} is set")?,
            Some(there) if !EARLIER.contains(&(key, there)) => {
                writeln!(context.out, "{key} stays as it is: {}", crate::show::text::Shown(there))?
            }
            _ => {
                let scope = if is_global { "--global" } else { "--local" };
                if let Err(failed) = git(&["config", scope, key, value]) {
                    return Ok(Err(failed));
                }
                writeln!(context.out, "{key} = {value}")?;
            }
        }
    }
    let Some(path) = attributes else {
        return Ok(Ok(()));
    };
    match add_lines(&path) {
        Ok(0) => writeln!(context.out, ".gitattributes has all patterns")?,
        Ok(added) => writeln!(context.out, ".gitattributes: {added} patterns added; commit it")?,
        Err(error) => return Ok(Err(Failed(error))),
    }
    Ok(Ok(()))
}

/// The path of .gitattributes.
fn attributes() -> Result<PathBuf, Failed> {
    let path = root()?.join(".gitattributes");
    if path.is_symlink() {
        // git does not read it, and its target may not belong to this repository.
        return Err(Failed(format!("{} is a symbolic link, which git does not follow", path.display())));
    }
    Ok(path)
}

/// Adds the lines whose patterns are not there yet, and returns their number.
fn add_lines(path: &Path) -> Result<usize, String> {
    let mut text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    let is_there = |pattern: &str, attribute: &str| {
        text.lines().map(str::split_whitespace).any(|mut words| {
            // Whoever has unset an attribute does not want the driver.
            let sets = |word: &str| word.trim_start_matches(['-', '!']).split('=').next() == Some(attribute);
            words.next() == Some(pattern) && words.any(sets)
        })
    };
    let missing: Vec<String> = patterns()
        .filter_map(|(pattern, attributes)| {
            let attributes: Vec<&str> =
                attributes.iter().copied().filter(|attribute| !is_there(&pattern, attribute)).collect();
            (!attributes.is_empty()).then(|| line(&pattern, &attributes))
        })
        .collect();
    if missing.is_empty() {
        return Ok(0);
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    for line in &missing {
        text.push_str(line);
        text.push('\n');
    }
    ndbytes::replace_file(path, text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(missing.len())
}
