//! `ndbytes diff --git-range`: the files that differ between two commits.

mod comment;
mod compare;
mod trees;

pub use compare::run;
