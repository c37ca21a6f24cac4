//! Helpers of the tests that run the tool. The others are in the crate `ndbytes-testkit`.

pub mod cli;
pub mod generated;
pub mod tool;
