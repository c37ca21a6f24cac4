//! IDX inside gzip: reading, mapping, writing.

pub mod map;
pub mod read;
pub mod write;
