//! Loads specifications from files, with everything that they import.
//!
//! A specification may come from anywhere, so its imports are bounded and confined: at most 256 files and 16 MiB, and
//! none outside the directories that the user named and the specification's own directory, even through a symbolic
//! link. A file is loaded once, however many others import it, so imports may form cycles.

use super::keys;
use super::model::Declared;
use super::overlay;
use crate::place::{At, LocatedError, SpecError, SpecResult, error_at};
use crate::yaml::{self, Yaml};
use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum length of a specification, in bytes.
const LONGEST: u64 = 4 << 20;

/// The maximum length of a specification with everything that it imports, in bytes.
const LONGEST_OF_ALL: u64 = 16 << 20;

/// The maximum number of files in a specification.
const MOST_FILES: usize = 256;

/// The places where imports are found.
#[derive(Debug, Clone, Default)]
pub struct Imports {
    /// The directories of absolute imports (`/image/exif`), in the order in which they are searched.
    pub folders: Vec<PathBuf>,
    /// The overlays of the specification itself, in addition to the one in its directory.
    pub overlays: Vec<PathBuf>,
}

/// A file to be read, and the position of the import that names it.
struct Wanted {
    path: PathBuf,
    by: Option<At>,
}

/// Loads a file with everything that it imports.
pub fn load(path: &Path, imports: &Imports) -> Result<Declared, SpecError> {
    let mut loader = Loader::new(imports);
    // Imports from the specification's own directory are also allowed.
    loader.inside.extend(path.canonicalize().ok().and_then(|path| path.parent().map(Path::to_owned)));
    let result = loader.all(Wanted { path: path.to_owned(), by: None }, &imports.overlays);
    loader.ended(result)
}

/// Loads a specification from a string. It can only import from the given directories.
pub fn parse(name: &str, text: &str, imports: &Imports) -> Result<Declared, SpecError> {
    let mut loader = Loader::new(imports);
    loader.declared.files.push(name.to_owned());
    let result = loader
        .file(text, Path::new(""), &imports.overlays)
        .and_then(|further| further.into_iter().try_for_each(|wanted| loader.all(wanted, &[])));
    loader.ended(result)
}

/// Loads a specification with its imports.
struct Loader {
    declared: Declared,
    folders: Vec<PathBuf>,
    /// The directories that imports may not leave.
    inside: Vec<PathBuf>,
    known: HashSet<PathBuf>,
    /// How many bytes and nodes the files may still have.
    left: u64,
    nodes: usize,
}

impl Loader {
    /// Creates a loader that may import from these directories.
    fn new(imports: &Imports) -> Self {
        let inside = imports.folders.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
        Loader {
            declared: Declared::default(),
            folders: imports.folders.clone(),
            inside,
            known: HashSet::new(),
            left: LONGEST_OF_ALL,
            nodes: yaml::NODES,
        }
    }

    /// Returns the specification, or its fault with the path of the file.
    fn ended(self, result: SpecResult<()>) -> Result<Declared, SpecError> {
        match result {
            Ok(()) => Ok(self.declared),
            Err(flaw) => Err(located(&self.declared.files, flaw)),
        }
    }

    /// Reads a file and everything that it imports, one by one.
    fn all(&mut self, first: Wanted, overlays: &[PathBuf]) -> SpecResult<()> {
        let mut wanted = vec![first];
        while let Some(Wanted { path, by }) = wanted.pop() {
            let file = self.declared.files.len() as u32;
            let at = by.unwrap_or(At { file, line: 0, column: 0 });
            if by.is_none() {
                self.declared.files.push(path.display().to_string());
            }
            let unread = |message: String| match by {
                Some(_) => LocatedError { at, message: format!("{}: {message}", path.display()) },
                None => LocatedError { at, message },
            };
            let real = path.canonicalize().map_err(|error| unread(error.to_string()))?;
            if !self.is_inside(&real) {
                return error_at(
                    at,
                    format!("the import {} leads out of the directories of the specification", path.display()),
                );
            }
            if !self.known.insert(real.clone()) {
                continue;
            }
            if by.is_some() {
                self.declared.files.push(path.display().to_string());
            }
            if self.declared.files.len() > MOST_FILES {
                return error_at(at, format!("the specification has more than {MOST_FILES} files"));
            }
            let text = self.text_of(&real).map_err(unread)?;
            let mut over = if by.is_none() { overlays.to_vec() } else { Vec::new() };
            over.extend(self.beside(&real, &path)?);
            let mut further = self.file(&text, path.parent().unwrap_or(Path::new("")), &over)?;
            further.reverse();
            wanted.append(&mut further);
        }
        Ok(())
    }

