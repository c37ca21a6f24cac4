//! The check before the tool writes a file that the user names: it never overwrites its input, nor a valuable file.

use crate::context::Context;
use crate::show::text::{self, is_standard};
use ndbytes::archive::{file_of, is_archive};
use ndbytes::{FileId, Input, detect, is_gzip};
use std::fs;
use std::path::{Path, PathBuf};

/// The output file of a subcommand.
#[derive(Debug, Clone, Copy)]
pub struct Out<'a> {
    /// `-` is standard output.
    pub path: &'a Path,
    /// Its input; `-` is standard input.
    pub input: &'a Path,
    /// True if a possibly valuable file may be replaced. The input may not be replaced even then.
    pub force: bool,
    pub content: Content,
}

/// The kind of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Bytes that a terminal cannot show.
    Binary,
    /// A page, at a place that the user has named.
    Page,
    /// A page, at a place that follows from that of the input.
    PageBeside,
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

    /// The kind of an existing file that must not be replaced without `--force`.
    fn known(&self, context: &Context<'_>) -> Option<String> {
        if !fs::metadata(self.path).ok()?.is_file() {
            // It is refused when it is written to.
            return None;
        }
        let Ok(input) = Input::open(self.path, context.limits) else {
            return Some("not readable".into());
        };
        let head = input.head();
        match detect(head, input.length()) {
            Some(format) => Some(format!("of the format {}", format.title())),
            None if is_gzip(head) => Some("compressed with gzip".into()),
            None if is_archive(&input) => Some("a zip archive".into()),
            None if self.content == Content::PageBeside && !ndbytes_page::is_page(head) => {
                Some("not a page of ndbytes".into())
            }
            None => None,
        }
    }
}

/// All files that are read where a path is.
fn read_files(input: &Path, context: &Context<'_>) -> Vec<FileId> {
    if is_standard(input) {
        return context.files.input.clone().into_iter().collect();
    }
    // The chunks of a sparse frame are files of its folder.
    let chunks = fs::read_dir(input).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let files = [Some(input), file_of(input)].into_iter().flatten().map(Path::to_owned);
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
