//! The tool: its contract, what it prints, and what it writes.

pub mod cli;
mod contract;
mod forge;
mod lists;
#[cfg(unix)]
mod out;
mod output;
mod pages;
mod parts;
mod reading;
mod rules;
mod shell;
mod show;
mod slices;
mod unseen;
mod urls;
mod verbs;
