//! Arrays of all formats: elements and items, selections, and a writer for `.npy`.

pub mod any;
pub mod elements;
pub mod extremes;
pub mod items;
pub mod npy;
pub mod pixels;
pub mod plain;
mod scattered;
pub mod selection;
pub mod sink;
