//! Specifications that are loaded, and files read by them.

use crate::datum::Datum;
use crate::declared::keys::code;
use crate::declared::{self, Declared, Imports, located};
use crate::packing::{CustomProcess, Unpacking};
use crate::place::{At, Flaw, Sound, SpecError};
use crate::read::{DEPTH, Granted, Machine};
use crate::resolve::{Plan, Resolver, resolve};
use crate::roles::{self, Roles};
use crate::stack::with_stack;
use crate::yaml::{Kind, Style, Yaml};
use everybyte::Endian;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A Kaitai Struct specification: the format of a kind of files.
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

/// The choices of loading a specification.
#[derive(Debug, Clone, Default)]
pub struct Loader {
    imports: Imports,
    processes: HashMap<String, Unpacking>,
    granted: Granted,
}

impl Loader {
    /// No folders, and the processes of Kaitai Struct itself.
    pub fn new() -> Self {
        Loader::default()
    }

    /// Adds a folder of absolute imports: `/image/exif` is `image/exif.ksy` in it. Folders are searched in their order. No
    /// import leads out of them, or out of the folder of the specification itself.
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.imports.folders.push(folder.into());
        self
    }

    /// Adds an overlay of the specification: keys for fields of a file that one may not edit. One that stands beside a
    /// specification (`png.overlay.yaml` beside `png.ksy`) is read in any case.
    pub fn overlay(mut self, path: impl Into<PathBuf>) -> Self {
        self.imports.overlays.push(path.into());
        self
    }

    /// Adds the folders of the variable `KSY_PATH` in the environment, which separates them as `PATH` does.
    pub fn folders_of_environment(self) -> Self {
        let path = std::env::var_os("KSY_PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).filter(|folder| !folder.as_os_str().is_empty());
        folders.fold(self, Loader::folder)
    }

    /// Bounds the memory that reading a file and its map may take, in bytes. Without it, a file of *n* bytes has 32 *n* + 64 MiB.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.granted.memory = Some(bytes);
        self
    }

    /// Bounds the time that reading a file may take. Without it, there is no bound but that on the work.
    pub fn time(mut self, time: Duration) -> Self {
        self.granted.time = Some(time);
        self
    }

    /// Adds what `process: name(…)` does.
    pub fn process(mut self, name: &str, process: CustomProcess) -> Self {
        self.processes.insert(name.to_owned(), Unpacking::Custom(process));
        self
    }

    /// Loads a file with all that it imports.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Spec, SpecError> {
        let path = path.as_ref();
        self.loaded(|| declared::load(path, &self.imports))
    }

    /// Loads a text, which has this name in errors. It imports from the folders alone.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
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
        loaded.unwrap_or_else(|message| Err(located(&[], Flaw { at: At::default(), message })))
    }
}

impl std::str::FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Loader::new().parse("specification", text)
    }
}

impl Spec {
    /// Loads a file. It imports from its own folder alone; for others, see [`Loader`].
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SpecError> {
        Loader::new().read(path)
    }

    /// The name of the format: `meta/id`.
    pub fn name(&self) -> &str {
        &self.plan.types[0].name
    }

    /// The title of the format: `meta/title`; empty if it has none.
    pub fn title(&self) -> &str {
        &self.declared.types[0].title
    }

    /// The licence of the specification: `meta/license`; empty if none is stated.
    pub fn license(&self) -> &str {
        &self.declared.types[0].license
    }

    /// The paths of the specification and of all that it imports, each followed by those of its overlays.
    pub fn files(&self) -> &[String] {
        &self.declared.files
    }

    /// Advice about what is not wrong, but better said otherwise, such as the name of an encoding.
    pub fn warnings(&self) -> &[SpecError] {
        &self.warnings
    }

    /// The byte order of numbers, where the outermost type states one.
    pub(crate) fn byte_order(&self) -> Endian {
        match self.declared.types[0].endian {
            declared::Endian::Big => Endian::Big,
            _ => Endian::Little,
        }
    }

    /// The values of expressions, as the file's outermost structure sees them.
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
    /// An expression that is wrong before a file is read. In the list: a value that this file does not have, as a sentence.
    pub fn values(&self, file: &[u8], expressions: &[&str]) -> Result<Vec<Result<Datum, String>>, SpecError> {
        let evaluated = with_stack(|| {
            let resolver = Resolver::new(&self.declared, &self.processes);
            let mut formulas = Vec::new();
            for text in expressions {
                let yaml = Yaml { at: At::default(), kind: Kind::Scalar((*text).to_owned(), Style::Block) };
                let resolved: Sound<_> = code(&yaml).and_then(|code| Ok(resolver.formula(0, &code, None)?.0));
                formulas.push(resolved.map_err(|flaw| located(&[(*text).to_owned()], flaw))?);
            }
            let mut machine = Machine::new(&self.plan, file, DEPTH, self.granted);
            machine.read();
            Ok(formulas.iter().map(|formula| machine.datum_of(formula)).collect())
        });
        evaluated.unwrap_or_else(|message| Err(located(&[], Flaw { at: At::default(), message })))
    }
}
