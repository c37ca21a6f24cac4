//! Differences: arrays and tables.

mod arrays;
mod exact;
mod tables;
