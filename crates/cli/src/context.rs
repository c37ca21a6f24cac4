//! The context of every subcommand.

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

/// Standard input. One thread at a time reads it.
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
    /// The columns of the terminal, or `None` if the output goes elsewhere.
    pub width: Option<usize>,
    /// True if the output goes to a terminal.
    pub is_terminal: bool,
    /// The pictures that the terminal shows.
    pub display: Display,
    /// The target of the progress bar, until [`Context::progress`] takes it.
    pub progress: ProgressDrawTarget,
    pub files: StandardFiles,
    /// True if no warning is said.
    pub quiet: bool,
}

/// The narrowest and the widest line of running text.
const TEXT_WIDTHS: (usize, usize) = (40, 100);

impl Context<'_> {
    /// The width of running text.
    pub fn text_width(&self) -> usize {
        self.width.unwrap_or(TEXT_WIDTHS.1).clamp(TEXT_WIDTHS.0, TEXT_WIDTHS.1)
    }

    /// Begins the clock of a file: all that is opened for it ends at one time.
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

    /// Begins to show progress.
    pub fn progress(&mut self) -> Progress {
        Progress::new(mem::replace(&mut self.progress, ProgressDrawTarget::hidden()))
    }

    /// Prints an error on standard error, after all earlier output.
    pub fn complain(&mut self, message: &str) -> io::Result<()> {
        self.out.flush()?;
        self.complain_alone(message);
        Ok(())
    }

    /// Prints an error on standard error, whatever became of the output.
    pub fn complain_alone(&mut self, message: &str) {
        // A failure here cannot be reported to anybody.
        let _ = writeln!(self.err, "{ERROR}error{ERROR:#}: {}", Shown(message)).and_then(|()| self.err.flush());
    }

    /// Says on standard error what a walk has skipped, if it has.
    pub fn note_passed(&mut self, passed: &str) -> io::Result<()> {
        if passed.is_empty() {
            return Ok(());
        }
        self.out.flush()?;
        // A failure here cannot be reported to anybody.
        let _ = writeln!(self.err, "note: skipped: {passed}").and_then(|()| self.err.flush());
        Ok(())
    }
}

/// The outcome of a subcommand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Clean,
    /// At least one finding of severity error.
    Findings,
    /// A path could not be read or written.
    Unreadable,
}

impl Outcome {
    /// The exit status.
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
    /// The structure only, whatever the size of the payload.
    Structure,
    /// Everything is decoded.
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

/// The paths of a subcommand that takes several.
#[derive(Debug, clap::Args)]
pub struct Paths {
    /// Files; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}
