//! Values that a user names: a slice of a path, columns, rules that are tolerated.

pub mod buffered;
#[cfg(feature = "convert")]
pub mod foreign;
pub mod list;
pub mod near;
pub mod open;
pub mod profile;
pub mod rule;
pub mod size;
pub mod slice;
pub mod tolerate;
