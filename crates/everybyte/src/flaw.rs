//! Violations that do not stop a reader: rules of a declaration, checksums, surplus bytes.

use crate::finding::{Finding, MOST_FINDINGS, Severity};
use crate::glance;
use crate::mode::{self, GLANCED_AT, JUDGED};
use std::cell::RefCell;
use std::ops::Range;

/// Checksums may be made of this many times the bytes of the file.
const MOST_SUMMED: u64 = 16;

/// Bytes from which even the smallest file may be summed that often.
const LEAST_SUMMED: u64 = 64 << 10;

/// The message of the first checksum that may not be made.
pub const TOO_MANY_SUMMED: &str = "the checksums of the file share too many bytes: the others are not checked";

/// The number of bytes of which checksums may be made, if they all end within `length` bytes.
pub fn most_summed(length: u64) -> u64 {
    length.max(LEAST_SUMMED).saturating_mul(MOST_SUMMED)
}

/// A violation that was found while a structure was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    pub rule: &'static str,
    pub severity: Severity,
    /// The field, as seen from the structure that was read.
    pub path: String,
    pub bytes: Range<u64>,
    pub message: String,
}

impl Flaw {
    /// The same as a finding in a space, in a part of this path.
    pub fn finding(self, space: u32, around: &str) -> Finding {
        let Flaw { rule, severity, path, bytes, message } = self;
        let dot = if around.is_empty() || path.is_empty() || path.starts_with('[') { "" } else { "." };
        Finding { rule: rule.into(), severity, path: format!("{around}{dot}{path}"), space, bytes, message }
    }
}

/// The flaws of a structure.
#[derive(Debug, Default, Clone)]
pub struct Flaws {
    pub kept: Vec<Flaw>,
    /// Flaws that were not kept.
    pub further: usize,
    /// Bytes that were read for checksums.
    summed: u64,
}

thread_local! {
    /// The flaws of the structure that is being read; `None` if nobody wants to know.
    static FOUND: RefCell<Option<Flaws>> = const { RefCell::new(None) };
}

/// The flaws of the structure around this one. They are restored on drop, even in a panic.
struct Outer(Option<Flaws>);

impl Drop for Outer {
    fn drop(&mut self) {
        FOUND.set(self.0.take());
    }
}

/// Returns whether flaws are wanted.
#[inline]
pub fn are_wanted() -> bool {
    mode::has(JUDGED | GLANCED_AT)
}

/// Reads a structure, and gives its flaws.
pub fn gathered<T>(read: impl FnOnce() -> T) -> (T, Flaws) {
    let outer = Outer(FOUND.replace(Some(Flaws::default())));
    let _mode = mode::with(JUDGED);
    let result = read();
    let found = FOUND.take().unwrap_or_default();
    drop(outer);
    (result, found)
}

/// Adds a flaw, unless it is there already: what cannot be read is read once more.
pub fn add(flaw: impl FnOnce() -> Flaw) {
    if glance::is_on() {
        return glance::doubt();
    }
    FOUND.with_borrow_mut(|found| {
        let Some(found) = found.as_mut() else { return };
        if found.kept.len() >= MOST_FINDINGS {
            found.further += 1;
            return;
        }
        let flaw = flaw();
        let is_known =
            |known: &&mut Flaw| known.rule == flaw.rule && known.bytes == flaw.bytes && known.message == flaw.message;
        match found.kept.iter_mut().find(is_known) {
            // The second reader knows the path.
            Some(known) => known.path = flaw.path,
            None => found.kept.push(flaw),
        }
    });
}

/// Returns whether a checksum of this many bytes, which end at this offset, may be made. Sums inside sums read the same bytes
/// again and again. The first one that may not is a flaw.
pub fn may_sum(length: u64, end: u64) -> bool {
    let most = most_summed(end);
    let summed = match glance::is_on() {
        true => Some(glance::add_summed(length)),
        false => FOUND.with_borrow_mut(|found| {
            let found = found.as_mut()?;
            found.summed = found.summed.saturating_add(length);
            Some(found.summed)
        }),
    };
    let may = summed.is_some_and(|summed| summed <= most);
    if summed.is_some_and(|summed| summed > most && summed.saturating_sub(length) <= most) {
        let (path, message) = (String::new(), TOO_MANY_SUMMED.to_owned());
        add(|| Flaw { rule: "limit", severity: Severity::Error, path, bytes: end - length..end, message });
    }
    may
}

/// The number of flaws so far.
pub fn count() -> usize {
    FOUND.with_borrow(|found| found.as_ref().map_or(0, |found| found.kept.len()))
}

/// Drops the flaws from an offset on, but for the first ones: those of an alternative that was given up.
pub fn forget_from(offset: u64, known: usize) {
    FOUND.with_borrow_mut(|found| {
        if let Some(found) = found {
            let mut place = 0;
            found.kept.retain(|flaw| {
                place += 1;
                place <= known || flaw.bytes.start < offset
            });
        }
    });
}
