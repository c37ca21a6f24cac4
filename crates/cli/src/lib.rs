//! The command-line tool `ndbytes` as a library. [`run()`] runs it within a process.
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
/// The table of commands and sources in the book, with which a test compares the tool.
#[doc(hidden)]
pub mod sources;
mod stores;
mod streams;
mod values;

/// The tests measure the cost of each wildcard.
#[doc(hidden)]
pub use contract::WILDCARDS;
/// The Python package checks files against contracts.
#[doc(hidden)]
pub use contract::{Contract, Demands};
pub use display::Display;
/// Used by the program, and by the tests that make allocations fail.
#[doc(hidden)]
pub use process::REFUSED;
pub use process::run_as_process;
/// The tests need the names of all commands.
#[doc(hidden)]
pub use run::command_line;
pub use run::run;
/// The Python package shows the rows of a table.
#[doc(hidden)]
pub use show::cell::cells;
/// The Python package returns the statistics of open files.
#[doc(hidden)]
pub use show::stats_json;
/// The tests print their own arrays, which are not in files.
#[doc(hidden)]
pub use show::{array_json, numpy_text};
pub use streams::{StandardFiles, Streams};
/// The Python package also has the option `--void-as`.
#[doc(hidden)]
pub use values::tolerate::type_of_raw_bytes;
