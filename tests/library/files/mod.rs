//! Files on disk: written whole or not at all, replaced.

mod whole;
#[cfg(unix)]
mod writing;
