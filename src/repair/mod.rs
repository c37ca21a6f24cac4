//! Makes repaired copies of broken files. Each repaired error is a step, which states what it drops.
//!
//! ```
//! // Two images of 2 × 3. The second one is incomplete.
//! let file = [0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8];
//! let repair = ndbytes::repair::repair(&file, &Default::default())?;
//! assert!(repair.is_sound());
//! assert_eq!(repair.steps[0].rule.id, "idx/truncated-payload");
//! assert_eq!(repair.steps[0].done, "the first dimension is 1 instead of 2");
//! assert_eq!(ndbytes::idx::from_slice(repair.bytes())?.shape(), [1, 2, 3]);
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! Nothing is invented: all values in a repaired copy come from the file. Everything that could be read before the repair has the
//! same values afterwards. Bytes of the file, beyond a partial last item, are dropped only with [`Options::dropping`]. If the
//! content of a file was altered in transit, it is restored exactly or not at all.

mod b2nd;
mod gguf;
mod gzip;
mod idv;
mod idx;
mod npy;
mod rawarray;
mod safetensors;
mod tensors;
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

/// The minimum item size for which appended bytes are unlikely to form whole items by accident. Smaller items may be a whole number
/// of words.
const TELLING: u64 = 9;

/// The maximum number of steps for one file. Each step repairs an error, and may reveal the next one.
const MOST_STEPS: usize = 16;

/// A change that repaired an error.
///
/// ```
/// use ndbytes::repair::{Options, repair};
///
/// let file = [0, 0, 8, 1, 0, 0, 0, 2, 7, 8, 9]; // 2 bytes are announced
/// let repair = repair(&file, &Options::new().dropping(true))?;
/// let step = &repair.steps[0];
/// assert_eq!((step.rule.id, step.given_up.as_deref()), ("idx/trailing-bytes", Some("1 byte")));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The broken rule.
    pub rule: &'static Rule,
    /// A description of the change.
    pub done: String,
    /// A description of the lost data; `None` if nothing was lost.
    pub given_up: Option<String>,
}

/// A step that was not taken.
///
/// ```
/// use ndbytes::repair::{Options, repair};
///
/// let file = [0, 0, 8, 1, 0, 0, 0, 2, 7, 8, 9]; // 2 bytes are announced
/// let refusal = repair(&file, &Options::new())?.refused.unwrap();
/// assert_eq!((refusal.rule.id, refusal.drops), ("idx/trailing-bytes", true));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The broken rule.
    pub rule: &'static Rule,
    /// The reason why it was not taken.
    pub reason: String,
    /// True if [`Options::dropping`] allows the step.
    pub drops: bool,
}

/// The outcome of [`repair`].
///
/// ```
/// use ndbytes::repair::{Options, repair};
///
/// let file = std::fs::read("samples/interrupted-idx3-ubyte").unwrap();
/// let repair = repair(&file, &Options::new())?;
/// if repair.is_sound() {
///     assert_eq!(ndbytes::idx::from_slice(repair.bytes())?.shape(), [3, 28, 28]); // 3 of 10 images are whole
/// }
/// assert_eq!((repair.steps.len(), repair.refused), (1, None));
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// A repair may stop halfway. In that case, some steps were taken, `refused` states why the next one was not taken, and the report
/// lists the remaining findings.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Repair<'b> {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The step that was not taken, if any.
    pub refused: Option<Refusal>,
    /// The report on the file after these steps.
    pub report: Report,
    bytes: Cow<'b, [u8]>,
}

impl Repair<'_> {
    /// Returns whether there are no errors left.
    pub fn is_sound(&self) -> bool {
        self.report.verdict() < Verdict::Error
    }

    /// The file after all steps.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The options of a repair.
///
/// ```
/// use ndbytes::Limits;
/// use ndbytes::repair::{Options, repair};
///
/// let file = [0, 0, 8, 1, 0, 0, 0, 2, 7, 8, 9]; // 2 bytes are announced
/// let options = Options::new().dropping(true).limits(Limits::default().memory(1 << 20));
/// assert!(repair(&file, &options)?.is_sound());
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    pub(crate) byte_order: Option<Endian>,
    pub(crate) drops: bool,
    pub(crate) limits: Limits,
}

impl Options {
    /// Creates the default options: elements keep their byte order, and the default limits apply.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets the actual byte order of elements that look swapped. In the repaired copy, they have the byte order of the format.
    /// Without this option, such elements are not changed.
    #[must_use]
    pub fn byte_order(self, order: Endian) -> Self {
        Options { byte_order: Some(order), ..self }
    }

    /// Sets whether data in the file may be dropped. By default, only a partial last item may be dropped.
    ///
    /// ```
    /// use ndbytes::repair::{Options, repair};
    ///
    /// let file = [0, 0, 8, 1, 0, 0, 0, 2, 7, 8, 9];
    /// let refused = repair(&file, &Options::new())?.refused.unwrap();
    /// assert_eq!(refused.reason, "what follows the payload is removed, which drops 1 byte");
    /// assert_eq!(repair(&file, &Options::new().dropping(true))?.bytes(), &file[..10]);
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    #[must_use]
    pub fn dropping(self, allowed: bool) -> Self {
        Options { drops: allowed, ..self }
    }

