//! Files and stores that ndbytes can read but has no rules for, in commands that check files against rules.

use super::open::Failure;
use crate::context::Context;
use crate::show::check::Kind;
use crate::show::text;
use crate::values::folder::is_foreign;
use std::path::{Path, PathBuf};

/// Reads everything, or only the description. `None` if there is nothing of this kind at the path.
#[cfg(feature = "convert")]
pub fn read(path: &Path, is_whole: bool, context: &Context<'_>) -> Option<Result<Kind, Failure>> {
    use super::divide::at;
    use super::foreign::failure;
    let foreign = match at(path, context)? {
        Ok(foreign) => foreign,
        Err(failure) => return Some(Err(failure)),
    };
    let kind = foreign.kind();
    let how = if is_whole { "read as a whole" } else { "only its description is read" };
    let words = format!("{kind}: {how}, no rules of ours");
    let read = if is_whole { foreign.inner.ensure_readable() } else { foreign.inner.ensure_described() };
    Some(read.map(|()| Kind { name: kind.name(), words }).map_err(failure))
}

/// This build supports nothing without rules.
#[cfg(not(feature = "convert"))]
pub fn read(_: &Path, _: bool, _: &Context<'_>) -> Option<Result<Kind, Failure>> {
    None
}

/// Returns why a command based on rules refuses a path. `None` if there is nothing of this kind at the path.
#[cfg(feature = "convert")]
pub fn refusal(path: &Path, what: &str, context: &Context<'_>) -> Option<Failure> {
    use super::divide::at;
    match at(path, context)? {
        Ok(foreign) if foreign.is_ctable() => None,
        Ok(foreign) => Some(Failure::Words(format!("{}: {what}", foreign.kind()))),
        Err(failure) => Some(failure),
    }
}

/// Returns why a command that works by rules refuses the first path that leads to a store without rules, or into one.
pub fn store_refusal(paths: &[PathBuf], what: &str, context: &Context<'_>) -> Option<String> {
    let may_lead = |path: &&PathBuf| is_foreign(path) || !path.is_file() && path.to_string_lossy().contains('!');
    let mut refused = paths.iter().filter(may_lead).filter_map(|path| Some((path, refusal(path, what, context)?)));
    refused.next().map(|(path, failure)| format!("{}: {}", text::path(path), failure.reason()))
}

/// This build supports nothing without rules.
#[cfg(not(feature = "convert"))]
pub fn refusal(_: &Path, _: &str, _: &Context<'_>) -> Option<Failure> {
    None
}
