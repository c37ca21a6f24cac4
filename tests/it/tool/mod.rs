//! The tool: its contract, what it prints, and what it writes.

mod cli;
mod html;
#[cfg(unix)]
mod out;
mod output;
