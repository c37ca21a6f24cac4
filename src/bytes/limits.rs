//! Limits on the cost of a file.
//!
//! [`Limits`] state what a caller allows. A [`Budget`] is what is left of them for one input. A [`Debit`] is the share of a budget
//! that some work is using, which is returned on drop.
//!
//! All code that reads files follows one rule: whenever the size of an allocation depends on the file, the memory is taken from the
//! budget first. A length that a file merely claims therefore costs nothing, and exceeding a limit is never an abort, but an error
//! that states the needed and the remaining bytes. A budget starts with the limit plus the length of the input, because a caller
//! who has a file can be expected to have room for it. The length of a remote file is only a claim, so it is not added.

use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::general::LIMIT_EXCEEDED;
use everybyte::budget::{self, Cost};
use std::cell::Cell;
use std::time::Duration;

/// The time at which some work, which may involve several files, must end.
pub use everybyte::budget::Deadline;

/// Limits on memory, output, decoded length and time for a file that the caller does not trust.
///
/// # Read a file from a stranger
///
/// A few hundred bytes may claim, or decompress to, more memory than a machine has. Exceeding a limit is an error, never an abort:
///
/// ```
/// use ndbytes::{Error, Limits, Options};
/// use std::time::Duration;
///
/// let limits = Limits::default().memory(4 << 10).time(Duration::from_secs(10));
/// let error = Options::new().limits(limits).open("samples/digits-idx3-ubyte.gz").unwrap_err();
/// assert_eq!(error.finding().unwrap().rule.id, "limit-exceeded");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// The number of bytes that may be allocated beyond the length of the input; 1 GiB by default. Everything that a file can cause
    /// a reader to allocate is charged to this limit, especially decompressed payloads. The length of a stream is not known before
    /// it ends, so its bytes are also charged. So are the cached bytes of a [source](crate::ReadRanges): at most 16 MiB and a
    /// quarter of the limit. The length that a source claims is not trusted. A header may take at most 1 MiB (about 131,000 axes),
    /// regardless of the limit. Buffers, findings and other things that are bounded in number take less than 16 MiB, which is not
    /// charged.
    pub memory: u64,
    /// The number of bytes that may be written per input; 64 GiB by default. A file of a few hundred bytes can
    /// represent a trillion zeros. If the output is known to be longer, nothing is written.
    pub output: u64,
    /// The maximum length of an array's decoded elements in bytes; unlimited by default. A valid file of a few hundred bytes may
    /// contain an array of a tebibyte, of which readers decode only what they need. With this limit, a [check](crate::Checker) of
    /// such a file reports `limit-exceeded`. Tables are read in blocks, whose length is limited by `memory`.
    pub decoded: u64,
    /// The approximate maximum number of fields in a byte map; 65,536 by default, which is more than anyone reads. Further elements
    /// of a list share one field, so every byte still has a field.
    pub fields: usize,
    /// The maximum time since a file was opened; unlimited by default. The clock is checked during every read and between blocks,
    /// so the limit may be exceeded by a few milliseconds. The limit also applies to handles: when the time is up, they do not read
    /// anything more.
    pub time: Option<Duration>,
    /// The time at which work must end, if the clock is running.
    end: Option<Deadline>,
}

