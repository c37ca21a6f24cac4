//! Tests of `ndbytes-engine`: sessions in this process, the program, and clusters of processes on this machine.
#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod arrays;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
mod filters;
mod places;
mod program;
mod stores;
mod support;
mod tables;
#[cfg(feature = "cluster")]
mod traps;
mod walks;
