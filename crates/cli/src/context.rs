//! The context of every subcommand: streams, limits, and the width and colours of the terminal.

use crate::display::Display;
use crate::show::printer::Printer;
use crate::show::progress::Progress;
use crate::show::style::ERROR;
use crate::show::text::{Shown, is_standard};
use crate::streams::StandardFiles;
use indicatif::ProgressDrawTarget;
use ndbytes::{Depth, Input, Limits};
use std::io::{self, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Standard input. Only one thread at a time reads it.
pub type StandardInput<'a> = Mutex<dyn Read + Send + 'a>;

/// Waits for standard input.
pub fn lock<'m, 'a>(input: &'m StandardInput<'a>) -> MutexGuard<'m, dyn Read + Send + 'a> {
    input.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The context of a subcommand.
pub struct Context<'a> {
    pub limits: Limits,
    pub input: &'a StandardInput<'a>,
    pub out: Printer<'a>,
    pub err: Printer<'a>,
    /// The number of columns of the terminal, or `None` if the output goes elsewhere.
    pub width: Option<usize>,
    /// Whether the output goes to a terminal.
    pub is_terminal: bool,
    /// The kinds of pictures that the terminal supports.
    pub display: Display,
    /// The target of the progress bar, until [`Context::progress`] takes it.
    pub progress: ProgressDrawTarget,
    pub files: StandardFiles,
    /// Whether warnings are suppressed.
    pub quiet: bool,
}

/// The minimum and the maximum width of running text.
pub const TEXT_WIDTHS: (usize, usize) = (40, 100);

impl Context<'_> {
    /// Returns the width for running text.
    pub fn text_width(&self) -> usize {
        self.width.unwrap_or(TEXT_WIDTHS.1).clamp(TEXT_WIDTHS.0, TEXT_WIDTHS.1)
    }

    /// Starts the clock for a file. Everything that is opened for the file shares the deadline.
    pub fn begin(&mut self) {
        self.limits = self.limits.time.map_or(self.limits, |time| self.limits.time(time)).started();
    }

    /// Opens a path, or standard input for `-`.
    pub fn open(&self, path: &Path) -> ndbytes::Result<Input<'static>> {
        match is_standard(path) {
            true => Input::from_reader(&mut *lock(self.input), self.limits),
            false => Input::open(path, self.limits),
        }
    }

    /// Starts showing progress.
    pub fn progress(&mut self) -> Progress {
        Progress::new(mem::replace(&mut self.progress, ProgressDrawTarget::hidden()))
    }

    /// Prints an error on standard error, after all earlier output.
    pub fn complain(&mut self, message: &str) -> io::Result<()> {
        self.out.flush()?;
        self.complain_alone(message);
        Ok(())
    }

    /// Prints an error on standard error, even if the output failed.
    pub fn complain_alone(&mut self, message: &str) {
        // There is nowhere to report a failure here.
        let _ = writeln!(self.err, "{ERROR}error{ERROR:#}: {}", Shown(message)).and_then(|()| self.err.flush());
    }

    /// Reports on standard error what a walk has skipped, if anything.
    pub fn note_passed(&mut self, passed: &str) -> io::Result<()> {
        if passed.is_empty() {
            return Ok(());
        }
        self.out.flush()?;
        // There is nowhere to report a failure here.
        let _ = writeln!(self.err, "note: skipped: {passed}").and_then(|()| self.err.flush());
        Ok(())
    }
}

/// The outcome of a subcommand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    #[default]
    Clean,
    /// At least one finding of severity error.
    Findings,
    /// A path could not be read or written.
    Unreadable,
}

impl Outcome {
    /// Returns the exit status.
    pub fn status(self) -> u8 {
        match self {
            Outcome::Clean => 0,
            Outcome::Findings => 1,
            Outcome::Unreadable => 2,
        }
    }
}

/// The depth of a check.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub enum DepthArgument {
    /// Headers, indexes and lengths only. Fast for files of any size.
    Structure,
    /// Everything, including all values.
    #[default]
    Payload,
}

impl From<DepthArgument> for Depth {
    fn from(depth: DepthArgument) -> Self {
        match depth {
            DepthArgument::Structure => Depth::Structure,
            DepthArgument::Payload => Depth::Payload,
        }
    }
}

/// The paths of a subcommand that accepts several.
#[derive(Debug, clap::Args)]
pub struct Paths {
    /// Files to read; `-` is standard input.
    #[arg(help_heading = None::<&str>, required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}
