//! `ndbytes diff --git-range`: the files that differ between two commits.
//!
//! The files of both commits are written to a private temporary directory, compared like any two files, and reported as
//! a Markdown comment with one HTML page per file.

mod comment;
mod compare;
mod trees;

pub use compare::run;
#[cfg(feature = "convert")]
pub use trees::{Scratch, write};
