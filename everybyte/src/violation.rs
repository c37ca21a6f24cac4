//! Violations that do not stop a reader: rules of a declaration, checksums and surplus bytes.
//!
//! A parser returns a value or an error, so it cannot report that a value it has read is invalid. Such violations are
//! passed separately, in a thread-local list that the examination collects after each structure. A structure that
//! cannot be read is read a second time with a map, so a violation is added only if it is not in the list yet. The
//! violations of a rejected alternative are dropped together with the alternative.
//!
//! Checksums may be nested: a file could require a sum over all bytes in each of its structures, which would take quadratic
//! time. [`may_sum`] allows each byte to be summed a fixed number of times on average and reports the first sum beyond that.

use crate::finding::{Finding, MOST_FINDINGS, Severity};
use crate::mode::{self, JUDGED, PEEKED_AT};
use crate::peek;
use std::cell::RefCell;
use std::ops::Range;

/// The maximum number of times that checksums may cover the bytes of the file.
const MOST_SUMMED: u64 = 16;

/// The minimum length of a file for this purpose. Shorter files have the same limit.
const LEAST_SUMMED: u64 = 64 << 10;

/// The message for the first checksum that may not be computed.
pub const TOO_MANY_SUMMED: &str = "the checksums of the file share too many bytes: the rest is not checked";

/// The maximum number of bytes that checksums may cover, if they all end within `length` bytes.
pub fn most_summed(length: u64) -> u64 {
    length.max(LEAST_SUMMED).saturating_mul(MOST_SUMMED)
}

/// A violation that was found while a structure was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub rule: &'static str,
    pub severity: Severity,
    /// The field, relative to the structure that was read.
    pub path: String,
    pub bytes: Range<u64>,
    pub message: String,
}

impl Violation {
    /// Converts it to a finding in a space, with the path of the structure as a prefix.
    pub fn finding(self, space: u32, around: &str) -> Finding {
        let Violation { rule, severity, path, bytes, message } = self;
        let dot = if around.is_empty() || path.is_empty() || path.starts_with('[') { "" } else { "." };
        Finding { rule: rule.into(), severity, path: format!("{around}{dot}{path}"), space, bytes, message }
    }
}

/// The violations of a structure.
#[derive(Debug, Default, Clone)]
pub struct Violations {
    pub kept: Vec<Violation>,
    /// The number of violations that were not kept.
    pub further: usize,
    /// The number of bytes read for checksums.
    summed: u64,
}

thread_local! {
    /// The violations in the structure that is being read; `None` if they are not recorded.
    static FOUND: RefCell<Option<Violations>> = const { RefCell::new(None) };
}

/// The violations of the enclosing structure. They are restored on drop, even in a panic.
struct Outer(Option<Violations>);

impl Drop for Outer {
    fn drop(&mut self) {
        FOUND.set(self.0.take());
    }
}

/// Returns whether violations are requested.
#[inline]
pub fn are_wanted() -> bool {
    mode::has(JUDGED | PEEKED_AT)
}

/// Reads a structure and returns it with its violations.
pub fn gathered<T>(read: impl FnOnce() -> T) -> (T, Violations) {
    let outer = Outer(FOUND.replace(Some(Violations::default())));
    let _mode = mode::with(JUDGED);
    let result = read();
    let found = FOUND.take().unwrap_or_default();
    drop(outer);
    (result, found)
}

/// Adds a violation unless it is already recorded, because a structure that cannot be read is read a second time.
pub fn add(flaw: impl FnOnce() -> Violation) {
    if peek::is_on() {
        return peek::doubt();
    }
    FOUND.with_borrow_mut(|found| {
        let Some(found) = found.as_mut() else { return };
        if found.kept.len() >= MOST_FINDINGS {
            found.further += 1;
            return;
        }
        let flaw = flaw();
        let is_known = |known: &&mut Violation| {
            known.rule == flaw.rule && known.bytes == flaw.bytes && known.message == flaw.message
        };
        match found.kept.iter_mut().find(is_known) {
            // Only the second attempt has the path.
            Some(known) => known.path = flaw.path,
            None => found.kept.push(flaw),
        }
    });
}

/// Returns whether a checksum over this many bytes, which end at this offset, may be computed. Nested checksums read the same bytes
/// repeatedly. The first one that may not be computed is reported.
pub fn may_sum(length: u64, end: u64) -> bool {
    let most = most_summed(end);
    let summed = match peek::is_on() {
        true => Some(peek::add_summed(length)),
        false => FOUND.with_borrow_mut(|found| {
            let found = found.as_mut()?;
            found.summed = found.summed.saturating_add(length);
            Some(found.summed)
        }),
    };
    let may = summed.is_some_and(|summed| summed <= most);
    if summed.is_some_and(|summed| summed > most && summed.saturating_sub(length) <= most) {
        let (path, message) = (String::new(), TOO_MANY_SUMMED.to_owned());
        add(|| Violation { rule: "limit", severity: Severity::Error, path, bytes: end - length..end, message });
    }
    may
}

/// The number of violations so far.
pub fn count() -> usize {
    FOUND.with_borrow(|found| found.as_ref().map_or(0, |found| found.kept.len()))
}

/// Drops the violations after an offset, except the first `known`. They belong to a rejected alternative.
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
