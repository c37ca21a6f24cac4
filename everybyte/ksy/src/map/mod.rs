//! Byte maps of files that were read with a specification.

mod book;
mod explain;
mod findings;
mod foreign;
mod leaves;
mod tree;
