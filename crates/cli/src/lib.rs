//! The command-line tool `ndbytes` as a library: [`run()`] runs it within a process.
//!
//! ```
//! use ndbytes_cli::{Streams, run};
//!
//! let (mut input, mut out, mut err) = (std::io::empty(), Vec::new(), Vec::new());
//! let arguments = ["ndbytes", "rules"].map(Into::into);
//! assert_eq!(run(arguments, Streams::captured(&mut input, &mut out, &mut err)), 0);
//! assert!(out.starts_with(b"unknown-format"));
//! ```

#![cfg_attr(not(test), deny(clippy::too_many_lines))]
#![forbid(unsafe_code)]

mod axes;
mod commands;
mod context;
mod contract;
mod display;
mod process;
mod report;
mod run;
mod show;
mod signals;
mod stores;
mod streams;
mod values;

/// The Python package judges files by contracts.
#[doc(hidden)]
pub use contract::{Contract, Demands};
pub use display::Display;
pub use process::run_as_process;
/// The tests ask for the names of all commands.
#[doc(hidden)]
pub use run::command_line;
pub use run::run;
/// The Python package shows the rows of a table.
#[doc(hidden)]
pub use show::cell::cells;
/// The Python package has the statistics of what it has open.
#[doc(hidden)]
pub use show::stats_json;
/// The tests print arrays of their own, which are in no file.
#[doc(hidden)]
pub use show::{array_json, numpy_text};
pub use streams::{StandardFiles, Streams};
