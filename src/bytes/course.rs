//! Follows a reference reader through a file that breaks a rule, up to the end of the file or to the first error.
//!
//! A reader's reaction to such a file often depends on bytes other than the invalid ones. In that case, the functions of the reader
//! are followed in order on the bytes of the file, and the outcome is its reaction.

use crate::error::{Error, Result};
use crate::findings::rule::Reference;

/// The reason why a reader stops.
pub(crate) enum Stop {
    /// The reader refuses the file.
    Refused,
    /// The reaction of the reader is not known.
    Unknown,
    /// ndbytes failed to read the file.
    Failed(Error),
}

/// The outcome of a function of a reader.
pub type Step<T = ()> = std::result::Result<T, Stop>;

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Failed(error)
    }
}

/// Continues if a condition of the reader is met.
pub fn demand(is_met: bool) -> Step {
    if is_met { Ok(()) } else { Err(Stop::Refused) }
}

/// Continues if a condition is met; otherwise, the reaction is not known.
pub fn known(is_met: bool) -> Step {
    if is_met { Ok(()) } else { Err(Stop::Unknown) }
}

/// A range of these bytes, all of which must exist.
pub fn part(bytes: &[u8], start: i64, length: i64) -> Step<&[u8]> {
    let range = usize::try_from(start).ok().zip(usize::try_from(length).ok());
    let range = range.and_then(|(start, length)| Some(start..start.checked_add(length)?));
    range.and_then(|range| bytes.get(range)).ok_or(Stop::Refused)
}

/// A byte that must exist.
pub fn byte(bytes: &[u8], at: i64) -> Step<u8> {
    Ok(part(bytes, at, 1)?[0])
}

/// Takes a step for each element. A refusal takes precedence, even after an unknown reaction.
pub fn each<T>(all: impl IntoIterator<Item = T>, mut step: impl FnMut(T) -> Step) -> Step {
    let mut outcome = Ok(());
    for one in all {
        match step(one) {
            Ok(()) => {}
            Err(Stop::Unknown) => outcome = Err(Stop::Unknown),
            stop => return stop,
        }
    }
    outcome
}

/// The reaction that an outcome implies; `None` if it is not known, or if determining it would exceed the limits.
///
/// # Errors
/// [`Error::Io`].
pub fn reaction(outcome: Step) -> Result<Option<Reference>> {
    match outcome {
        Ok(()) => Ok(Some(Reference::Accepts)),
        Err(Stop::Refused) => Ok(Some(Reference::Refuses)),
        Err(Stop::Unknown | Stop::Failed(Error::Limit { .. } | Error::Time { .. })) => Ok(None),
        Err(Stop::Failed(error)) => Err(error),
    }
}