impl Limits {
    /// Sets the limit on memory.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Limits { memory: bytes, ..self }
    }

    /// Sets the limit on output.
    #[must_use]
    pub fn output(self, bytes: u64) -> Self {
        Limits { output: bytes, ..self }
    }

    /// Sets the limit on the decoded length of an array. It is used by [`Checker`](crate::Checker).
    ///
    /// ```
    /// use ndbytes::{Checker, Limits};
    ///
    /// let checker = Checker::new().limits(Limits::default().decoded(1000));
    /// let report = checker.check("samples/temperatures.b2nd")?;
    /// let finding = &report.findings()[0];
    /// assert_eq!(finding.rule.id, "limit-exceeded");
    /// assert_eq!(finding.message, "the decoded array takes 2016 bytes, but at most 1000 bytes are allowed");
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    #[must_use]
    pub fn decoded(self, bytes: u64) -> Self {
        Limits { decoded: bytes, ..self }
    }

    /// Sets the maximum number of fields in a byte map. It is used by [`Checker`](crate::Checker).
    ///
    /// ```
    /// use ndbytes::{Checker, Input, Limits};
    ///
    /// let limits = Limits::default().fields(20);
    /// let input = Input::open("samples/trees.idv", limits)?;
    /// let (_, short) = Checker::new().limits(limits).explain(&input)?;
    /// let (_, whole) = Checker::new().explain(&input)?;
    /// assert!(short.spans().len() < whole.spans().len());
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    #[must_use]
    pub fn fields(self, fields: usize) -> Self {
        Limits { fields, ..self }
    }

    /// Sets the limit on time.
    #[must_use]
    pub fn time(self, time: Duration) -> Self {
        Limits { time: Some(time), end: None, ..self }
    }

    /// Starts the clock, so that work on any number of files shares one time limit. Otherwise, the limit applies to each file. A running
    /// clock is not restarted.
    #[must_use]
    pub fn started(self) -> Self {
        // The clock is read only if there is a limit, because plain WebAssembly has no clock.
        let end = || self.time.and_then(Deadline::after);
        Limits { end: self.end.or_else(end), ..self }
    }

    /// The remaining time: the whole limit if the clock is not running; `None` without a limit.
    pub fn time_left(self) -> Option<Duration> {
        self.end.map(Deadline::left).or(self.time)
    }

    /// Fails if the time is up and the clock is running.
    ///
    /// # Errors
    /// [`Error::Time`].
    pub fn ensure_time(self) -> Result<()> {
        self.time.and(self.end).map_or(Ok(()), ensure)
    }

    /// The time at which work must end. This starts the clock if it is not running.
    fn deadline(self) -> Option<Deadline> {
        let Limits { time, end, .. } = self.started();
        time.and(end)
    }

    /// Fails if writing `bytes` bytes would exceed the limit on output. Call it before the first byte is written.
    /// `what` names the output in the message.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the `limit-exceeded` rule.
    pub fn ensure_output(self, what: &str, bytes: u64) -> Result<()> {
        if bytes > self.output { Err(Finding::output_limit(what, bytes, self.output).into()) } else { Ok(()) }
    }

    /// Returns the budget for an input of this length.
    pub(crate) fn budget(self, input_length: u64) -> Budget {
        let budget = budget::Budget::until(self.deadline()).grant(Cost::Fields, self.fields as u64);
        Budget(budget.grant(Cost::Memory, self.memory.saturating_add(input_length)))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { memory: 1 << 30, output: 64 << 30, decoded: u64::MAX, fields: 1 << 16, time: None, end: None }
    }
}

/// What is left of the limits while a file is read: a budget of everybyte, but with this crate's errors.
#[derive(Debug)]
pub struct Budget(budget::Budget);

/// Fails if the time is up.
fn ensure(deadline: Deadline) -> Result<()> {
    if deadline.is_over() { Err(Error::Time { granted: deadline.granted() }) } else { Ok(()) }
}

/// Converts an error from work with a deadline to [`Error::Time`], if the finding in it reports that this limit was exceeded.
pub fn told(deadline: Option<Deadline>, error: Error) -> Error {
    match (deadline, error.finding()) {
        (Some(deadline), Some(finding)) if finding.rule == &LIMIT_EXCEEDED => ensure(deadline).err().unwrap_or(error),
        _ => error,
    }
}

impl Budget {
    /// Limits the time for work on this input. If it is already limited, the earlier end applies.
    pub fn end_with(&mut self, limits: Limits) {
        self.0.end_by(limits.deadline());
    }

    /// Removes the limit on time.
    pub fn never_end(&mut self) {
        self.0.never_end();
    }

    /// Applies the same time limit as in another budget.
    pub fn end_as(&mut self, other: &Budget) {
        self.0.end_by(other.deadline());
    }

