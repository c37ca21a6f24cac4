//! Repaired copies of broken files: each error that can be mended becomes a step, and says what it drops.
//!
//! ```
//! // Two images of 2 × 3, of which the second one is cut.
//! let file = [0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8];
//! let repair = ndbytes::repair::repair(&file, &Default::default())?;
//! assert!(repair.is_sound());
//! assert_eq!(repair.steps[0].rule.id, "idx/truncated-payload");
//! assert_eq!(repair.steps[0].done, "the first dimension is 1 instead of 2");
//! assert_eq!(ndbytes::idx::from_slice(repair.bytes())?.shape(), [1, 2, 3]);
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! Nothing is invented: the values of a repaired copy are values of the file. What could be read before is the same after. Bytes that
//! are in the file, more than the last partial item, are dropped with [`Options::dropping`] alone. A file whose content was altered
//! is restored exactly, or not at all.

mod b2nd;
mod gzip;
mod idv;
mod idx;
mod npy;
mod rawarray;
mod transport;
mod zip;

use crate::any::check::Checker;
use crate::bytes::limits::Limits;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::general::{MISNAMED, UNKNOWN_FORMAT};
use crate::findings::report::{Report, Verdict};
use crate::findings::rule::{Rule, Severity};
use crate::findings::words::{bytes as count_of_bytes, counted};
use crate::format::{self, Format, is_gzip, is_zip};
use everybyte::Endian;
use std::borrow::Cow;

/// The size from which an item does not follow by accident. What is appended may be a whole number of words.
const TELLING: u64 = 9;

/// The maximum number of steps for one file. Each mends an error, and may bring the next one to light.
const MOST_STEPS: usize = 16;

/// A change that mended an error.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The rule that was broken.
    pub rule: &'static Rule,
    /// The change, in words.
    pub done: String,
    /// The loss, in words; `None` if nothing was lost.
    pub given_up: Option<String>,
}

/// A step that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// The reason, in words.
    pub reason: String,
    /// True if [`Options::dropping`] allows the step.
    pub drops: bool,
}

/// The outcome of [`repair`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Repair<'b> {
    /// The steps, in their order.
    pub steps: Vec<Step>,
    /// The step that was not taken, if there was one.
    pub refused: Option<Refusal>,
    /// The report on the file after these steps.
    pub report: Report,
    bytes: Cow<'b, [u8]>,
}

impl Repair<'_> {
    /// Returns whether no error is left.
    pub fn is_sound(&self) -> bool {
        self.report.verdict() < Verdict::Error
    }

    /// The file after all steps.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The options of a repair.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    pub(crate) byte_order: Option<Endian>,
    pub(crate) drops: bool,
    pub(crate) limits: Limits,
}

impl Options {
    /// Elements stay as they are, within the usual limits.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets the order of the elements of files whose elements look swapped: they are written in the order of their format.
    /// Without it, such elements stay as they are.
    #[must_use]
    pub fn byte_order(self, order: Endian) -> Self {
        Options { byte_order: Some(order), ..self }
    }

    /// Sets whether bytes that are in the file may be dropped. By default, no more than its last partial item is.
    ///
    /// ```
    /// use ndbytes::repair::{Options, repair};
    ///
    /// let file = [0, 0, 8, 1, 0, 0, 0, 2, 7, 8, 9];
    /// let refused = repair(&file, &Options::new())?.refused.unwrap();
    /// assert_eq!(refused.reason, "what follows the payload is cut, which drops 1 byte");
    /// assert_eq!(repair(&file, &Options::new().dropping(true))?.bytes(), &file[..10]);
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    #[must_use]
    pub fn dropping(self, allowed: bool) -> Self {
        Options { drops: allowed, ..self }
    }

    /// Sets limits on each file. The copies that are made count as memory.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }
}

/// A way to mend violations of a rule.
pub(crate) struct Mend {
    pub rule: &'static Rule,
    /// The change and its cost, for the page of the rule.
    pub doc: &'static str,
    /// Mends a violation in the bytes of a file, or returns `None` if this one cannot be mended.
    mend: fn(&Finding, &[u8]) -> Option<Attempt>,
}

/// The outcome of an attempt to mend a violation.
enum Attempt {
    Mended(Mended),
    /// The bytes do not prove the change: the reason.
    Refused(String),
}

impl From<Mended> for Attempt {
    fn from(mended: Mended) -> Self {
        Attempt::Mended(mended)
    }
}

impl Attempt {
    fn refused(reason: impl Into<String>) -> Self {
        Attempt::Refused(reason.into())
    }
}

