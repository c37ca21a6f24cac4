//! Differences: arrays and tables.

mod arrays;
mod tables;
