//! Splits paths into a file and a slice.
//!
//! `x.b2nd[6:12, :]` is a path and a slice, unless a file has exactly this name. The whole text is tried first, and
//! split only if that fails. The slice is parsed only after its path has been opened, so a wrong path is reported as
//! such.

use super::failure::Failure;
#[cfg(feature = "convert")]
use super::foreign::{Foreign, failure};
use super::slice::{Slice, before_slice};
use crate::context::Context;
#[cfg(feature = "convert")]
use crate::show::text::is_standard;
use ndbytes::Input;
#[cfg(feature = "convert")]
use ndbytes_convert::FileKind;
#[cfg(feature = "convert")]
use ndbytes_convert::door::{self, Opened};
use std::path::{Path, PathBuf};

/// An opened path and the slice after it.
#[allow(clippy::large_enum_variant, reason = "one is made per file, and moved a few times")]
pub enum Divided {
    Input {
        path: PathBuf,
        slice: Option<Slice>,
        input: Input<'static>,
    },
    #[cfg(feature = "convert")]
    Foreign(Foreign),
}

/// Opens a path, or the part before its slice. A file or an entry whose name is the complete text takes precedence.
#[cfg(feature = "convert")]
pub fn divide(named: &Path, context: &Context<'_>) -> Result<Divided, Failure> {
    divide_as(named, None, context)
}

/// Opens a path, or the part before its slice. A file or an entry whose name is the complete text takes precedence.
#[cfg(not(feature = "convert"))]
pub fn divide(named: &Path, context: &Context<'_>) -> Result<Divided, Failure> {
    match context.open(named) {
        Ok(input) => Ok(Divided::Input { path: named.to_owned(), slice: None, input }),
        Err(error) => match before_slice(named, &error) {
            None => Err(error.into()),
            Some((path, slice)) => {
                let (path, input) = (path.to_owned(), context.open(path)?);
                Ok(Divided::Input { path, slice: Some(slice.parse().map_err(Failure::Words)?), input })
            }
        },
    }
}

/// Opens a path, or the part before its slice. A file or an entry whose name is the complete text takes precedence.
/// `said` is the text format that the user specified.
#[cfg(feature = "convert")]
pub fn divide_as(named: &Path, said: Option<FileKind>, context: &Context<'_>) -> Result<Divided, Failure> {
    // A slice is parsed only after its path has been opened.
    let parse = |slice: &str| slice.parse::<Slice>().map_err(Failure::Words);
    let (path, slice, error) = match context.open(named) {
        Ok(input) => return entered(named, None, Opened::read(named, input, said, context.limits)),
        Err(error) => match before_slice(named, &error) {
            None => (named, None, error),
            Some((path, slice)) => match context.open(path) {
                Ok(input) => {
                    let opened = Opened::read(path, input, said, context.limits);
                    return entered(path, Some(parse(slice)?), opened);
                }
                Err(error) => (path, Some(slice), error),
            },
        },
    };
    if !is_standard(path)
        && let Some(foreign) = door::Foreign::at(path, context.limits).map_err(failure)?
    {
        return Ok(Divided::Foreign(Foreign { inner: foreign.into(), slice: slice.map(parse).transpose()? }));
    }
    Err(error.into())
}

#[cfg(feature = "convert")]
fn entered(
    path: &Path,
    slice: Option<Slice>,
    opened: Result<Opened, ndbytes_convert::Error>,
) -> Result<Divided, Failure> {
    match opened.map_err(failure)? {
        Opened::File(input) => Ok(Divided::Input { path: path.to_owned(), slice, input }),
        Opened::Foreign(inner) => Ok(Divided::Foreign(Foreign { inner, slice })),
        _ => Err(Failure::Words("what it holds is not read by this command".into())),
    }
}

/// Returns the file or the store without rules at a path, if there is one. `None` for a path that cannot be opened,
/// which the caller will report.
#[cfg(feature = "convert")]
pub fn at(path: &Path, context: &Context<'_>) -> Option<Result<Foreign, Failure>> {
    if is_standard(path) {
        return None;
    }
    match divide_as(path, None, context) {
        Ok(Divided::Foreign(foreign)) => Some(Ok(foreign)),
        Ok(Divided::Input { .. }) | Err(Failure::Error(_)) => None,
        Err(failure) => Some(Err(failure)),
    }
}
