//! The values that a path names: a file, an address in an archive, or a slice of either.

use super::slice::{Chosen, Slice, before_slice};
use super::tolerate::Tolerate;
use crate::context::Context;
use ndbytes::{Error, File, Input};
use std::path::{Path, PathBuf};

/// A file whose values are wanted.
#[derive(Debug)]
pub struct Values {
    /// Its path, without the slice.
    pub path: PathBuf,
    pub file: File<'static>,
    pub slice: Option<Slice>,
    /// Bytes of the file.
    pub length: u64,
}

/// The reason why there are no values.
#[derive(Debug)]
pub enum Failure {
    Error(Error),
    /// The user has asked for what is not there.
    Words(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Error(error)
    }
}

/// Opens the file that a path names, with some rules tolerated.
pub fn values(named: &Path, tolerate: &Tolerate, context: &Context<'_>) -> Result<Values, Failure> {
    let (path, slice, input) = divide(named, context)?;
    Ok(Values { slice, ..read(&path, input, tolerate, context)? })
}

/// Reads an input that was opened, with some rules tolerated.
pub fn read(path: &Path, input: Input<'static>, tolerate: &Tolerate, context: &Context<'_>) -> Result<Values, Failure> {
    if let Some(refusal) = tolerate.refusal(&input) {
        return Err(Failure::Words(refusal));
    }
    let length = input.length();
    Ok(Values { path: path.to_owned(), file: tolerate.options(context).read(input)?, slice: None, length })
}

/// Opens a path, or what is before its slice. A file or an entry that has the whole text as its name comes first.
fn divide(named: &Path, context: &Context<'_>) -> Result<(PathBuf, Option<Slice>, Input<'static>), Failure> {
    let error = match context.open(named) {
        Ok(input) => return Ok((named.to_owned(), None, input)),
        Err(error) => error,
    };
    match before_slice(named, &error) {
        None => Err(error.into()),
        Some((path, slice)) => {
            let input = context.open(path)?;
            Ok((path.to_owned(), Some(slice.parse().map_err(Failure::Words)?), input))
        }
    }
}

impl Values {
    /// The items of an array, or the rows of a table, that are wanted.
    pub fn chosen(&self) -> Result<Chosen, Failure> {
        let rows;
        let shape = match &self.file {
            File::Array(array) => array.shape(),
            File::Table(table) => {
                rows = [usize::try_from(table.rows()).unwrap_or(usize::MAX)];
                &rows
            }
        };
        match &self.slice {
            None => Ok(Chosen::all(shape)),
            Some(slice) => slice.choose(shape).map_err(Failure::Words),
        }
    }
}
