//! The files of `tests/corpus` and `tests/pairs`.

use crate::assembly::{FRAME, assembled};
use crate::project::project;
use crate::recipe::Recipe;
use ndbytes::Format;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// One file and its recipe.
pub struct Sample {
    /// The format of the file, or `None` for an archive.
    pub format: Option<Format>,
    /// The name of the format, or of the kind of archive.
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

/// All samples that are files, sorted by name.
pub fn samples() -> Vec<Sample> {
    everything().into_iter().filter(|sample| !sample.path.is_dir()).collect()
}

/// All samples that are directories. Their `bytes` are the bytes of the file that describes the others.
pub fn folders() -> Vec<Sample> {
    everything().into_iter().filter(|sample| sample.path.is_dir()).collect()
}

/// All samples, files and directories, sorted by name.
pub fn everything() -> Vec<Sample> {
    let mut samples = Vec::new();
    let formats = Format::ALL.into_iter().map(Some).chain([None]);
    for (format, folder) in formats.flat_map(|format| [(format, "ok"), (format, "bad")]) {
        let kind = format.map_or_else(|| "zip".to_owned(), |format| format.to_string());
        samples.extend(folder_of(format, &kind, &root().join(&kind).join(folder), folder));
    }
    samples
}

/// The files to compare with each other, sorted by name.
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

/// The files of a directory, and their recipes.
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

impl Sample {
    /// The other files of a directory, with their names.
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

/// The directory of the corpus, with the recipe of each file next to it: `target/corpus`.
pub fn root() -> PathBuf {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    let assemble = || assembled(&project(), "tests/corpus", "corpus").unwrap_or_else(|error| panic!("{error}"));
    ROOT.get_or_init(assemble).clone()
}

/// A file or directory, given by its path below `tests`, such as `corpus/idx/ok`. For the corpus, this is the path of
/// the assembled file.
pub fn test_file(path: &str) -> PathBuf {
    let in_corpus = path.strip_prefix("corpus/").map(|path| root().join(path));
    in_corpus.unwrap_or_else(|| project().join("tests").join(path))
}

/// The path below `tests` under which [`test_file`] finds a file.
pub fn below_tests(path: &Path) -> String {
    let in_corpus = path.strip_prefix(root()).map(|path| Path::new("corpus").join(path));
    let path = in_corpus.unwrap_or_else(|_| path.strip_prefix(project().join("tests")).unwrap().to_owned());
    path.to_str().unwrap().replace('\\', "/")
}

/// The directory with the seeds of the fuzz targets, one directory per target: `target/seeds`.
pub fn seeds() -> PathBuf {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    let assemble = || assembled(&project(), "fuzz/seeds", "seeds").unwrap_or_else(|error| panic!("{error}"));
    ROOT.get_or_init(assemble).clone()
}
