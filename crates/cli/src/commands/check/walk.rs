//! The files that are checked: those that are named, and those in folders that are named.

use crate::show::progress::Progress;
use crate::show::text::{self, is_standard};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};
use ndbytes::schemas::blosc2::folder::FRAME_FILE;
use ndbytes::{Report, b2nd};
use std::error::Error as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::{fmt, fs, io};

/// A path that is no file to be checked.
pub struct Problem {
    pub path: Option<PathBuf>,
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", text::path(path))?;
        }
        f.write_str(&self.reason)
    }
}

/// How folders are walked.
#[derive(Debug, clap::Args)]
pub struct Walking {
    /// Take only files in folders whose path fits, as in .gitignore; `!` before it leaves such files out. May be repeated.
    #[arg(short, long = "glob", value_name = "GLOB")]
    globs: Vec<String>,
    /// Walk hidden files and folders too.
    #[arg(long)]
    hidden: bool,
    /// Walk what .gitignore, .ignore and the like leave out.
    #[arg(long)]
    no_ignore: bool,
    /// The treatment of files of no known format that are met in folders.
    #[arg(long, value_enum, default_value_t)]
    pub unknown: Unknown,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Unknown {
    /// Each is an error, as it is if it is named.
    Error,
    /// They are counted. Those whose name only files of a known format have, such as `x.b2nd`, are errors.
    #[default]
    Count,
    /// As with `count`, but without a number.
    Skip,
}

/// The files that say what a folder leaves out.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// Endings of names that files of other formats do not have, unlike `.idx` and `.ra`.
const ENDINGS: [&str; 8] = [".b2nd", ".b2frame", ".b2f", ".b2e", ".idv", ".npy", "-ubyte", "-ubyte.gz"];

impl Unknown {
    /// Returns whether a file of no known format, met in a folder, is an error.
    pub fn refuses(self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self == Unknown::Error || ENDINGS.iter().any(|ending| name.ends_with(ending))
    }
}

/// A file to be checked.
pub struct Found {
    pub path: PathBuf,
    /// True if the user named it.
    pub is_named: bool,
    /// Its bytes, as far as somebody looks at the progress.
    pub length: u64,
}

impl Found {
    /// Returns whether it is of no known format, and nobody expects that it is.
    pub fn is_passed_over(&self, report: &Report, unknown: Unknown) -> bool {
        report.is_foreign() && !self.is_named && !unknown.refuses(&self.path)
    }
}

/// Paths that a user names, one after the other.
pub type Listed<'a> = Box<dyn Iterator<Item = Result<PathBuf, Problem>> + Send + 'a>;

/// All files to be checked, in order: the paths as they are named, and in each folder the files in order of their names.
pub struct Files<'a> {
    paths: Listed<'a>,
    folder: Option<Folder>,
    walking: &'a Walking,
    globs: Override,
    progress: &'a Progress,
}

impl<'a> Files<'a> {
    /// # Errors
    /// A sentence on the glob that is none.
    pub fn new(paths: &'a [PathBuf], walking: &'a Walking, progress: &'a Progress) -> Result<Self, String> {
        Files::of(Box::new(paths.iter().cloned().map(Ok)), walking, progress)
    }

    /// # Errors
    /// A sentence on the glob that is none.
    pub fn of(paths: Listed<'a>, walking: &'a Walking, progress: &'a Progress) -> Result<Self, String> {
        let mut globs = OverrideBuilder::new(std::env::current_dir().unwrap_or_default());
        for glob in &walking.globs {
            globs.add(glob).map_err(|error| format!("the glob {glob} is not valid: {}", reason(&error)))?;
        }
        let globs = globs.build().map_err(|error| format!("the globs are not valid: {}", reason(&error)))?;
        Ok(Files { paths, folder: None, walking, globs, progress })
    }

    /// The next file, or a sentence on what stands in its place.
    fn find(&mut self) -> Option<Result<(PathBuf, bool), Problem>> {
        loop {
            if let Some(folder) = &mut self.folder {
                match folder.next() {
                    Some(file) => return Some(file.map(|path| (path, false))),
                    None => self.folder = None,
                }
            }
            let path = match self.paths.next()? {
                Ok(path) => path,
                Err(problem) => return Some(Err(problem)),
            };
            if is_standard(&path) || !path.is_dir() || b2nd::is_sparse_frame(&path) {
                return Some(Ok((path, true)));
            }
            self.folder = Some(Folder::new(&path, self.walking, &self.globs));
        }
    }
}

impl Iterator for Files<'_> {
    type Item = Result<Found, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(file) = self.find() else {
            self.progress.all_found();
            return None;
        };
        Some(file.map(|(path, is_named)| {
            let is_told = self.progress.is_visible();
            let length = if is_told { fs::metadata(&path).map_or(0, |it| it.len()) } else { 0 };
            self.progress.expect(length);
            Found { path, is_named, length }
        }))
    }
}

