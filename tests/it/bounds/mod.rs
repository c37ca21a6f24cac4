//! The limits hold for each command and each kind of file. The commands are those of the tool's own command line, and the kinds those
//! that it converts: a command or a kind that is new and not in the tables here fails a test.

pub mod kinds;
#[cfg(target_os = "linux")]
mod space;
pub mod table;
mod time;
