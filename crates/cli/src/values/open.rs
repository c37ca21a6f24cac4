//! The values at a path: a file, an address in an archive or a store, or a slice of either.

use super::slice::{Chosen, Slice};
use super::tolerate::Tolerate;
use crate::context::Context;
use ndbytes::{File, Input};
use std::path::{Path, PathBuf};

#[cfg(feature = "convert")]
use super::foreign::Foreign;

pub use super::divide::{Divided, divide};
pub use super::failure::{Failure, chosen};

/// A file whose values are requested.
#[derive(Debug)]
pub struct Values {
    /// Its path, without the slice.
    #[cfg_attr(not(feature = "convert"), allow(dead_code, reason = "conversions alone ask for it"))]
    pub path: PathBuf,
    pub file: File<'static>,
    pub slice: Option<Slice>,
    /// The length of the file in bytes.
    pub length: u64,
}

/// The target of a path.
pub enum Named {
    /// A file in a format of ndbytes.
    Values(Box<Values>),
    /// Something that ndbytes can read but has no rules for.
    #[cfg(feature = "convert")]
    Foreign(Foreign),
}

/// Opens the values at a path, tolerating violations of some rules.
pub fn named(named: &Path, tolerate: &Tolerate, context: &Context<'_>) -> Result<Named, Failure> {
    of(divide(named, context)?, tolerate, context)
}

/// Reads an opened path, tolerating violations of some rules.
pub fn of(divided: Divided, tolerate: &Tolerate, context: &Context<'_>) -> Result<Named, Failure> {
    match divided {
        Divided::Input { path, slice, input } => {
            let values = Values { slice, ..read(&path, input, tolerate, context)? };
            Ok(Named::Values(values.into()))
        }
        #[cfg(feature = "convert")]
        Divided::Foreign(foreign) => Ok(Named::Foreign(foreign)),
    }
}

/// Reads an opened input, tolerating violations of some rules.
pub fn read(path: &Path, input: Input<'static>, tolerate: &Tolerate, context: &Context<'_>) -> Result<Values, Failure> {
    if let Some(refusal) = tolerate.refusal(&input) {
        return Err(Failure::Words(refusal));
    }
    let length = input.length();
    Ok(Values { path: path.to_owned(), file: tolerate.options(context).read(input)?, slice: None, length })
}

impl Values {
    /// Returns the requested items of an array, or rows of a table.
    pub fn chosen(&self) -> Result<Chosen, Failure> {
        let rows;
        let shape = match &self.file {
            File::Array(array) => array.shape(),
            File::Table(table) => {
                rows = [usize::try_from(table.rows()).unwrap_or(usize::MAX)];
                &rows
            }
        };
        chosen(self.slice.as_ref(), shape)
    }
}
