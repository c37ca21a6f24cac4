//! A short description of a file of any format.

use super::rooms::{refusal, room_of};
use crate::bytes::input::Input;
use crate::bytes::limits::{Deadline, Limits};
use crate::error::Result;
use crate::format::info::Info;

/// Describes a file without reading its payload.
///
/// # Errors
/// [`Error::Invalid`](crate::Error::Invalid) if its format is unknown, or if its structure breaks a rule;
/// [`Error::Archive`](crate::Error::Archive) if it is an archive that has members; [`Error::Time`](crate::Error::Time) if
/// [`Limits::time`] is over; [`Error::Io`](crate::Error::Io).
pub fn info(input: Input<'_>, limits: &Limits) -> Result<Info> {
    input.budget().end_at(Deadline::of(*limits));
    input.budget().ensure_time()?;
    match room_of(&input) {
        Some(room) => (room.info)(input, *limits),
        None => Err(refusal(&input)),
    }
}
