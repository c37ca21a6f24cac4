//! `ndbytes git check`

use super::run::{DRIVER, Failed, TEXTCONV, config, git, git_with_input, root};
use crate::context::{Context, Outcome};
use crate::show::text::Shown;
use ndbytes::internals::known_format;
use ndbytes::{Format, Input};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The notes in which git keeps texts.
const CACHE: &str = "refs/notes/textconv/ndbytes";

/// The maximum number of files that are listed.
const MOST_LISTED: usize = 100;

/// Say which driver git uses for each tracked file of a known format, and whether git can run it.
///
/// Exit status 1 if a file is not shown, or by another driver.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// A tracked file of a known format.
struct Tracked {
    path: String,
    format: &'static str,
    driver: String,
}

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
    writeln!(context.out, "{} of {} tracked files have the driver ndbytes", shown.len(), tracked.len())?;
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

/// Returns whether the driver is set, and what there is to say about it.
fn setting() -> Result<(bool, String), Failed> {
    Ok(match config("diff.ndbytes.textconv")? {
        None => (false, "diff.ndbytes.textconv is not set: `ndbytes git setup` sets it".to_owned()),
        Some(command) if command == TEXTCONV => (true, format!("diff.ndbytes.textconv = {command}")),
        Some(command) => (true, format!("diff.ndbytes.textconv = {} (not what `setup` writes)", Shown(&command))),
    })
}

/// The state of the texts that git keeps: they are of the command that git noted, or git drops them.
fn cache() -> Result<Option<String>, Failed> {
    let Ok(noted) = git(&["log", "-1", "--format=%B", CACHE]) else { return Ok(None) };
    let command = config("diff.ndbytes.textconv")?.unwrap_or_default();
    let noted = noted.trim();
    Ok(Some(match noted == command {
        true => format!("the cache holds texts of `{}`", Shown(noted)),
        false => format!("the cache is stale: it holds texts of `{}`, which git will drop", Shown(noted)),
    }))
}

/// The tracked files whose content is of a known format.
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

/// The title of the format of a file in the work tree; `None` of all others. Links are not followed.
fn format(root: &Path, path: &[u8], context: &Context<'_>) -> Option<&'static str> {
    let path = root.join(os_path(path)?);
    if path.as_os_str().is_empty() || !path.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let input = Input::open(&path, context.limits).ok()?;
    known_format(&input).map(Format::title)
}

#[cfg(unix)]
fn os_path(path: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    (!path.is_empty()).then(|| PathBuf::from(std::ffi::OsStr::from_bytes(path)))
}

#[cfg(not(unix))]
fn os_path(path: &[u8]) -> Option<PathBuf> {
    let path = std::str::from_utf8(path).ok()?;
    (!path.is_empty()).then(|| PathBuf::from(path))
}
