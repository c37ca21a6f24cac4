//! Inputs, outputs, and limits on memory and time.

pub mod ahead;
pub mod atomic;
pub mod course;
pub mod declared;
pub mod door;
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
pub mod write_behind;
