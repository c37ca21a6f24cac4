//! Limits on the cost of a file.

use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::general::LIMIT_EXCEEDED;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The memory, the output, the decoded length and the time that a caller grants to a file it does not trust.
///
/// # Read a file from a stranger
///
/// Some hundred bytes may claim, or inflate to, more than a machine has. What exceeds a limit is an error, never an abort:
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
    /// Bytes that may be allocated beyond the length of the input itself; by default 1 GiB. Whatever a file can make
    /// a reader allocate is debited here, above all a decompressed payload. The length of a stream is not
    /// known before it ends, so its bytes are debited too. So is what is kept of a [source](crate::ReadRanges): at most 16 MiB
    /// and a quarter of the limit. The length that a source states grants nothing. A header may take at most 1 MiB
    /// (some 131,000 axes), whatever the budget. Buffers, findings and the like, whose number is bounded, stay below 16
    /// MiB.
    pub memory: u64,
    /// Bytes that may be written of one input; by default 64 GiB. A file of some hundred bytes can hold a million million
    /// zeros. Output that is known to become longer is not begun.
    pub output: u64,
    /// Bytes that the elements of an array may have when they are decoded; by default there is no bound. A file of some hundred
    /// bytes may hold an array of a tebibyte, which is valid, and of which a reader takes what it wants. A [check](crate::Checker)
    /// of such a file has the finding `limit-exceeded`. Tables are read by blocks, whose length `memory` bounds.
    pub decoded: u64,
    /// The fields that a byte map may have, about; by default 65,536: a page of more is read by nobody. Further fields of a list
    /// share one, so that every byte still has a field.
    pub fields: usize,
    /// Time that the work on a file may take, from its opening on; by default there is no bound. Every read of the file looks
    /// at the clock, and so does all work from block to block: a few milliseconds more may pass. A handle is bound as well:
    /// when its time is over, it reads nothing any more.
    pub time: Option<Duration>,
    /// The end of that time, if the clock runs already.
    end: Option<Instant>,
}

impl Limits {
    /// The limits with another budget for memory.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Limits { memory: bytes, ..self }
    }

    /// The limits with another budget for what is written.
    #[must_use]
    pub fn output(self, bytes: u64) -> Self {
        Limits { output: bytes, ..self }
    }

    /// The limits with a bound on the decoded length of an array. [`Checker`](crate::Checker) looks at it.
    ///
    /// ```
    /// use ndbytes::{Checker, Limits};
    ///
    /// let checker = Checker::new().limits(Limits::default().decoded(1000));
    /// let report = checker.check("samples/temperatures.b2nd")?;
    /// let finding = &report.findings()[0];
    /// assert_eq!(finding.rule.id, "limit-exceeded");
    /// assert_eq!(finding.message, "the array takes 2016 bytes decoded, but at most 1000 bytes are allowed");
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    #[must_use]
    pub fn decoded(self, bytes: u64) -> Self {
        Limits { decoded: bytes, ..self }
    }

    /// The limits with another number of fields of a byte map. [`Checker`](crate::Checker) looks at it.
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

    /// The limits with a bound on time.
    #[must_use]
    pub fn time(self, time: Duration) -> Self {
        Limits { time: Some(time), end: None, ..self }
    }

    /// The limits with their clock running: all work within them ends at one time, on however many files. Otherwise each
    /// file has the time for itself. A clock that runs already goes on.
    #[must_use]
    pub fn started(self) -> Self {
        // WebAssembly alone has no clock: nobody asks for it without a limit.
        let end = || self.time.and_then(|time| Instant::now().checked_add(time));
        Limits { end: self.end.or_else(end), ..self }
    }

    /// The time that is left: all of it if the clock does not run yet, and `None` without a bound.
    pub fn time_left(self) -> Option<Duration> {
        match self.end {
            Some(end) => Some(end.saturating_duration_since(Instant::now())),
            None => self.time,
        }
    }

    /// Refuses to go on when the time is over, if the clock runs.
    ///
    /// # Errors
    /// [`Error::Time`].
    pub fn ensure_time(self) -> Result<()> {
        match (self.time, self.end) {
            (Some(granted), Some(end)) => Deadline { end, granted }.ensure(),
            _ => Ok(()),
        }
    }

    /// The end of the time, whose clock runs from now on if it does not yet.
    fn deadline(self) -> Option<Deadline> {
        let Limits { time, end, .. } = self.started();
        time.zip(end).map(|(granted, end)| Deadline { end, granted })
    }

    /// Refuses to write `bytes` bytes if the limit on output is lower. Call it before the first byte is written. `what`
    /// names the output in the message.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the rule `limit-exceeded`.
    pub fn ensure_output(self, what: &str, bytes: u64) -> Result<()> {
        if bytes > self.output { Err(Finding::output_limit(what, bytes, self.output).into()) } else { Ok(()) }
    }

    /// The budget for an input of this length.
    pub(crate) fn budget(self, input_length: u64) -> Budget {
        let left = AtomicU64::new(self.memory.saturating_add(input_length));
        Budget { left, fields: self.fields, deadline: self.deadline() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { memory: 1 << 30, output: 64 << 30, decoded: u64::MAX, fields: 1 << 16, time: None, end: None }
    }
}

