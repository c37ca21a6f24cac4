//! The content of a gzip file, as an input of its own.

use super::inflate::{Inflater, Members, Outcome};
use super::rules;
use crate::bytes::input::{HEAD, Input};
use crate::bytes::limits::Limits;
use crate::bytes::memory::{self, AlignedBytes};
use crate::error::{Error, Result};
use crate::findings::collect::admit;
use crate::findings::finding::Finding;
use crate::findings::general::UNKNOWN_FORMAT;
use crate::findings::rule::{Depth, Rule};
use crate::findings::words::bytes;
use crate::format::is_gzip;
use crate::options::Settings;
use everybyte::Source;
use ndbytes_codecs::deflate::most_inflated;
use ndbytes_schemas::gzip::Header;

/// The content of a gzip file, by its first bytes.
pub(crate) enum Inside {
    /// It is not wanted, and no more of it is inflated.
    Unwanted,
    /// All of it is wanted, within the limits.
    Whole,
    /// It is wanted as far as its header promises bytes: what is inflated is bounded by that.
    Promised(Promise),
}

/// The length that a header promises, and the rules that another length breaks.
pub(crate) struct Promise {
    pub length: u64,
    /// The rule of content that is too long.
    pub excess: &'static Rule,
    /// The rule of content that is too short. Who tolerates that tolerates a gzip file that ends early.
    pub short: &'static Rule,
}

/// A gzip file, unpacked.
pub(crate) struct Unpacked {
    /// The content, as far as it was inflated.
    pub content: Input<'static>,
    /// The members that were inflated to their end.
    pub members: Members,
    /// The findings about gzip, and about the length of the content.
    pub findings: Vec<Finding>,
    /// The first of the errors that the settings do not ignore.
    pub error: Option<Finding>,
    /// True if nothing of the content is missing, as far as the settings demand it.
    pub is_whole: bool,
}

/// A function that judges the first bytes of the content. They are of unknown length, which counts as the largest one, unless
/// they are all.
pub(crate) type Judge<'j> = &'j dyn Fn(Source<'_>) -> Inside;

/// Returns whether an input is a gzip file that has to be unpacked: not one that was in another one.
pub(crate) fn is_packed(input: &Input<'_>) -> bool {
    is_gzip(input.head()) && !input.is_unpacked()
}

/// Asks about the first bytes of the content of a gzip file, out of the first bytes of the file. They are of unknown length, which
/// counts as the largest one, unless they are all.
pub(crate) fn with_first_bytes<T>(input: &Input<'_>, ask: impl FnOnce(Source<'_>) -> Option<T>) -> Option<T> {
    let (content, _) = first_bytes(input).ok()?;
    ask(content.source())
}

/// The first bytes of the content, out of the first bytes of the file, and the members that end in those.
fn first_bytes(input: &Input<'_>) -> Result<(Content, Members)> {
    // As much of a slice or a stream as of a file, so that all three are judged alike.
    let head = &input.head()[..input.head().len().min(HEAD)];
    let first = Input::from_slice(head, Limits::default());
    let mut inflater = Inflater::new(&first);
    let content = Content::first(&mut inflater)?;
    let is_whole = content.is_whole && head.len() as u64 == input.length();
    Ok((Content { is_whole, ..content }, inflater.finish().members))
}

/// The input itself or, if it is a gzip file, its content, which holds the findings about gzip.
///
/// # Errors
/// [`Error::Invalid`] if the settings do not tolerate what is wrong, [`Error::Limit`], [`Error::Io`].
pub(crate) fn opened<'i>(input: Input<'i>, settings: &Settings, judge: Judge<'_>) -> Result<Input<'i>> {
    if !is_packed(&input) {
        return Ok(input);
    }
    if settings.is_raw {
        let message = "this is gzip-compressed data, but the array itself was demanded";
        let finding = Finding::new(&UNKNOWN_FORMAT, "", 0..Header::MAGIC.len() as u64, message);
        return Err(finding.help("decompress it first: gzip -d").into());
    }
    unpack(input, settings, Depth::Payload, judge)?.readable()
}

