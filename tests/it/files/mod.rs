//! Files on disk: written whole or not at all, replaced, changed while they are read.

#[cfg(target_os = "linux")]
mod changing;
#[cfg(unix)]
mod names;
mod whole;
#[cfg(unix)]
mod writing;
