//! Loads specifications and reads files with them.

use crate::datum::Datum;
use crate::declared::keys::code;
use crate::declared::{self, Declared, Imports, located};
use crate::packing::{CustomProcess, Unpacking};
use crate::place::{At, LocatedError, SpecError, SpecResult};
use crate::read::{DEPTH, Granted, Machine};
use crate::resolve::{Plan, Resolver, resolve};
use crate::roles::{self, Roles};
use crate::stack::with_stack;
use crate::yaml::{Kind, Style, Yaml};
use everybyte::Endian;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A Kaitai Struct specification of a file format.
///
/// ```
/// use everybyte_ksy::Spec;
///
/// let spec: Spec = "
/// meta:
///   id: note
///   endian: le
/// seq:
///   - id: length
///     type: u2
///   - id: text
///     size: length
///     type: str
///     encoding: UTF-8
/// ".parse()?;
/// let explained = spec.explain(b"\x02\x00hi");
/// assert!(explained.findings.is_empty());
/// let text = explained.spaces[0].nodes.iter().nth(1).unwrap();
/// assert_eq!((text.name(), text.start(), text.value().to_string()), ("text", 2, "\"hi\"".to_owned()));
///
/// let broken = spec.check(b"\x05\x00hi");
/// let message = "truncated: text, at byte 2: 5 bytes are needed; 2 are left (specification:8:5)";
/// assert_eq!(broken[0].to_string(), message);
/// # Ok::<(), everybyte_ksy::SpecError>(())
/// ```
#[derive(Debug)]
pub struct Spec {
    pub(crate) declared: Declared,
    pub(crate) plan: Plan,
    pub(crate) roles: Roles,
    pub(crate) granted: Granted,
    processes: HashMap<String, Unpacking>,
    warnings: Vec<SpecError>,
}

/// Loads specifications, with options: directories for imports, overlays, your own processes, and limits for reading
/// files.
///
/// ```
/// use everybyte_ksy::Loader;
/// use std::time::Duration;
///
/// let loader = Loader::new().memory(16 << 20).time(Duration::from_secs(2));
/// let spec = loader.parse("pair.ksy", "{meta: {id: pair}, seq: [{id: a, type: u1}, {id: b, type: u1}]}")?;
/// assert_eq!((spec.name(), spec.check(&[1, 2]).len()), ("pair", 0));
/// # Ok::<(), everybyte_ksy::SpecError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Loader {
    imports: Imports,
    processes: HashMap<String, Unpacking>,
    granted: Granted,
}

impl Loader {
    /// Creates a loader that has the processes of Kaitai Struct, but no directories.
    pub fn new() -> Self {
        Loader::default()
    }

    /// Adds a directory for absolute imports: `/image/exif` is `image/exif.ksy` in it. Directories are searched in order. No import
    /// can lead outside them or the directory of the specification.
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.imports.folders.push(folder.into());
        self
    }

    /// Adds an overlay: keys for fields of a specification that you cannot edit. An overlay next to a
    /// specification (`png.overlay.yaml` for `png.ksy`) is always read.
    pub fn overlay(mut self, path: impl Into<PathBuf>) -> Self {
        self.imports.overlays.push(path.into());
        self
    }

    /// Adds the directories of the environment variable `KSY_PATH`, which are separated as in `PATH`.
    pub fn folders_of_environment(self) -> Self {
        let path = std::env::var_os("KSY_PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).filter(|folder| !folder.as_os_str().is_empty());
        folders.fold(self, Loader::folder)
    }

    /// Limits the memory for reading a file and its map, in bytes. The default for a file of *n* bytes is 32 *n* + 64 MiB.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.granted.memory = Some(bytes);
        self
    }

    /// Limits the time for reading a file. By default, only the amount of work is limited.
    pub fn time(mut self, time: Duration) -> Self {
        self.granted.time = Some(time);
        self
    }

    /// Defines what `process: name(…)` does.
    pub fn process(mut self, name: &str, process: CustomProcess) -> Self {
        self.processes.insert(name.to_owned(), Unpacking::Custom(process));
        self
    }

    /// Loads a file and everything that it imports.
    ///
    /// # Errors
    /// Returns the first error, with its position.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Spec, SpecError> {
        let path = path.as_ref();
        self.loaded(|| declared::load(path, &self.imports))
    }

    /// Loads a string; `name` appears in errors. It can only import from the loader's directories.
    ///
    /// # Errors
    /// Returns the first error, with its position.
    pub fn parse(&self, name: &str, text: &str) -> Result<Spec, SpecError> {
        self.loaded(|| declared::parse(name, text, &self.imports))
    }

    fn loaded(&self, load: impl FnOnce() -> Result<Declared, SpecError> + Send) -> Result<Spec, SpecError> {
        let loaded = with_stack(|| {
            let declared = load()?;
            let (plan, warnings) =
                resolve(&declared, &self.processes).map_err(|flaw| located(&declared.files, flaw))?;
            let warnings = warnings.into_iter().map(|flaw| located(&declared.files, flaw)).collect();
            let roles = roles::of(&plan);
            Ok(Spec { declared, plan, roles, granted: self.granted, processes: self.processes.clone(), warnings })
        });
        loaded.unwrap_or_else(|message| Err(located(&[], LocatedError { at: At::default(), message })))
    }
}

