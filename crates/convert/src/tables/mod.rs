//! Tables.

pub mod text;