/// An attempt, and the rule whose violation it is about.
type Tried = Option<(&'static Rule, Attempt)>;

/// A file after a step.
struct Mended {
    bytes: Vec<u8>,
    done: String,
    given_up: Option<String>,
    /// True if it drops what is in the file, beyond its last partial item.
    drops: bool,
}

impl Mended {
    /// A change without a loss.
    fn new(bytes: Vec<u8>, done: impl Into<String>) -> Self {
        Mended { bytes, done: done.into(), given_up: None, drops: false }
    }

    fn giving_up(self, given_up: impl Into<String>) -> Self {
        Mended { given_up: Some(given_up.into()), ..self }
    }

    /// Gives up what is in the file, beyond its last partial item.
    fn dropping(self, given_up: impl Into<String>) -> Self {
        Mended { drops: true, ..self.giving_up(given_up) }
    }

    /// Drops items of an array, and the bytes that the file has of the first of them.
    fn giving_up_items(self, lost: u64, all: u64, bytes_of_one: u64) -> Self {
        let part = match bytes_of_one {
            0 => String::new(),
            some => format!(", {} of one among them", count_of_bytes(some)),
        };
        self.giving_up(format!("{} of {all}, which the file does not have as a whole{part}", counted(lost, "item")))
    }

    /// Cuts the bytes of a file from an offset on. They are a partial item, if they are fewer than `item`.
    fn cut(bytes: &[u8], at: u64, item: u64, what: &str) -> Option<Self> {
        let kept = bytes.get(..usize::try_from(at).ok()?)?;
        let lost = (bytes.len() - kept.len()) as u64;
        let mended = Mended::new(kept.to_vec(), format!("{what} is cut"));
        Some(Mended { drops: lost >= item, ..mended.giving_up(count_of_bytes(lost)) })
    }
}

/// The ways to mend files of each format.
static MENDS: [(Format, &[Mend]); 4] = [
    (Format::Idx, idx::MENDS),
    (Format::Npy, npy::MENDS),
    (Format::RawArray, rawarray::MENDS),
    (Format::Idv, idv::MENDS),
];

/// The way in which a violation of a rule is mended, for the page of the rule; `None` if none is.
pub fn mended_by(rule: &Rule) -> Option<&'static str> {
    let mends = MENDS.iter().flat_map(|(_, mends)| mends.iter()).map(|mend| (mend.rule, mend.doc));
    let others = [gzip::DOCS, b2nd::DOCS, zip::DOCS].concat();
    mends.chain(others).find_map(|(known, doc)| (known == rule).then_some(doc))
}

/// Returns whether the violation that a finding is about may be mended. Only [`repair`] tells: some violations leave too little.
fn may_be_mended(finding: &Finding) -> bool {
    let is_mended = match finding.rule {
        rule if rule == &UNKNOWN_FORMAT || rule == &MISNAMED => gzip::is_packed_twice(finding),
        rule => mended_by(rule).is_some() && b2nd::is_around_the_chunks(finding),
    };
    finding.member.is_none() && is_mended
}

/// Repairs the bytes of a file, as far as its errors can be mended.
///
/// # Errors
/// [`Error::Limit`] if the copies take more than [`Limits::memory`]; [`Error::Time`].
pub fn repair<'b>(bytes: &'b [u8], options: &Options) -> Result<Repair<'b>> {
    let options = &options.limits(options.limits.started());
    let checker = Checker::new().limits(options.limits);
    let report = checker.check_slice(bytes)?;
    let mut repair = Repair { steps: Vec::new(), refused: None, report, bytes: Cow::Borrowed(bytes) };
    while repair.steps.len() < MOST_STEPS {
        options.limits.ensure_time()?;
        let Some((rule, attempt)) = next_step(&repair.report, &repair.bytes, options)? else { break };
        let mended = match attempt {
            Attempt::Mended(mended) if options.drops || !mended.drops => mended,
            refused => {
                repair.refused = Some(refusal(rule, refused));
                break;
            }
        };
        // A change that changes nothing would be made forever.
        if mended.bytes == *repair.bytes {
            break;
        }
        repair.report = checker.check_slice(&mended.bytes)?;
        repair.bytes = Cow::Owned(mended.bytes);
        repair.steps.push(Step { rule, done: mended.done, given_up: mended.given_up });
    }
    Ok(repair)
}

fn refusal(rule: &'static Rule, attempt: Attempt) -> Refusal {
    match attempt {
        Attempt::Refused(reason) => Refusal { rule, reason, drops: false },
        Attempt::Mended(mended) => {
            let lost = mended.given_up.unwrap_or_default();
            Refusal { rule, reason: format!("{}, which drops {lost}", mended.done), drops: true }
        }
    }
}

/// The first error of a report that can be mended, and the file without it.
fn next_step(report: &Report, bytes: &[u8], options: &Options) -> Result<Tried> {
    let wants_swap = |finding: &&Finding| idx::is_swapped(finding) && options.byte_order == Some(Endian::Little);
    let is_concerned = |finding: &&Finding| finding.severity == Severity::Error || wants_swap(finding);
    let mut errors = report.findings().iter().filter(is_concerned).peekable();
    let Some(&first) = errors.peek() else { return Ok(None) };
    ensure_room(bytes.len(), options.limits)?;
    if let Some(undone) = transport::undone(bytes, options)? {
        return Ok(Some((first.rule, undone.into())));
    }
    if is_gzip(bytes) {
        return gzip::next_step(bytes, options);
    }
    if is_zip(bytes) {
        return zip::next_step(report, bytes, options);
    }
    let format = format::detect(bytes, bytes.len() as u64);
    if format == Some(Format::B2nd) {
        return b2nd::next_step(report, bytes, options);
    }
    let Some((_, mends)) = MENDS.iter().find(|(known, _)| Some(*known) == format) else { return Ok(None) };
    let step = |finding: &Finding| {
        let mend = mends.iter().find(|mend| mend.rule == finding.rule)?;
        Some((finding.rule, (mend.mend)(finding, bytes)?))
    };
    Ok(errors.find_map(step))
}

/// The file is copied at most twice at a time.
fn ensure_room(length: usize, limits: Limits) -> Result<()> {
    let needed = 2 * length as u64;
    if needed > limits.memory {
        return Err(Error::Limit { what: "a repaired copy", needed, left: limits.memory });
    }
    Ok(())
}
