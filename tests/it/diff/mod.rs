//! Differences of two files: the command, and what is said of pairs as text, as JSON and as a page.

mod command;
pub mod folders;
mod pairs;
