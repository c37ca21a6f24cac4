//! Reverts damage by programs that treat files as text, but only if the resulting file is complete.

use super::{Attempt, Mended, Options};
use crate::any::check::Checker;
use crate::error::Result;
use crate::findings::report::Verdict;
use crate::findings::words::counted;
use crate::format::transport::{DAMAGES, cause, lost_within};

/// Returns the file as it was before it was damaged; `None` if nothing proves that it was damaged.
pub(super) fn undone(bytes: &[u8], options: &Options) -> Result<Option<Mended>> {
    let checker = Checker::new().limits(options.limits);
    for damage in DAMAGES {
        options.limits.ensure_time()?;
        // A file that still shows signs of damage is not the original.
        let Some(undone) = (damage.undo)(bytes).filter(|undone| cause(undone).is_none()) else { continue };
        if checker.check_slice(&undone)?.verdict() < Verdict::Error {
            let gone = counted(bytes.len().abs_diff(undone.len()) as u64, "byte");
            let done = format!("{}: without {gone}, the lengths are right", damage.done);
            return Ok(Some(Mended::new(undone, done)));
        }
    }
    Ok(None)
}

/// Refuses to count or to truncate the items of a file if there are signs that its content was altered. `missing` is the number of
/// bytes missing from the payload.
pub(super) fn altered(bytes: &[u8], payload: &[u8], missing: u64) -> Option<Attempt> {
    let cause = cause(bytes).or_else(|| lost_within(payload, missing))?;
    Some(Attempt::refused(format!("{cause}; the remaining values cannot be told apart from others")))
}
