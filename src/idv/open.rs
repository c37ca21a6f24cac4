//! Opening tables.

use super::judge::examiner::{Examined, examine_structure};
use super::table::Table;
use super::tolerance::is_passed_over;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::gzip::admit_opened;
use crate::options::{Handle, OpenOptions, Settings};
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

/// Opens an `.idv` file. Its tables are read and checked immediately. Blocks are not read until values are requested.
///
/// # Errors
/// [`Error::Invalid`](crate::Error::Invalid) if the file breaks a rule of severity error; [`Error::Io`](crate::Error::Io);
/// [`Error::Limit`](crate::Error::Limit).
pub fn open(path: impl AsRef<Path>) -> Result<Table<'static>> {
    Options::new().open(path)
}

/// Reads a table from memory, without a copy.
///
/// # Errors
/// As for [`open`].
pub fn from_slice(bytes: &[u8]) -> Result<Table<'_>> {
    Options::new().from_slice(bytes)
}

/// Reads a table from a stream to its end.
///
/// # Errors
/// As for [`open`].
pub fn from_reader(reader: impl Read) -> Result<Table<'static>> {
    Options::new().from_reader(reader)
}

/// Options for reading `.idv` files: [`OpenOptions`] has the methods.
///
/// Rules can be tolerated if ML.NET also reads the file, such as [`TRAILING_BYTES`](super::TRAILING_BYTES) or
/// [`LONG_STREAM`](super::LONG_STREAM). [`Table::tolerated`] lists the violations that were tolerated in the tables of the file. To
/// find those in blocks, use a check.
pub type Options = OpenOptions<Table<'static>>;

impl Handle for Table<'static> {
    type Of<'a> = Table<'a>;

    fn read_with<'a>(input: Input<'a>, settings: &Settings) -> Result<Table<'a>> {
        let input = super::DRIVER.opened(input, settings)?;
        let Examined { mut input, structure, findings, limit } = examine_structure(input)?;
        if let Some(limit) = limit {
            return Err(limit);
        }
        let (tolerated, warnings) = admit_opened(&mut input, findings, |finding| is_passed_over(settings, finding))?;
        let structure = structure.expect("tables that cannot be read are an error that cannot be tolerated");
        Ok(Table { input, structure, settings: settings.clone(), tolerated, warnings, names: OnceLock::new() })
    }
}