/// A folder that is walked. The folder of a sparse frame in it is one file. Links to files are followed, links to folders
/// are not.
struct Folder {
    entries: ignore::Walk,
    /// Folders that the walk passes over.
    barred: mpsc::Receiver<Problem>,
    globs: Override,
    /// The depth of the folder of a sparse frame, while entries are inside it.
    frame: Option<usize>,
}

impl Folder {
    fn new(path: &Path, walking: &Walking, globs: &Override) -> Self {
        let mut builder = WalkBuilder::new(path);
        builder.standard_filters(!walking.no_ignore).hidden(!walking.hidden).overrides(globs.clone());
        builder.sort_by_file_name(|one, other| one.cmp(other));
        let (sender, barred) = mpsc::channel();
        if !walking.no_ignore {
            let passes = move |folder: &Path| match endless(folder) {
                // Nobody listens any more if the walk is over.
                Some(problem) => sender.send(problem).is_err(),
                None => true,
            };
            // What the folders above leave out counts too.
            let above = fs::canonicalize(path).unwrap_or_default();
            if passes(path) && above.ancestors().skip(1).all(&passes) {
                builder.filter_entry(move |entry| {
                    !entry.file_type().is_some_and(|kind| kind.is_dir()) || passes(entry.path())
                });
            } else {
                // The walk asks about no folder that is named.
                builder.max_depth(Some(0)).standard_filters(false);
            }
        }
        Folder { entries: builder.build(), barred, globs: globs.clone(), frame: None }
    }

    /// The file that an entry is, if it is one.
    fn judged(&mut self, entry: DirEntry) -> Option<Result<PathBuf, Problem>> {
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if !b2nd::is_sparse_frame(entry.path()) {
                return None;
            }
            self.frame = Some(entry.depth());
            return self.is_wanted_frame(entry.path()).then(|| Ok(entry.into_path()));
        }
        if kind.is_file() || entry.path().is_file() {
            return Some(Ok(entry.into_path()));
        }
        let is_folder = entry.path().is_dir();
        let reason = "neither a file nor a folder".to_owned();
        (!is_folder).then(|| Err(Problem { path: Some(entry.into_path()), reason }))
    }

    /// Returns whether the globs allow a frame: they are about files, and may name the folder or the file in it.
    fn is_wanted_frame(&self, folder: &Path) -> bool {
        [folder.to_owned(), folder.join(FRAME_FILE)].iter().any(|path| !self.globs.matched(path, false).is_ignore())
    }
}

/// What stands in the place of a file that says what a folder leaves out. A pipe or a device may never end.
fn endless(folder: &Path) -> Option<Problem> {
    let is_special = |path: &PathBuf| fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir());
    let path = IGNORE_FILES.iter().map(|name| folder.join(name)).find(is_special)?;
    Some(Problem { path: Some(path), reason: "not a file, so that its folder is passed over".to_owned() })
}

impl Iterator for Folder {
    type Item = Result<PathBuf, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Ok(problem) = self.barred.try_recv() {
                return Some(Err(problem));
            }
            let Some(entry) = self.entries.next() else {
                return self.barred.try_recv().ok().map(Err);
            };
            let depth = match &entry {
                Ok(entry) => entry.depth(),
                Err(error) => error.depth().unwrap_or(0),
            };
            if self.frame.is_some_and(|frame| depth > frame) {
                continue;
            }
            self.frame = None;
            let judged = match entry {
                Ok(entry) => self.judged(entry),
                Err(error) => Some(Err(problem(&error))),
            };
            if judged.is_some() {
                return judged;
            }
        }
    }
}

/// A folder that cannot be walked.
fn problem(error: &ignore::Error) -> Problem {
    Problem { path: path_of(error).map(Path::to_owned), reason: reason(error) }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithLineNumber { err, .. } | ignore::Error::WithDepth { err, .. } => path_of(err),
        _ => None,
    }
}

/// The reason of an error, without its path: the system's words, if it comes from the system.
fn reason(error: &ignore::Error) -> String {
    match error {
        ignore::Error::WithPath { err, .. }
        | ignore::Error::WithLineNumber { err, .. }
        | ignore::Error::WithDepth { err, .. } => reason(err),
        ignore::Error::Io(error) => {
            // The innermost error is the system's; the others only say the path once more.
            let mut innermost = error;
            while let Some(inner) = innermost.source().and_then(|source| source.downcast_ref::<io::Error>()) {
                innermost = inner;
            }
            innermost.to_string()
        }
        error => error.to_string(),
    }
}