impl std::str::FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Loader::new().parse("specification", text)
    }
}

impl Spec {
    /// Loads a file. It can only import from its own directory; for other directories, see [`Loader`].
    ///
    /// # Errors
    /// Returns the first error, with its position.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SpecError> {
        Loader::new().read(path)
    }

    /// Returns the name of the format: `meta/id`.
    pub fn name(&self) -> &str {
        &self.plan.types[0].name
    }

    /// Returns the title of the format: `meta/title`; empty if there is none.
    pub fn title(&self) -> &str {
        &self.declared.types[0].title
    }

    /// Returns the licence of the specification: `meta/license`; empty if it is not stated.
    pub fn license(&self) -> &str {
        &self.declared.types[0].license
    }

    /// Returns the paths of the specification and of everything that it imports, each followed by the paths of its overlays.
    pub fn files(&self) -> &[String] {
        &self.declared.files
    }

    /// Advice about parts that are valid but should be written differently, such as the name of an encoding.
    pub fn warnings(&self) -> &[SpecError] {
        &self.warnings
    }

    /// Returns the byte order of numbers, if the outermost type states one.
    pub(crate) fn byte_order(&self) -> Endian {
        match self.declared.types[0].endian {
            declared::Endian::Big => Endian::Big,
            _ => Endian::Little,
        }
    }

    /// Returns the values of expressions, as seen from the outermost structure of the file.
    ///
    /// ```
    /// use everybyte_ksy::{Datum, Spec};
    ///
    /// let spec: Spec = "{meta: {id: pair}, seq: [{id: a, type: u1}, {id: b, type: u1}]}".parse()?;
    /// assert_eq!(spec.values(&[3, 4], &["a * 10 + b"])?, [Ok(Datum::Int(34))]);
    /// # Ok::<(), everybyte_ksy::SpecError>(())
    /// ```
    ///
    /// # Errors
    /// Fails if an expression is invalid, regardless of the file. An error in the list is a message that explains why
    /// this file does not have the value.
    pub fn values(&self, file: &[u8], expressions: &[&str]) -> Result<Vec<Result<Datum, String>>, SpecError> {
        let evaluated = with_stack(|| {
            let resolver = Resolver::new(&self.declared, &self.processes);
            let mut formulas = Vec::new();
            for text in expressions {
                let yaml = Yaml { at: At::default(), kind: Kind::Scalar((*text).to_owned(), Style::Block) };
                let resolved: SpecResult<_> = code(&yaml).and_then(|code| Ok(resolver.formula(0, &code, None)?.0));
                formulas.push(resolved.map_err(|flaw| located(&[(*text).to_owned()], flaw))?);
            }
            let mut machine = Machine::new(&self.plan, file, DEPTH, self.granted);
            machine.read();
            Ok(formulas.iter().map(|formula| machine.datum_of(formula)).collect())
        });
        evaluated.unwrap_or_else(|message| Err(located(&[], LocatedError { at: At::default(), message })))
    }
}
