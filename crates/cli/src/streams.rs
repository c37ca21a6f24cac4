//! The streams that the tool reads from and writes to.

use crate::display::Display;
use indicatif::ProgressDrawTarget;
use ndbytes::FileId;
use std::fs::File;
use std::io::{Read, Write};

/// The streams of the tool, provided by its caller.
pub struct Streams<'a> {
    /// Standard input.
    pub input: &'a mut (dyn Read + Send),
    /// Standard output.
    pub out: &'a mut dyn Write,
    /// Standard error.
    pub err: &'a mut dyn Write,
    /// Whether `out` is a terminal.
    pub is_terminal: bool,
    /// The number of columns of the terminal, or `None` if `out` is not a terminal.
    pub width: Option<usize>,
    /// Whether `out` gets colours.
    pub out_colours: bool,
    /// Whether `err` gets colours.
    pub err_colours: bool,
    /// The kinds of pictures that the terminal supports.
    pub display: Display,
    /// The target of the progress bar.
    pub progress: ProgressDrawTarget,
    /// The files that `input` and `out` refer to.
    pub files: StandardFiles,
}

impl<'a> Streams<'a> {
    /// Creates streams that are neither terminals nor files.
    pub fn captured(input: &'a mut (dyn Read + Send), out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        let progress = ProgressDrawTarget::hidden();
        let (is_terminal, width, display, files) = (false, None, Display::default(), StandardFiles::default());
        Streams {
            input,
            out,
            err,
            is_terminal,
            width,
            out_colours: false,
            err_colours: false,
            display,
            progress,
            files,
        }
    }
}

/// The files behind standard input and output, if they are files.
#[derive(Debug, Default)]
pub struct StandardFiles {
    pub(crate) input: Option<FileId>,
    pub(crate) out: Option<FileId>,
}

impl StandardFiles {
    /// Returns the files that two handles refer to.
    pub fn new(input: Option<File>, out: Option<File>) -> Self {
        let file = |handle: Option<File>| {
            handle
                .filter(|handle| handle.metadata().is_ok_and(|it| it.is_file()))
                .and_then(|file| FileId::of_open(&file))
        };
        StandardFiles { input: file(input), out: file(out) }
    }
}
