//! The tool: its contract, its output, and its files.

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
#[cfg(feature = "convert")]
mod sources;
mod tensors;
mod unseen;
mod urls;
mod verbs;
