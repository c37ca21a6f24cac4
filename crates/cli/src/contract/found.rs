//! Finding and reading a contract, and asking it about a file.

use super::document::{self, LONGEST};
use super::inside;
use super::lines::Lined;
use super::terms::Clause;
use crate::show::text;
use globset::{GlobSet, GlobSetBuilder};
use ndbytes::{Input, Limits};
use ndbytes_compare::diff::Tolerance;
use ndbytes_compare::digest::{self, Digest};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// The name of a contract.
const NAME: &str = ".ndbytes.toml";

/// Returns whether a file has the name of a contract.
pub fn is_contract(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == NAME)
}

/// The folder of a repository ends the search.
const REPOSITORY: &str = ".git";

/// The arguments of all subcommands that ask a contract.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ConfigArguments {
    /// The contract: types, shapes, ranges, pairs and tolerances of files. Without this option, it is the first `.ndbytes.toml` from
    /// the working folder up to the root of the git repository.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// Use no contract.
    #[arg(long)]
    no_config: bool,
}

impl ConfigArguments {
    /// Returns whether a contract is named, or none is wanted.
    pub fn is_given(&self) -> bool {
        self.no_config || self.config.is_some()
    }

    /// The contract, if there is one.
    ///
    /// # Errors
    /// A sentence on a contract that cannot be read, or is not valid.
    pub fn contract(&self) -> Result<Option<Contract>, String> {
        if self.no_config { Ok(None) } else { Contract::of(self.config.as_deref()) }
    }
}

/// The contract of the working folder, and the folder that it may not lead out of. Without a repository around it, no folder
/// above counts: it may be anybody's.
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
    /// Its path, as findings name it.
    pub shown: String,
    /// The folder that its globs begin in, as it was named and as the system names it.
    folders: [PathBuf; 2],
    clauses: Vec<Clause>,
    globs: GlobSet,
    /// The digest of its text.
    #[cfg_attr(not(feature = "convert"), allow(dead_code, reason = "tables of findings alone have it"))]
    pub digest: Digest,
}

impl Contract {
    /// The contract at a path, or that of the working folder if there is one.
    ///
    /// # Errors
    /// A sentence on a contract that cannot be read, or is not valid.
    pub fn of(path: Option<&Path>) -> Result<Option<Self>, String> {
        match path {
            Some(path) => Contract::read(path, None).map(Some),
            None => found().map(|(path, root)| Contract::read(&path, Some(&root))).transpose(),
        }
    }

    /// Reads a contract. One that nobody named is a file in its root.
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
        let input = Input::from_slice(text.as_bytes(), Limits::default());
        let digest = digest::bytes(&input).map_err(|error| about(error.to_string()))?;
        Ok(Contract { shown, folders: [folder, real], clauses, globs, digest })
    }

    /// The clause about a file, or about a member of an archive by its address. For each key, the last glob that fits counts.
    /// `None` if no glob fits.
    pub fn about(&self, path: &Path) -> Option<Clause> {
        let path = self.relative(path)?;
        let mut fitting = self.globs.matches(&path).into_iter().map(|place| &self.clauses[place]);
        let first = fitting.next()?.clone();
        Some(fitting.fold(first, Clause::overridden))
    }

    /// The tolerance for a file, and its line.
    pub fn tolerance(&self, path: &Path) -> Option<Lined<Tolerance>> {
        self.about(path)?.tolerance
    }

    /// A path from the folder of the contract, with `/` between its parts.
    fn relative(&self, path: &Path) -> Option<String> {
        let absolute = plain(&std::path::absolute(path).ok()?);
        let inside = self.folders.iter().find_map(|folder| absolute.strip_prefix(folder).ok().map(Path::to_owned));
        let inside = match inside {
            Some(inside) => inside,
            // A link may lead into the folder.
            None => fs::canonicalize(&absolute).ok()?.strip_prefix(&self.folders[1]).ok()?.to_owned(),
        };
        let parts: Vec<_> = inside.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        Some(parts.join("/"))
    }
}

/// The text of a contract.
fn read(path: &Path) -> Result<String, String> {
    let sentence = |error: io::Error| error.to_string();
    let found = fs::metadata(path).map_err(sentence)?;
    if !found.is_file() {
        return Err("the contract is not a regular file".to_owned());
    }
    let mut text = String::new();
    File::open(path).map_err(sentence)?.take(LONGEST + 1).read_to_string(&mut text).map_err(|error| {
        match error.kind() {
            io::ErrorKind::InvalidData => "the contract is not UTF-8".to_owned(),
            _ => error.to_string(),
        }
    })?;
    match text.len() as u64 > LONGEST {
        true => Err(format!("the contract is longer than {LONGEST} bytes, the most that are read")),
        false => Ok(text),
    }
}

/// A path without `.` and `..`, as far as its text says.
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

/// A path from the working folder, as messages name it.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    text::path(path.strip_prefix(here).unwrap_or(path))
}
