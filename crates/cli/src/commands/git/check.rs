//! `ndbytes git check`
//!
//! If a driver is not set up, or a pattern does not match, git just prints "Binary files differ". So this command gets
//! the driver for each file from git itself.

use super::run::{COMMAND, DRIVER, Failed, TEXTCONV, config, git, git_with_input, root};
use crate::context::{Context, Outcome};
use crate::show::text::Shown;
use ndbytes::internals::known_format;
use ndbytes::{Format, Input};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The git notes that cache texts.
const CACHE: &str = "refs/notes/textconv/ndbytes";

/// The maximum number of files that are listed.
const MOST_LISTED: usize = 100;

/// Report whether git uses ndbytes for each tracked file.
///
/// Checks the configuration, the cache, and the driver for every tracked file in a known format. Exit status: 1 if any
/// of them is not set up.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// A tracked file in a known format.
struct Tracked {
    path: String,
    format: &'static str,
    driver: String,
}

/// Checks that the drivers and attributes are set up for the tracked files of this repository.
pub fn run(_: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let found = root().and_then(|root| Ok((setting()?, cache()?, tracked(&root, context)?)));
    let (setting, cache, tracked) = match found {
        Ok(found) => found,
        Err(Failed(message)) => {
            context.complain(&message)?;
            return Ok(Outcome::Unreadable);
        }
    };
    let (is_set, said) = setting;
    writeln!(context.out, "{said}")?;
    if let Some(said) = cache {
        writeln!(context.out, "{said}")?;
    }
    let (shown, others): (Vec<&Tracked>, Vec<&Tracked>) = tracked.iter().partition(|file| file.driver == DRIVER);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    shown.iter().for_each(|file| *counts.entry(file.format).or_default() += 1);
    let counts: Vec<String> = counts.iter().map(|(format, count)| format!("{count} {format}")).collect();
    writeln!(context.out, "{} of {} tracked files use the driver ndbytes", shown.len(), tracked.len())?;
    if !counts.is_empty() {
        writeln!(context.out, "  {}", counts.join(", "))?;
    }
    for file in others.iter().take(MOST_LISTED) {
        let driver = match file.driver.as_str() {
            "unspecified" => "has no driver: `ndbytes git setup` adds patterns to .gitattributes".to_owned(),
            "unset" => "is declared binary (-diff)".to_owned(),
            "set" => "is declared text (diff)".to_owned(),
            driver => format!("has the driver {}", Shown(driver)),
        };
        writeln!(context.out, "  {} ({}) {driver}", Shown(&file.path), file.format)?;
    }
    if others.len() > MOST_LISTED {
        writeln!(context.out, "  and {} more", others.len() - MOST_LISTED)?;
    }
    Ok(if is_set && others.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

/// Returns whether git can show text for the files, and a message about the commands that it calls.
fn setting() -> Result<(bool, String), Failed> {
    let said = |key: &str, command: Option<&str>, own: &str, without: &str| match command {
        None => format!("{key} is not set: {without}`ndbytes git setup` sets it"),
        Some(command) if command == own => format!("{key} = {command}"),
        Some(command) => format!("{key} = {} (not what `setup` writes)", Shown(command)),
    };
    let (command, textconv) = (config("diff.ndbytes.command")?, config("diff.ndbytes.textconv")?);
    let lines = [
        said("diff.ndbytes.command", command.as_deref(), COMMAND, "`git diff` compares texts; "),
        said("diff.ndbytes.textconv", textconv.as_deref(), TEXTCONV, ""),
    ];
    Ok((textconv.is_some(), lines.join("\n")))
}

/// Returns the state of git's cached texts, which are valid only for the command that created them.
fn cache() -> Result<Option<String>, Failed> {
    let Ok(noted) = git(&["log", "-1", "--format=%B", CACHE]) else { return Ok(None) };
    let command = config("diff.ndbytes.textconv")?.unwrap_or_default();
    let noted = noted.trim();
    Ok(Some(match noted == command {
        true => format!("the cache holds texts of `{}`", Shown(noted)),
        false => format!("the cache is stale: it holds texts of `{}`, which git will drop", Shown(noted)),
    }))
}

/// Returns the tracked files whose content is in a known format.
fn tracked(root: &Path, context: &Context<'_>) -> Result<Vec<Tracked>, Failed> {
    let at = root.to_string_lossy();
    let listed = git_with_input(&["-C", &at, "ls-files", "-z"], &[])?;
    let known: Vec<(&[u8], &'static str)> =
        listed.split(|&byte| byte == 0).filter_map(|path| Some((path, format(root, path, context)?))).collect();
    let asked: Vec<u8> = known.iter().flat_map(|(path, _)| path.iter().copied().chain([0])).collect();
    // `check-attr -z` answers with path, attribute and value.
    let answer = git_with_input(&["-C", &at, "check-attr", "-z", "--stdin", "diff"], &asked)?;
    let mut fields = answer.split(|&byte| byte == 0);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut tracked = Vec::new();
    for (path, format) in known {
        let (Some(_), Some(_), Some(driver)) = (fields.next(), fields.next(), fields.next()) else { break };
        tracked.push(Tracked { path: text(path), format, driver: text(driver) });
    }
    Ok(tracked)
}

/// Returns the title of the format of a file in the work tree; `None` for all others. Links are not followed.
fn format(root: &Path, path: &[u8], context: &Context<'_>) -> Option<&'static str> {
    let path = root.join(os_path(path)?);
    if path.as_os_str().is_empty() || !path.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let input = Input::open(&path, context.limits).ok()?;
    known_format(&input).map(Format::title)
}

/// Returns a path that git printed. Paths are bytes on Unix.
#[cfg(unix)]
fn os_path(path: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    (!path.is_empty()).then(|| PathBuf::from(std::ffi::OsStr::from_bytes(path)))
}

/// Returns a path that git printed. On this system, git prints UTF-8.
#[cfg(not(unix))]
fn os_path(path: &[u8]) -> Option<PathBuf> {
    let path = std::str::from_utf8(path).ok()?;
    (!path.is_empty()).then(|| PathBuf::from(path))
}
