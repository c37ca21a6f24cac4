//! Finds and reads a contract, and looks up files in it.
//!
//! The search goes upwards to the root of the git repository and no further. Outside a repository, only the working
//! directory is searched, because anyone may have written `/tmp/.ndbytes.toml`. A contract may come with a stranger's
//! pull request, so its length is bounded, and it must not be a link to a file outside the repository.

use super::document::{self, LONGEST};
use super::inside;
use super::lines::Lined;
use super::terms::Clause;
use crate::show::text;
use globset::{GlobSet, GlobSetBuilder};
use ndbytes::internals::door;
use ndbytes::{Input, Limits};
use ndbytes_compare::diff::Tolerance;
use ndbytes_compare::digest::{self, Digest};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The name of a contract.
const NAME: &str = ".ndbytes.toml";

/// Returns whether a file has the name of a contract.
pub fn is_contract(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == NAME)
}

/// The directory that marks the root of a repository, where the search ends.
const REPOSITORY: &str = ".git";

/// The arguments of all subcommands that use a contract.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Contract")]
pub struct ConfigArguments {
    /// Use the contract in FILE, which specifies types, shapes, ranges and tolerances for files.
    ///
    /// The default is the nearest `.ndbytes.toml`, searching from the working directory up to the root of the git repository.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// Ignore `.ndbytes.toml`.
    #[arg(long)]
    no_config: bool,
}

impl ConfigArguments {
    /// Returns whether a contract is named or disabled.
    pub fn is_given(&self) -> bool {
        self.no_config || self.config.is_some()
    }

    /// Returns the contract, if there is one.
    ///
    /// # Errors
    /// A message about a contract that cannot be read or is not valid.
    pub fn contract(&self) -> Result<Option<Contract>, String> {
        if self.no_config { Ok(None) } else { Contract::of(self.config.as_deref()) }
    }
}

/// Finds the contract of the working directory, and the directory that it must not lead out of. Outside a repository,
/// no parent directory is searched, because it may belong to anyone.
fn found() -> Option<(PathBuf, PathBuf)> {
    let here = std::env::current_dir().ok()?;
    let root = here.ancestors().find(|folder| folder.join(REPOSITORY).exists()).unwrap_or(&here);
    let folders = here.ancestors().take_while(|folder| folder.starts_with(root));
    let path = folders.map(|folder| folder.join(NAME)).find(|path| fs::symlink_metadata(path).is_ok())?;
    Some((path, root.to_owned()))
}

/// A contract that was read.
#[derive(Debug)]
pub struct Contract {
    /// Its path, as shown in findings.
    pub shown: String,
    /// The directory that its globs are relative to, as named by the user and by the system.
    folders: [PathBuf; 2],
    clauses: Vec<Clause>,
    globs: GlobSet,
    /// The digest of its text.
    #[cfg_attr(not(feature = "convert"), allow(dead_code, reason = "tables of findings alone have it"))]
    pub digest: Digest,
}

impl Contract {
    /// Returns the contract at a path, or else the contract for the working directory, if there is one.
    ///
    /// # Errors
    /// A message about a contract that cannot be read or is not valid.
    pub fn of(path: Option<&Path>) -> Result<Option<Self>, String> {
        match path {
            Some(path) => Contract::read(path, None).map(Some),
            None => found().map(|(path, root)| Contract::read(&path, Some(&root))).transpose(),
        }
    }

    /// Reads a contract. If the user did not name it, it must be a file inside its root.
    fn read(path: &Path, root: Option<&Path>) -> Result<Self, String> {
        let shown = shown(path);
        let about = |reason: String| format!("{shown}: {reason}");
        root.map_or(Ok(()), |root| inside::ensure(root, path)).map_err(|error| about(error.to_string()))?;
        let text = read(path).map_err(about)?;
        let clauses = document::read(&text).map_err(about)?;
        let mut globs = GlobSetBuilder::new();
        clauses.iter().for_each(|clause| {
            globs.add(clause.glob.glob.clone());
        });
        let globs = globs.build().map_err(|error| about(format!("the globs are not valid: {error}")))?;
        let absolute = plain(&std::path::absolute(path).map_err(|error| about(error.to_string()))?);
        let folder = absolute.parent().unwrap_or(Path::new("")).to_owned();
        let real = fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone());
        // The limits for a file do not apply, since constants in `document` bound the cost of a contract. It is read
        // once for all files, and a limit for one of them must not disable it.
        let input = Input::from_slice(text.as_bytes(), Limits::default());
        let digest = digest::bytes(&input).map_err(|error| about(error.to_string()))?;
        Ok(Contract { shown, folders: [folder, real], clauses, globs, digest })
    }

    /// Returns the clause for a file, or for a member of an archive by its address. For each key, the last matching
    /// glob applies. `None` if no glob matches.
    pub fn about(&self, path: &Path) -> Option<Clause> {
        let path = self.relative(path)?;
        let mut fitting = self.globs.matches(&path).into_iter().map(|place| &self.clauses[place]);
        let first = fitting.next()?.clone();
        Some(fitting.fold(first, Clause::overridden))
    }

    /// Returns the tolerance for a file, and its line.
    pub fn tolerance(&self, path: &Path) -> Option<Lined<Tolerance>> {
        self.about(path)?.tolerance
    }

    /// Returns a path relative to the directory of the contract, with `/` between its parts.
    fn relative(&self, path: &Path) -> Option<String> {
        let absolute = plain(&std::path::absolute(path).ok()?);
        let inside = self.folders.iter().find_map(|folder| absolute.strip_prefix(folder).ok().map(Path::to_owned));
        let inside = match inside {
            Some(inside) => inside,
            // A link may lead into the directory.
            None => fs::canonicalize(&absolute).ok()?.strip_prefix(&self.folders[1]).ok()?.to_owned(),
        };
        let parts: Vec<_> = inside.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        Some(parts.join("/"))
    }
}

/// Reads the text of a contract.
fn read(path: &Path) -> Result<String, String> {
    let sentence = |error: io::Error| error.to_string();
    let file = door::regular(path).map_err(sentence)?;
    match door::text(file, LONGEST) {
        Ok(Some(text)) => Ok(text),
        Ok(None) => Err(format!("the contract is longer than {LONGEST} bytes, the maximum")),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err("the contract is not UTF-8".to_owned()),
        Err(error) => Err(sentence(error)),
    }
}

/// Returns a path with `.` and `..` removed lexically.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// Returns a path relative to the working directory, for messages.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    text::path(path.strip_prefix(here).unwrap_or(path))
}
