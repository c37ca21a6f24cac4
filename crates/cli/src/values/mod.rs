//! Values in the user's arguments: slices of paths, columns, and tolerated rules.

pub mod buffered;
pub mod divide;
pub mod failure;
pub mod folder;
#[cfg(feature = "convert")]
pub mod foreign;
pub mod grid;
pub mod list;
pub mod near;
pub mod open;
pub mod profile;
pub mod rule;
pub mod size;
pub mod slice;
pub mod tolerate;
pub mod without_rules;