/// Splits the findings about an opened input into the errors that are tolerated, and the warnings. Those about the gzip file
/// whose content it is come first: they were skipped before.
///
/// # Errors
/// The first error that is not tolerated.
pub(crate) fn admit_opened(
    input: &mut Input<'_>,
    findings: Vec<Finding>,
    is_passed_over: impl Fn(&Finding) -> bool,
) -> Result<(Vec<Finding>, Vec<Finding>), Box<Finding>> {
    let Some(around) = input.take_around() else { return admit(findings, is_passed_over) };
    let (mut passed_over, mut warnings) = admit(around, |_| true)?;
    let own = admit(findings.into_iter().map(Finding::inside_gzip).collect(), is_passed_over)?;
    passed_over.extend(own.0);
    warnings.extend(own.1);
    Ok((passed_over, warnings))
}

/// The content of gzip bytes in memory, if it has at most `most` bytes.
///
/// # Errors
/// [`Error::Invalid`] if they break a rule of gzip, or have more content. [`Error::Limit`].
pub fn gunzip(bytes: &[u8], most: u64, limits: Limits) -> Result<Vec<u8>> {
    let input = Input::from_slice(bytes, limits);
    let mut inflater = Inflater::new(&input);
    let (mut content, mut length) = (Vec::<u8>::new(), 0);
    loop {
        // Some times as much: a stream of few bytes makes no buffer of many.
        let wanted = (content.len().max(bytes.len()) as u64).saturating_mul(4).max(most_inflated(64));
        let wanted = wanted.min(most.saturating_add(1));
        let (what, needed) = ("the content of a gzip stream", wanted - length as u64);
        input.budget().take(needed, what)?;
        let mut longer = memory::zeros(wanted as usize).ok_or(Error::Limit { what, needed, left: 0 })?;
        longer[..length].copy_from_slice(&content[..length]);
        content = longer;
        let filled = inflater.fill(&mut content[length..])?;
        length += filled;
        if length as u64 > most {
            let message = format!("the gzip stream has more than {most} bytes of content");
            return Err(Finding::new(&rules::CORRUPT_STREAM, "", 0..bytes.len() as u64, message).into());
        }
        if (filled as u64) < needed {
            break;
        }
    }
    content.truncate(length);
    match inflater.finish().failure {
        Some(failure) => Err(failure.into()),
        None => Ok(content),
    }
}

/// Unpacks a gzip file. At depth `Structure`, content that promises a length is inflated as far as its header may reach.
///
/// # Errors
/// [`Error::Limit`], [`Error::Io`].
pub(crate) fn unpack(input: Input<'_>, settings: &Settings, depth: Depth, judge: Judge<'_>) -> Result<Unpacked> {
    if depth == Depth::Structure
        && let Some((head, length)) = promised_head(&input, judge)?
    {
        let findings = vec![compressed(&input)];
        let content = input.replaced(head).promising(length);
        return Ok(Unpacked { content, members: Members::default(), findings, error: None, is_whole: true });
    }
    let mut inflater = Inflater::new(&input);
    let mut content = Content::first(&mut inflater)?;
    let inside = judge(content.source());
    let mut findings = Vec::new();
    let limit = match &inside {
        Inside::Unwanted => None,
        Inside::Whole => content.inflate_all(&input, &mut inflater)?.err(),
        Inside::Promised(promise) => content.inflate(promise.length, &input, &mut inflater)?.err(),
    };
    let excess = match (&inside, &limit) {
        (Inside::Promised(promise), None) => content.excess(promise, &mut inflater, settings)?,
        _ => None,
    };
    let Outcome { members, warnings, failure } = inflater.finish();
    let is_tolerated = |rule: &Rule| {
        let is_short = matches!(&inside, Inside::Promised(promise) if settings.tolerates(promise.short));
        (rule.is_tolerable() && settings.tolerates(rule)) || (is_short && rule == &rules::TRUNCATED)
    };
    let is_refused = |finding: &&Finding| finding.is_error() && !is_tolerated(finding.rule);
    let is_whole = limit.is_none() && failure.as_ref().is_none_or(|failure| is_tolerated(failure.rule));
    if !matches!(inside, Inside::Unwanted) {
        findings.push(compressed(&input));
    }
    findings.extend(limit.into_iter().chain(excess).chain(warnings).chain(failure));
    let error = findings.iter().find(is_refused).cloned();
    Ok(Unpacked { content: input.replaced(content.bytes), members, findings, error, is_whole })
}

impl Unpacked {
    /// The content, with the findings about the gzip file.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the first error that the settings do not ignore.
    pub fn readable(self) -> Result<Input<'static>> {
        match self.error {
            Some(error) => Err(error.into()),
            None => Ok(self.content.unpacked(self.findings)),
        }
    }
}