/// The rest of the limits while one file is read.
#[derive(Debug)]
pub struct Budget {
    left: AtomicU64,
    /// The fields that a byte map may have.
    fields: usize,
    /// The end of the time that the work may take.
    deadline: Option<Deadline>,
}

/// The end of the time that some work may take, which may be about several files.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    end: Instant,
    granted: Duration,
}

impl Deadline {
    fn ensure(self) -> Result<()> {
        if Instant::now() >= self.end { Err(Error::Time { granted: self.granted }) } else { Ok(()) }
    }

    /// The error of work that ended so: time that is over, where a finding says that a limit was exceeded.
    pub fn told(deadline: Option<Deadline>, error: Error) -> Error {
        match (deadline, error.finding()) {
            (Some(deadline), Some(finding)) if finding.rule == &LIMIT_EXCEEDED => {
                deadline.ensure().err().unwrap_or(error)
            }
            _ => error,
        }
    }
}

fn earlier(one: Option<Deadline>, other: Option<Deadline>) -> Option<Deadline> {
    one.into_iter().chain(other).min_by_key(|deadline| deadline.end)
}

impl Budget {
    /// Bounds the time of the work on this input, which may be bounded already: the earlier end counts.
    pub fn end_with(&mut self, limits: Limits) {
        self.deadline = earlier(self.deadline, limits.deadline());
    }

    /// Lifts the bound on time.
    pub fn never_end(&mut self) {
        self.deadline = None;
    }

    /// Bounds the time as that of another budget is.
    pub fn end_as(&mut self, other: &Budget) {
        self.deadline = earlier(self.deadline, other.deadline);
    }

    /// A budget for the same bytes, whose clock goes on.
    pub fn renewed(&self, limits: Limits, input_length: u64) -> Budget {
        let budget = limits.budget(input_length);
        Budget { deadline: earlier(self.deadline, budget.deadline), ..budget }
    }

    /// The bound on the time of the work on this input.
    pub fn deadline(&self) -> Option<Deadline> {
        self.deadline
    }

    /// Refuses to go on when the time is over.
    ///
    /// # Errors
    /// [`Error::Time`].
    pub fn ensure_time(&self) -> Result<()> {
        self.deadline.map_or(Ok(()), Deadline::ensure)
    }

    /// Credits memory that was debited and is free again.
    pub fn give_back(&self, bytes: u64) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }

    /// An empty list with room for `length` elements, which are debited now. It does not allocate later.
    pub fn list<T>(&self, length: u64, what: &'static str) -> Result<Vec<T>> {
        let bytes = length.saturating_mul(size_of::<T>() as u64);
        self.take(bytes, what)?;
        let mut list = Vec::new();
        match usize::try_from(length).is_ok_and(|length| list.try_reserve_exact(length).is_ok()) {
            true => Ok(list),
            false => Err(Error::Limit { what, needed: bytes, left: 0 }),
        }
    }

    /// The fields that a byte map may have.
    pub fn fields(&self) -> usize {
        self.fields
    }

    /// Bytes that are left.
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Debits an allocation before it is made.
    pub fn take(&self, bytes: u64, what: &'static str) -> Result<()> {
        let debit = |left: u64| left.checked_sub(bytes);
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, debit) {
            Ok(_) => Ok(()),
            Err(left) => Err(Error::Limit { what, needed: bytes, left }),
        }
    }
}

/// The dimensions of an array, as the machine counts.
///
/// # Errors
/// [`Error::Limit`] if one is more than the machine can address.
pub(crate) fn extents(extents: impl Iterator<Item = u64>) -> Result<Vec<usize>> {
    let limit = |needed| Error::Limit { what: "a dimension of the array", needed, left: usize::MAX as u64 };
    extents.map(|extent| usize::try_from(extent).map_err(|_| limit(extent))).collect()
}

/// The maximum memory that a hash table of this many entries takes. After it has grown, a table has twice the room that it
/// needs, and while it grows, the old one is there too.
pub fn hashed<T>(entries: usize) -> u64 {
    (entries as u64).saturating_mul(4 * (size_of::<T>() as u64 + 1))
}

/// The maximum memory that a growing list of this many elements takes: up to twice its length.
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
    #[doc(hidden)]
    pub fn new(budget: &'b Budget) -> Self {
        Debit { budget, bytes: Cell::new(0) }
    }

    /// Debits an allocation before it is made.
    pub fn take(&self, bytes: u64, what: &'static str) -> Result<()> {
        self.budget.take(bytes, what)?;
        self.bytes.set(self.bytes.get() + bytes);
        Ok(())
    }

    /// Fails if the budget's time is over.
    ///
    /// # Errors
    /// [`Error::Time`](crate::Error::Time).
    pub fn ensure_time(&self) -> Result<()> {
        self.budget.ensure_time()
    }

    /// Keeps the debit, since the memory is handed on. Returns its bytes.
    pub fn keep(self) -> u64 {
        self.bytes.take()
    }

    /// Takes over memory that was debited from the same budget, and kept.
    pub fn adopt(&self, bytes: u64) {
        self.bytes.set(self.bytes.get() + bytes);
    }
}

impl Drop for Debit<'_> {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes.get());
    }
}
