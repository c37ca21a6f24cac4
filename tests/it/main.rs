//! The tests of the library and of the tool, as one program: it is built and linked once.
//!
//! `cargo test --test it -- formats::idv::` runs those of one module. Two programs stand apart: `faults`, which calls
//! itself, and `scale`, which counts what all threads allocate.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

#[cfg(feature = "convert")]
mod bounds;
mod ci;
mod corpus;
mod dictionaries;
mod diff;
mod digest;
mod docs;
mod envelope;
mod files;
mod formats;
mod fuzzing;
mod gate;
mod git;
mod guide;
mod hostile;
mod house;
mod json;
mod lakes;
mod page;
mod peers;
mod published;
mod readme;
mod repair;
mod roles;
mod samples;
mod schema;
mod seal;
mod snapshot;
mod snapshots;
mod source;
mod stats;
mod support;
mod threads;
mod tool;
mod types;
mod walks;
