//! The tool as a library. No other file of the tests names its crate.

pub use ndbytes_cli::*;
