//! Differences of two files.

mod arrays;
mod command;
mod pairs;
mod tables;
