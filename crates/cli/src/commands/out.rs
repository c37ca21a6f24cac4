//! The check before the tool writes a file that the user names: it never overwrites its input, nor a valuable file.

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
    /// `-` is standard output.
    pub path: &'a Path,
    /// Its input; `-` is standard input.
    pub input: &'a Path,
    /// True if an input that is a folder is walked through: each file in it is read by itself.
    pub is_walked: bool,
    /// True if a possibly valuable file may be replaced. The input may not be replaced even then.
    pub force: bool,
    pub content: Content,
}

/// The kind of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Bytes that a terminal cannot show.
    Binary,
    Page,
}

impl Out<'_> {
    /// The reason why the file must not be written, if there is one. All files that the tool writes are checked here.
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
            let message = "standard output is a terminal, and the file is binary; `--force` prints it nevertheless";
            return is_refused.then(|| message.into());
        }
        let known = self.known(context)?;
        Some(format!("{out} is there already, and is {known}; `--force` replaces it"))
    }

    /// The file that is replaced.
    fn taken(&self, context: &Context<'_>) -> Option<FileId> {
        if is_standard(self.path) { context.files.out.clone() } else { FileId::of(self.path).ok() }
    }

    /// The kind of an existing file or folder that must not be replaced without `--force`: one that a command reads.
    fn known(&self, context: &Context<'_>) -> Option<String> {
        let found = fs::metadata(self.path).ok()?;
        if found.is_dir() {
            return whole(self.path).map(|kind| format!("the folder of {kind}"));
        }
        if !found.is_file() {
            // It is refused when it is written to.
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
            // It was made to be written to.
            None if input.length() == 0 => None,
            None if is_seal(head) => Some("a seal".into()),
            None if is_contract(self.path) => Some("a contract".into()),
            None => self.foreign(&input, context),
        }
    }

    /// The kind of a file that none but some commands read. A page replaces nothing but a page.
    fn foreign(&self, input: &Input<'_>, context: &Context<'_>) -> Option<String> {
        #[cfg(feature = "convert")]
        if let Some(foreign) = crate::values::foreign::Foreign::of(self.path, input, None, context.limits) {
            return Some(format!("{}, which `ndbytes convert` reads", foreign.kind().title()));
        }
        let _ = context;
        let is_page = self.content == Content::Page;
        (is_page && !ndbytes_page::is_page(input.head())).then(|| "not a page of ndbytes".into())
    }
}

/// The reason why a file must not be written, if it would stand in the folder that is the input. In a folder that is
/// walked through, only folders count that are read as one.
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
            return Some(format!("{out} is in the folder {read}, which is read: nothing is written into it"));
        }
    }
    None
}

/// The reason why a file must not be written in a folder of copies: a link there leads elsewhere.
pub fn leads_out(folder: &Path, target: &Path) -> Option<String> {
    let is_link = fs::symlink_metadata(target).is_ok_and(|found| found.is_symlink());
    let folder = fs::canonicalize(folder).ok()?;
    let is_inside = folders_around(target).next().is_some_and(|around| around.starts_with(&folder));
    let target = text::path(target);
    match (is_link, is_inside) {
        (true, _) => Some(format!("{target} is a symbolic link, which is not followed")),
        (false, false) => Some(format!("{target} is not in the folder: a link leads out of it")),
        (false, true) => None,
    }
}

/// The folders around a file that is there or will be, the innermost first.
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

/// The kind of a folder that is read as one, if it is such a folder.
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

/// The file or folder of an input, without its slice and the name of an entry.
fn named(input: &Path) -> &Path {
    let before = || input.to_str().and_then(slice::split).map(|(path, _)| Path::new(path));
    let path = if input.exists() { input } else { before().unwrap_or(input) };
    file_of(path).unwrap_or(path)
}

/// All files that are read where a path is.
fn read_files(input: &Path, context: &Context<'_>) -> Vec<FileId> {
    if is_standard(input) {
        return context.files.input.clone().into_iter().collect();
    }
    // The chunks of a sparse frame are files of its folder.
    let chunks = fs::read_dir(input).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let files = [input, named(input)].into_iter().map(Path::to_owned);
    files.chain(chunks).filter_map(|file| FileId::of(&file).ok()).collect()
}

/// The place of a page about a file: beside it, or beside its archive.
pub fn page_beside(input: &Path) -> PathBuf {
    if is_standard(input) {
        return input.to_owned();
    }
    // Without the separators at its end, which only a folder has.
    let whole: PathBuf = input.components().collect();
    let file = file_of(input).unwrap_or(&whole);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let within = whole.strip_prefix(file.parent().unwrap_or(Path::new(""))).unwrap_or(&whole).to_string_lossy();
    let entry = within.strip_prefix(&*name).unwrap_or_default().replace(['/', '\\'], "_");
    file.with_file_name(format!("{name}{entry}.html"))
}
