//! The tests of differences, digests, snapshots and statistics, as one program. Tests that run the tool are in
//! `crates/cli/tests/it`.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod diff;
mod digest;
mod folders;
mod snapshot;
mod stats;
