//! The tests of the tool and of the project, as one program: it is built and linked once. Those of the library alone are in
//! `tests/library`, those of `ndbytes-compare` alone in its own folder.
//!
//! `cargo test --test it -- tool::` runs those of one module. Two programs stand apart: `faults`, which calls
//! itself, and `scale`, which counts what all threads allocate.

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
