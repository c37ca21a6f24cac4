//! The check before the tool writes a file that the user names, so that it does not overwrite its input or a valuable file.
//!
//! `ndbytes convert a.npy a.npy` must not destroy the only copy. Files are compared by identity, not by path, because
//! links, `.` and letter case give a file several names. Apart from the input, any file that a command of the tool can
//! read counts as valuable, and replacing it needs `--force`.

use crate::context::Context;
use crate::contract::is_contract;
use crate::show::text::{self, is_standard};
use crate::values::slice;
use ndbytes::archive::{file_of, is_archive};
use ndbytes::b2nd::is_sparse_frame;
use ndbytes::internals::{is_store, resolve};
use ndbytes::{FileId, Input, detect, is_gzip};
use ndbytes_compare::seal::is_seal;
use std::fs;
use std::path::{Path, PathBuf};

/// The output file of a subcommand.
#[derive(Debug, Clone, Copy)]
pub struct Out<'a> {
    /// The path of the file; `-` is standard output.
    pub path: &'a Path,
    /// Its input; `-` is standard input.
    pub input: &'a Path,
    /// Whether an input directory is searched for files, which are read separately.
    pub is_walked: bool,
    /// Whether a possibly valuable file may be replaced. Even then, the input is never replaced.
    pub force: bool,
    pub content: Content,
}

/// The kind of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Bytes that a terminal cannot display.
    Binary,
    Page,
}

impl Out<'_> {
    /// Returns why the file must not be written, or `None` if it may be. All files that the tool writes are checked here.
    pub fn refusal(&self, context: &Context<'_>) -> Option<String> {
        let out = text::path(self.path);
        let taken = self.taken(context);
        if let Some(taken) = taken
            && read_files(self.input, context).contains(&taken)
        {
            let out = if is_standard(self.path) { "standard output".into() } else { out };
            return Some(format!("{out} is the input file, which is never replaced"));
        }
        if let Some(refusal) = within_input(self.path, self.input, self.is_walked) {
            return Some(refusal);
        }
        if self.force {
            return None;
        }
        if is_standard(self.path) {
            let is_refused = context.is_terminal && self.content == Content::Binary;
            let message = "standard output is a terminal, and the output is binary; `--force` prints it anyway";
            return is_refused.then(|| message.into());
        }
        let known = self.known(context)?;
        Some(format!("{out} exists and is {known}; `--force` replaces it"))
    }

    /// Returns the file that is replaced, if any.
    fn taken(&self, context: &Context<'_>) -> Option<FileId> {
        if is_standard(self.path) { context.files.out.clone() } else { FileId::of(self.path).ok() }
    }

    /// Returns the kind of an existing file or directory that must not be replaced without `--force`, because a command
    /// can read it.
    fn known(&self, context: &Context<'_>) -> Option<String> {
        let found = fs::metadata(self.path).ok()?;
        if found.is_dir() {
            return whole(self.path).map(|kind| format!("the folder of {kind}"));
        }
        if !found.is_file() {
            // Writing to it will be refused.
            return None;
        }
        if let Some(kind) = folders_around(self.path).find_map(|folder| whole(&folder)) {
            return Some(format!("in the folder of {kind}"));
        }
        let Ok(input) = Input::open(self.path, context.limits) else {
            return Some("not readable".into());
        };
        let head = input.head();
        match detect(head, input.length()) {
            Some(format) => Some(format!("of the format {}", format.title())),
            None if is_gzip(head) => Some("compressed with gzip".into()),
            None if is_archive(&input) => Some("a zip archive".into()),
            // An empty file was created for the output.
            None if input.length() == 0 => None,
            None if is_seal(head) => Some("a seal".into()),
            None if is_contract(self.path) => Some("a contract".into()),
            None => self.foreign(&input, context),
        }
    }

    /// Returns the kind of a file that only some commands can read. A page may replace only a page.
    fn foreign(&self, input: &Input<'_>, context: &Context<'_>) -> Option<String> {
        #[cfg(feature = "convert")]
        if let Some(foreign) = ndbytes_convert::door::ForeignKind::of(self.path, input, context.limits) {
            return Some(format!("{}, which `ndbytes convert` reads", foreign.title()));
        }
        let _ = context;
        let is_page = self.content == Content::Page;
        (is_page && !ndbytes_page::is_page(input.head())).then(|| "not a page of ndbytes".into())
    }
}

