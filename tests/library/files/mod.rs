//! Files on disk, which are written or replaced completely or not at all.

mod whole;
#[cfg(unix)]
mod writing;