    /// Returns the overlay next to a specification: `png.overlay.yaml` for `png.ksy`.
    fn beside(&self, real: &Path, path: &Path) -> SpecResult<Option<PathBuf>> {
        let [real, path] = [real, path].map(|path| path.with_extension("overlay.yaml"));
        match real.canonicalize() {
            Ok(leads_to) if !self.is_inside(&leads_to) => {
                error_at(At::default(), format!("{} leads out of the directories of the specification", path.display()))
            }
            // The user did not name this file, so opening it must not block.
            Ok(leads_to) if !leads_to.is_file() => {
                error_at(At::default(), format!("{} is not a regular file", path.display()))
            }
            Ok(_) => Ok(Some(path)),
            Err(_) => Ok(None),
        }
    }

    /// Returns whether a file, after resolving links, is in a directory that imports may use.
    fn is_inside(&self, real: &Path) -> bool {
        self.inside.is_empty() || self.inside.iter().any(|folder| real.starts_with(folder))
    }

    /// Reads the last requested file, with its overlays; returns its imports.
    fn file(&mut self, text: &str, folder: &Path, overlays: &[PathBuf]) -> SpecResult<Vec<Wanted>> {
        let mut yaml = yaml::parse(text, self.declared.files.len() as u32 - 1, &mut self.nodes)?;
        for path in overlays {
            let file = self.declared.files.len() as u32;
            self.declared.files.push(path.display().to_string());
            let over =
                self.text_of(path).map_err(|message| LocatedError { at: At { file, line: 0, column: 0 }, message })?;
            overlay::lay(yaml::parse(&over, file, &mut self.nodes)?, &mut yaml)?;
        }
        if !matches!(yaml.kind, yaml::Kind::Map(_)) {
            return error_at(yaml.at, format!("a specification must be a map, found {}", yaml.what()));
        }
        let Some(meta) = yaml.get("meta") else { return error_at(yaml.at, "the specification has no `meta`") };
        let id = match meta.get("id") {
            Some(id) => keys::name(id, "a specification")?,
            None if matches!(meta.kind, yaml::Kind::Map(_)) => return error_at(meta.at, "`meta` has no `id`"),
            None => return error_at(meta.at, format!("`meta` is {}, not a map", meta.what())),
        };
        let number = self.declared.add_type(&yaml, Arc::clone(&id), None)?;
        self.declared.top.entry(id).or_insert(number);
        let imports = match meta.get("imports") {
            // A single name need not be in a list.
            Some(one) if !one.text().is_empty() => std::slice::from_ref(one),
            _ => keys::list(meta, "imports")?,
        };
        imports.iter().map(|import| self.found(import, folder)).collect()
    }

    /// Finds the file of an import.
    fn found(&self, import: &Yaml, folder: &Path) -> SpecResult<Wanted> {
        let name = import.text();
        let file = format!("{}.ksy", name.trim_start_matches('/'));
        let mut candidates = match name.strip_prefix('/') {
            Some(_) => self.folders.iter().map(|folder| folder.join(&file)).collect(),
            None => vec![folder.join(&file)],
        };
        candidates.retain(|path| path.is_file());
        match candidates.into_iter().next() {
            Some(path) => Ok(Wanted { path, by: Some(import.at) }),
            None => error_at(import.at, format!("the import `{name}` is not found: {file} does not exist")),
        }
    }

    /// Reads the text of a file.
    fn text_of(&mut self, path: &Path) -> Result<String, String> {
        let mut text = String::new();
        #[expect(
            clippy::disallowed_methods,
            reason = "the door of specifications: the user named it, or it is a regular file"
        )]
        let length = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text));
        let length = length.map_err(|error| error.to_string())? as u64;
        if length > LONGEST {
            return Err(format!("the file has more than {LONGEST} bytes"));
        }
        let left = self.left.checked_sub(length);
        self.left =
            left.ok_or_else(|| format!("the specification has more than {LONGEST_OF_ALL} bytes, with its imports"))?;
        Ok(text)
    }
}

/// Returns a fault with the name of its file.
pub fn located(files: &[String], LocatedError { at, message }: LocatedError) -> SpecError {
    let path = files.get(at.file as usize).cloned().unwrap_or_default();
    SpecError { path, line: at.line, column: at.column, message }
}