/// Returns why a file must not be written, if it would be inside the input directory. Inside a directory that is
/// searched for files, only directories that are read like a single file are protected.
pub fn within_input(out: &Path, input: &Path, is_walked: bool) -> Option<String> {
    if [out, input].into_iter().any(is_standard) {
        return None;
    }
    let input = named(input);
    let folder = input.is_dir().then(|| FileId::of(input).ok()).flatten()?;
    let mut read = None;
    for around in folders_around(out) {
        let is_input = FileId::of(&around).is_ok_and(|id| id == folder);
        if read.is_none() && ((is_input && !is_walked) || whole(&around).is_some()) {
            read = Some(around);
        }
        if is_input {
            let (out, read) = (text::path(out), text::path(&read?));
            return Some(format!("{out} is in the input directory {read}, where nothing is written"));
        }
    }
    None
}

/// Returns why a file must not be written to a directory of copies, if a link there leads outside it.
pub fn leads_out(folder: &Path, target: &Path) -> Option<String> {
    let is_link = fs::symlink_metadata(target).is_ok_and(|found| found.is_symlink());
    let folder = fs::canonicalize(folder).ok()?;
    let is_inside = folders_around(target).next().is_some_and(|around| around.starts_with(&folder));
    let target = text::path(target);
    match (is_link, is_inside) {
        (true, _) => Some(format!("{target} is a symbolic link, which is not followed")),
        (false, false) => Some(format!("{target} is outside the directory: a link leads out of it")),
        (false, true) => None,
    }
}

/// Returns the directories around an existing or future file, the innermost first.
fn folders_around(file: &Path) -> impl Iterator<Item = PathBuf> {
    let target = resolve(file).unwrap_or_else(|_| file.to_owned());
    let existing = |folder: &Path| match folder.as_os_str().is_empty() {
        true => fs::canonicalize(".").ok(),
        false => fs::canonicalize(folder).ok(),
    };
    let mut folder = target.ancestors().skip(1).find_map(existing);
    std::iter::from_fn(move || {
        let inner = folder.take()?;
        folder = inner.parent().map(Path::to_owned);
        Some(inner)
    })
}

/// Returns the kind of a directory, if it is read like a single file.
fn whole(folder: &Path) -> Option<&'static str> {
    #[cfg(feature = "convert")]
    if ndbytes_convert::ZarrStore::is_folder(folder) {
        return Some("a Zarr store");
    }
    match is_sparse_frame(folder) {
        true => Some("a b2nd array"),
        false => is_store(folder).then_some("a store of b2nd files"),
    }
}

/// Returns the file or directory of an input, without its slice and the name of an entry.
fn named(input: &Path) -> &Path {
    let before = || input.to_str().and_then(slice::split).map(|(path, _)| Path::new(path));
    let path = if input.exists() { input } else { before().unwrap_or(input) };
    file_of(path).unwrap_or(path)
}

/// Returns all files that are read for a path.
fn read_files(input: &Path, context: &Context<'_>) -> Vec<FileId> {
    if is_standard(input) {
        return context.files.input.clone().into_iter().collect();
    }
    // The chunks of a sparse frame are files in its directory.
    let chunks = fs::read_dir(input).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let files = [input, named(input)].into_iter().map(Path::to_owned);
    files.chain(chunks).filter_map(|file| FileId::of(&file).ok()).collect()
}