    /// Sets the limits for each file. The copies count as memory.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }
}

/// A way to repair the violations of a rule.
pub(crate) struct Mend {
    pub rule: &'static Rule,
    /// The change and its cost, for the page of the rule.
    pub doc: &'static str,
    /// Repairs a violation in the bytes of a file, or returns `None` if the violation cannot be repaired.
    mend: fn(&Finding, &[u8]) -> Option<Attempt>,
}

/// The outcome of an attempt to repair a violation.
enum Attempt {
    Mended(Mended),
    /// The change is not made, because the bytes do not prove that it is correct. Contains the reason.
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

/// An attempt, and the rule whose violation it should repair.
type Tried = Option<(&'static Rule, Attempt)>;

/// A file after a step.
struct Mended {
    bytes: Vec<u8>,
    done: String,
    given_up: Option<String>,
    /// True if the step drops data in the file, beyond a partial last item.
    drops: bool,
}

impl Mended {
    /// Creates the result of a step that loses nothing.
    fn new(bytes: Vec<u8>, done: impl Into<String>) -> Self {
        Mended { bytes, done: done.into(), given_up: None, drops: false }
    }

    fn giving_up(self, given_up: impl Into<String>) -> Self {
        Mended { given_up: Some(given_up.into()), ..self }
    }

    /// Records that the step drops data in the file, beyond a partial last item.
    fn dropping(self, given_up: impl Into<String>) -> Self {
        Mended { drops: true, ..self.giving_up(given_up) }
    }

    /// Records that the step drops items of an array, including any bytes in the file that belong to the first of them.
    fn giving_up_items(self, lost: u64, all: u64, bytes_of_one: u64) -> Self {
        let part = match bytes_of_one {
            0 => String::new(),
            some => format!(", {} of one among them", count_of_bytes(some)),
        };
        self.giving_up(format!("{} of {all}, which the file does not have completely{part}", counted(lost, "item")))
    }

    /// Cuts off the bytes of a file from an offset on. If there are fewer than `item`, they are a partial item.
    fn cut(bytes: &[u8], at: u64, item: u64, what: &str) -> Option<Self> {
        let kept = bytes.get(..usize::try_from(at).ok()?)?;
        let lost = (bytes.len() - kept.len()) as u64;
        let mended = Mended::new(kept.to_vec(), format!("{what} is removed"));
        Some(Mended { drops: lost >= item, ..mended.giving_up(count_of_bytes(lost)) })
    }
}

/// The ways to repair files in each format.
static MENDS: [(Format, &[Mend]); 6] = [
    (Format::Idx, idx::MENDS),
    (Format::Npy, npy::MENDS),
    (Format::RawArray, rawarray::MENDS),
    (Format::Idv, idv::MENDS),
    (Format::Safetensors, safetensors::MENDS),
    (Format::Gguf, gguf::MENDS),
];

/// Returns how a violation of a rule is repaired, for the page of the rule; `None` if it cannot be repaired.
pub fn mended_by(rule: &Rule) -> Option<&'static str> {
    let mends = MENDS.iter().flat_map(|(_, mends)| mends.iter()).map(|mend| (mend.rule, mend.doc));
    let others = [gzip::DOCS, b2nd::DOCS, zip::DOCS].concat();
    mends.chain(others).find_map(|(known, doc)| (known == rule).then_some(doc))
}

/// Returns whether the violation that a finding reports may be repairable. Only [`repair`] can decide this, because some violations
/// leave too little data.
fn may_be_mended(finding: &Finding) -> bool {
    let is_mended = match finding.rule {
        rule if rule == &UNKNOWN_FORMAT || rule == &MISNAMED => gzip::is_packed_twice(finding),
        rule => mended_by(rule).is_some() && b2nd::is_around_the_chunks(finding),
    };
    finding.member.is_none() && is_mended
}

/// Repairs a file, one error after another, until an error cannot be repaired.
///
/// Each step follows from a new check of the file, because a repaired header may reveal the next error, or show that there is none.
/// A step that would drop data is taken only if the options allow it. Otherwise, it ends the repair.
///
/// # Errors
/// [`Error::Limit`] if the copies exceed [`Limits::memory`]; [`Error::Time`].
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
        // A change without effect would be repeated forever.
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

/// Returns the first error of a report that can be repaired, and the file without that error.
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

/// Checks the memory limit, given that there are at most two copies of the file at a time.
fn ensure_room(length: usize, limits: Limits) -> Result<()> {
    let needed = 2 * length as u64;
    if needed > limits.memory {
        return Err(Error::Limit { what: "a repaired copy", needed, left: limits.memory });
    }
    Ok(())
}