    /// A budget for the same bytes, with the same running clock.
    pub fn renewed(&self, limits: Limits, input_length: u64) -> Budget {
        let mut budget = limits.budget(input_length);
        budget.end_as(self);
        budget
    }

    /// The time at which work on this input must end.
    pub fn deadline(&self) -> Option<Deadline> {
        self.0.deadline()
    }

    /// Fails if the time is up.
    ///
    /// # Errors
    /// [`Error::Time`].
    pub fn ensure_time(&self) -> Result<()> {
        self.deadline().map_or(Ok(()), ensure)
    }

    /// Credits charged memory that has been freed.
    pub fn give_back(&self, bytes: u64) {
        self.0.give_back(Cost::Memory, bytes);
    }

    /// An empty list with room for `length` elements, which is charged immediately. The list does not allocate later.
    pub fn list<T>(&self, length: u64, what: &'static str) -> Result<Vec<T>> {
        let bytes = length.saturating_mul(size_of::<T>() as u64);
        self.take(bytes, what)?;
        let mut list = Vec::new();
        match usize::try_from(length).is_ok_and(|length| list.try_reserve_exact(length).is_ok()) {
            true => Ok(list),
            false => Err(Error::Limit { what, needed: bytes, left: 0 }),
        }
    }

    /// The maximum number of fields in a byte map.
    pub fn fields(&self) -> usize {
        usize::try_from(self.0.granted(Cost::Fields)).unwrap_or(usize::MAX)
    }

    /// The number of bytes left.
    pub fn left(&self) -> u64 {
        self.0.left(Cost::Memory)
    }

    /// Charges an allocation before it is made.
    pub fn take(&self, bytes: u64, what: &'static str) -> Result<()> {
        self.0.take(Cost::Memory, bytes).map_err(|left| Error::Limit { what, needed: bytes, left })
    }
}

/// Returns the axis lengths of an array as `usize`.
///
/// # Errors
/// [`Error::Limit`] if a length exceeds the address space.
pub(crate) fn extents(extents: impl Iterator<Item = u64>) -> Result<Vec<usize>> {
    let limit = |needed| Error::Limit { what: "a dimension of the array", needed, left: usize::MAX as u64 };
    extents.map(|extent| usize::try_from(extent).map_err(|_| limit(extent))).collect()
}

/// The maximum memory that a hash table with this many entries takes. After growing, a table has twice the room that it needs, and
/// while it grows, the old table also exists.
pub fn hashed<T>(entries: usize) -> u64 {
    (entries as u64).saturating_mul(4 * (size_of::<T>() as u64 + 1))
}

/// The maximum memory that a growing list with this many elements takes: up to twice its length.
pub fn grown<T>(elements: usize) -> u64 {
    (elements as u64).saturating_mul(2 * size_of::<T>() as u64)
}

/// A debit for memory in use. It is credited on drop.
#[derive(Debug)]
pub struct Debit<'b> {
    budget: &'b Budget,
    bytes: Cell<u64>,
}

impl<'b> Debit<'b> {
    /// An empty debit. It is credited back to the budget on drop.
    #[doc(hidden)]
    pub fn new(budget: &'b Budget) -> Self {
        Debit { budget, bytes: Cell::new(0) }
    }

    /// Charges an allocation before it is made.
    pub fn take(&self, bytes: u64, what: &'static str) -> Result<()> {
        self.budget.take(bytes, what)?;
        self.bytes.set(self.bytes.get() + bytes);
        Ok(())
    }

    /// Fails if the time of the budget is up.
    ///
    /// # Errors
    /// [`Error::Time`](crate::Error::Time).
    pub fn ensure_time(&self) -> Result<()> {
        self.budget.ensure_time()
    }

    /// Keeps the debit, because the memory is passed on. Returns its size in bytes.
    pub fn keep(self) -> u64 {
        self.bytes.take()
    }

    /// Takes over memory that was charged to the same budget and kept.
    pub fn adopt(&self, bytes: u64) {
        self.bytes.set(self.bytes.get() + bytes);
    }
}

impl Drop for Debit<'_> {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes.get());
    }
}
