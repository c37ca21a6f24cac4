//! The files of `tests/corpus` and `tests/pairs`.

use crate::project::project;
use crate::recipe::Recipe;
use ndbytes::Format;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// One file and its recipe.
pub struct Sample {
    /// The format of the file, or `None` of an archive.
    pub format: Option<Format>,
    /// The name of the format, or of what archives are.
    pub kind: String,
    /// `ok` or `bad`.
    pub folder: &'static str,
    pub name: String,
    pub path: PathBuf,
    pub recipe: Recipe,
    pub bytes: Vec<u8>,
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.kind, self.folder, self.name)
    }
}

/// All of them that are files, in the order of their names.
pub fn samples() -> Vec<Sample> {
    everything().into_iter().filter(|sample| !sample.path.is_dir()).collect()
}

/// All of them that are folders: `bytes` are those of the file that says what the others are.
pub fn folders() -> Vec<Sample> {
    everything().into_iter().filter(|sample| sample.path.is_dir()).collect()
}

/// All of them, files and folders, in the order of their names.
pub fn everything() -> Vec<Sample> {
    let mut samples = Vec::new();
    let formats = Format::ALL.into_iter().map(Some).chain([None]);
    for (format, folder) in formats.flat_map(|format| [(format, "ok"), (format, "bad")]) {
        let kind = format.map_or_else(|| "zip".to_owned(), |format| format.to_string());
        samples.extend(folder_of(format, &kind, &root().join(&kind).join(folder), folder));
    }
    samples
}

/// The files to compare with each other, in the order of their names.
pub fn compared() -> Vec<Sample> {
    let kinds =
        Format::ALL.into_iter().map(|format| (Some(format), format.to_string())).chain([(None, "other".into())]);
    let read = |(format, kind): (_, String)| folder_of(format, &kind, &project().join("tests/pairs").join(&kind), "");
    let mut samples: Vec<Sample> = kinds.flat_map(read).collect();
    for sample in &mut samples {
        let is_broken = sample.recipe.strict.iter().any(|expected| expected.severity == "error");
        sample.folder = if is_broken { "bad" } else { "ok" };
    }
    samples
}

/// The files of a folder and their recipes.
fn folder_of(format: Option<Format>, kind: &str, directory: &Path, folder: &'static str) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut paths: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_none_or(|extension| extension != "recipe")) {
        let file_name = path.file_name().unwrap().to_str().unwrap();
        let name = file_name.split('.').next().unwrap().to_owned();
        let text = fs::read_to_string(directory.join(&name).with_extension("recipe")).unwrap();
        let recipe = Recipe::parse(&text).unwrap_or_else(|error| panic!("{name}.recipe: {error}"));
        let bytes = fs::read(if path.is_dir() { path.join(FRAME) } else { path.clone() }).unwrap();
        samples.push(Sample { format, kind: kind.to_owned(), folder, name, path: path.clone(), recipe, bytes });
    }
    let recipes = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "recipe"));
    let files = paths.len() - recipes.clone().count();
    assert_eq!(files, recipes.count(), "{}: a file for every recipe", directory.display());
    samples
}

/// The file of a folder that says what the others are.
const FRAME: &str = "chunks.b2frame";

impl Sample {
    /// The other files of a folder, with their names.
    pub fn others(&self) -> Vec<(String, Vec<u8>)> {
        if !self.path.is_dir() {
            return Vec::new();
        }
        let entries = fs::read_dir(&self.path).unwrap().map(|entry| entry.unwrap().path());
        let mut others: Vec<_> = entries
            .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
            .filter(|(name, _)| name != FRAME)
            .collect();
        others.sort();
        others
    }
}

pub fn root() -> PathBuf {
    project().join("tests/corpus")
}
