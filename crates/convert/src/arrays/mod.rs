//! Arrays: selecting parts, joining several arrays, fitting them to formats, and writing them.

pub mod attributes;
pub mod fit;
pub mod items;
pub mod metadata;
pub mod part;
#[cfg(feature = "png")]
pub mod png;
pub mod tensor_types;
mod transposed;
pub mod view;
mod widen;
pub mod write;
