//! The tests of the tool and of the project, as one program, so that it is built and linked once. Tests of only the
//! library are in `tests/library`, and tests of only `ndbytes-compare` are in its own directory.
//!
//! `cargo test --test it -- tool::` runs the tests of one module. Two other programs are separate: `faults`, which
//! calls itself, and `scale`, which counts the allocations of all threads.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

#[cfg(feature = "convert")]
mod bounds;
mod campaign;
mod ci;
mod diff;
mod docs;
mod envelope;
mod files;
mod formats;
mod fuzzing;
mod gate;
mod git;
mod guide;
mod house;
mod json;
mod lakes;
#[cfg(feature = "convert")]
mod merge;
mod numpy_text;
mod page;
mod peers;
mod published;
mod readme;
mod repair;
mod samples;
mod schema;
mod seal;
mod snapshot;
mod snapshots;
mod support;
mod tool;
mod walks;
