//! Bytes: inputs, outputs, limits, and the memory that holds them.

pub mod ahead;
pub mod atomic;
pub mod behind;
pub mod folder;
pub mod input;
pub mod limits;
pub mod map;
pub mod memory;
mod opening;
pub mod pages;
pub mod parse;
pub mod pieces;
mod positioned;
pub mod shared;
pub mod source;
pub mod stores;
pub mod swap;
pub mod threads;
pub mod waiting;
