//! `ndbytes git setup`
//!
//! Settings go into the configuration of the repository, which git does not share, and patterns into `.gitattributes`,
//! which is committed. Running the command again changes nothing. Values of earlier versions are replaced, but never a
//! value that the user chose.

use super::run::{CONFIG, DRIVER, EARLIER, Failed, config, git, patterns, root};
use crate::context::{Context, Outcome};
use ndbytes::internals::door;
use std::io;
use std::path::{Path, PathBuf};

/// The maximum length of .gitattributes in bytes. git has the same limit.
const LONGEST: u64 = 100 << 20;

/// Configure git in this repository.
///
/// Adds the drivers to the repository's configuration, and patterns to .gitattributes. Existing settings are kept, except those
/// written by an earlier version. Commit .gitattributes to share the patterns; the configuration is not shared.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print the commands and lines, without writing anything.
    #[arg(long)]
    print: bool,
    /// Configure git for all repositories of this user, without changing .gitattributes.
    #[arg(long)]
    global: bool,
}

/// Configures git, or prints the commands that would do so with `--print`.
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

/// Prints the configuration as commands and lines to copy.
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

/// Returns a line of .gitattributes that assigns a driver to the names that match a pattern.
fn line(pattern: &str, attributes: &[&str]) -> String {
    attributes.iter().fold(pattern.to_owned(), |line, attribute| format!("{line} {attribute}={DRIVER}"))
}

/// Returns the lines for `.gitattributes`, one per pattern.
fn lines() -> impl Iterator<Item = String> {
    patterns().map(|(pattern, attributes)| line(&pattern, attributes))
}

/// Writes the missing settings and reports them.
fn write(is_global: bool, context: &mut Context<'_>) -> io::Result<Result<(), Failed>> {
    // This comes first, because outside a work tree, nothing must be written.
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
                writeln!(context.out, "{key} is kept: {}", crate::show::text::Shown(there))?
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

/// Returns the path of .gitattributes.
fn attributes() -> Result<PathBuf, Failed> {
    let path = root()?.join(".gitattributes");
    if path.is_symlink() {
        // git does not follow the link, and its target may not belong to this repository.
        return Err(Failed(format!("{} is a symbolic link, which git does not follow", path.display())));
    }
    Ok(path)
}

/// Adds the lines whose patterns are missing, and returns their number.
fn add_lines(path: &Path) -> Result<usize, String> {
    let mut text = match door::regular_itself(path).and_then(|file| door::text(file, LONGEST)) {
        Ok(Some(text)) => text,
        Ok(None) => return Err(format!("{}: the file has more than {LONGEST} bytes", path.display())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    let is_there = |pattern: &str, attribute: &str| {
        text.lines().map(str::split_whitespace).any(|mut words| {
            // If the attribute is explicitly unset, the user does not want the driver.
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
