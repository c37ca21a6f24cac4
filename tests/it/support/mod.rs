//! What the tests share that run the tool. The rest is the crate `ndbytes-testkit`.

pub mod cli;
pub mod generated;
pub mod tool;
