//! Checks the tables of a file: its header, its columns, and their lookup tables and annotations.

pub mod annotations;
pub mod examiner;
pub mod header;
pub mod lookup;
pub mod names;
