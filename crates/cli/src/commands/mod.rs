//! The subcommands, one file each, and their shared parts.

pub mod cat;
pub mod check;
pub mod explain;
pub mod export;
pub mod info;
mod out;
mod report;
pub mod rules;
pub mod schema;