/// The first bytes of content whose length their header promises, out of the first bytes of the file. `None` if there
/// is no such promise, or if they are all of it.
fn promised_head(input: &Input<'_>, judge: Judge<'_>) -> Result<Option<(AlignedBytes, u64)>> {
    if input.length() <= HEAD as u64 {
        return Ok(None);
    }
    let (content, members) = first_bytes(input)?;
    let Inside::Promised(promise) = judge(content.source()) else { return Ok(None) };
    let mut head = content.bytes;
    head.shorten(usize::try_from(promise.length).unwrap_or(usize::MAX));
    Ok((members.count == 0).then_some((head, promise.length)))
}

fn compressed(input: &Input<'_>) -> Finding {
    Finding::new(&rules::COMPRESSED, "", 0..input.length(), "the file is inside gzip")
}

/// Content in the making.
struct Content {
    bytes: AlignedBytes,
    /// The bytes that were debited.
    debited: u64,
    /// True if there is no more.
    is_whole: bool,
}

/// The description of its memory in errors.
const WHAT: &str = "the content of a gzip file";

impl Content {
    /// The first bytes.
    fn first(inflater: &mut Inflater<'_>) -> Result<Self> {
        let mut head = [0; HEAD];
        let filled = inflater.fill(&mut head)?;
        Ok(Content { bytes: AlignedBytes::copy_of(&head[..filled])?, debited: 0, is_whole: filled < HEAD })
    }

    fn length(&self) -> u64 {
        self.bytes.as_slice().len() as u64
    }

    fn source(&self) -> Source<'_> {
        let length = if self.is_whole { self.length() } else { u64::MAX };
        Source::prefix(self.bytes.as_slice(), length)
    }

    /// Inflates everything. The content doubles as long as there is more, so that compressed bytes that break take little memory.
    fn inflate_all(&mut self, input: &Input<'_>, inflater: &mut Inflater<'_>) -> Result<Result<(), Finding>> {
        loop {
            let wanted = if self.is_whole { self.length() } else { self.length().saturating_mul(2) };
            if let Err(finding) = self.inflate(wanted, input, inflater)? {
                return Ok(Err(finding));
            }
            if self.is_whole {
                return Ok(Ok(()));
            }
            self.is_whole = self.length() < wanted;
        }
    }

    /// Inflates up to a length. What the compressed bytes cannot become is not allocated.
    fn inflate(&mut self, length: u64, input: &Input<'_>, inflater: &mut Inflater<'_>) -> Result<Result<(), Finding>> {
        let at_hand = self.length();
        let possible = at_hand.saturating_add(most_inflated(inflater.left())).saturating_add(1 << 16);
        let wanted = length.min(possible).max(at_hand);
        let refused = |error: Error| Ok(Err(Finding::limit(&error).inside_gzip()));
        if let Err(error) = input.budget().take(wanted - self.debited, WHAT) {
            return refused(error);
        }
        self.debited = wanted;
        if wanted == at_hand {
            return Ok(Ok(()));
        }
        if !usize::try_from(wanted).is_ok_and(|wanted| self.bytes.resize(wanted)) {
            return refused(Error::Limit { what: WHAT, needed: wanted, left: 0 });
        }
        let start = at_hand as usize;
        let filled = start + inflater.fill(&mut self.bytes.as_mut_slice()[start..])?;
        self.bytes.shorten(filled);
        input.budget().give_back(wanted - filled as u64);
        self.debited = filled as u64;
        Ok(Ok(()))
    }

    /// The finding that the content goes on after what was promised. Where that is tolerated, the rest is inflated, too, and
    /// counted.
    fn excess(
        &mut self,
        promise: &Promise,
        inflater: &mut Inflater<'_>,
        settings: &Settings,
    ) -> Result<Option<Finding>> {
        let mut beyond = inflater.fill(&mut [0])? as u64;
        if beyond == 0 {
            return Ok(None);
        }
        let kept = self.length().min(promise.length);
        beyond += self.length() - kept;
        let mut message = "the content goes on after the payload".to_owned();
        if settings.tolerates(promise.excess) {
            beyond += inflater.drain()?;
            message = format!("the content goes on for {} after the payload", bytes(beyond));
        }
        self.bytes.shorten(kept as usize);
        Ok(Some(Finding::new(promise.excess, "", kept..kept + beyond, message).inside_gzip()))
    }
}
