//! The subcommands, one file each, and their shared parts.

pub mod cat;
pub mod check;
pub mod diff;
pub mod explain;
pub mod export;
pub mod git;
pub mod info;
mod out;
mod report;
pub mod rules;
pub mod schema;
pub mod textconv;
