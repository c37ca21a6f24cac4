//! A chunk: its header, its stored bytes, its blocks, and their streams.

pub mod blocks;
pub mod header;
pub mod judge;
pub mod loader;
pub mod stored;
pub mod streams;
