//! Differences of two files: the command, and its output about pairs as text, as JSON and as a page.

mod command;
pub mod folders;
mod pairs;
