//! Names of files, and files that change while they are read.

#[cfg(target_os = "linux")]
mod changing;
#[cfg(unix)]
mod names;
