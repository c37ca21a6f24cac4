//! Undoing damage in transport: only where the file that results is whole.

use super::{Attempt, Mended, Options};
use crate::any::check::Checker;
use crate::error::Result;
use crate::findings::report::Verdict;
use crate::findings::words::counted;
use crate::format::transport::{DAMAGES, cause, lost_within};

/// The file as it was before it was damaged; `None` if nothing proves that it was.
pub(super) fn undone(bytes: &[u8], options: &Options) -> Result<Option<Mended>> {
    let checker = Checker::new().limits(options.limits);
    for damage in DAMAGES {
        options.limits.ensure_time()?;
        // What still has the signs of damage is not as it was.
        let Some(undone) = (damage.undo)(bytes).filter(|undone| cause(undone).is_none()) else { continue };
        if checker.check_slice(&undone)?.verdict() < Verdict::Error {
            let gone = counted(bytes.len().abs_diff(undone.len()) as u64, "byte");
            let done = format!("{}: without {gone}, the lengths are right", damage.done);
            return Ok(Some(Mended::new(undone, done)));
        }
    }
    Ok(None)
}

/// The refusal to count or to cut what a file has, if signs tell that its content was altered. `missing` is the number of bytes that
/// the payload is short of.
pub(super) fn altered(bytes: &[u8], payload: &[u8], missing: u64) -> Option<Attempt> {
    let cause = cause(bytes).or_else(|| lost_within(payload, missing))?;
    Some(Attempt::refused(format!("{cause}; the values that are left cannot be told from others")))
}
