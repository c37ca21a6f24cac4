//! Byte maps of files: what was read, as everybyte shows it.

mod book;
mod explain;
mod findings;
mod leaves;
mod tree;
