//! The subcommands, one file each, and their shared parts.

pub mod cat;
pub mod check;
pub mod completions;
#[cfg(feature = "convert")]
pub mod convert;
pub mod diff;
pub mod examples;
pub mod explain;
pub mod fix;
pub mod forge;
pub mod git;
pub mod info;
pub mod man;
#[cfg(feature = "convert")]
pub mod merge;
mod out;
mod page;
mod pictures;
pub mod rules;
pub mod schema;
pub mod seal;
pub mod show;
pub mod stats;
pub mod tips;
