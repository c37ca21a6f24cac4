//! Files that are read by ranges.

mod corpus;
mod faults;
