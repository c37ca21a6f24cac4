//! The content of a gzip file as a separate input.
//!
//! The first bytes of the content determine how much of it is needed ([`Inside`]): nothing, everything, or exactly as much as the
//! header of an array promises. Such a promise bounds the memory before anything large is decompressed. A check of the structure
//! stops after the header. Whatever the header claims, buffers never exceed what the remaining compressed bytes can expand to.
//!
//! Findings about gzip are passed along with the content, which the formats examine without knowing where it came from.

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

/// How much of the content of a gzip file is needed, judging by its first bytes.
pub(crate) enum Inside {
    /// The content is not needed, so no more of it is decompressed.
    Unwanted,
    /// The content is decompressed completely, within the limits.
    Whole,
    /// The content is decompressed up to the length that its header promises.
    Promised(Promise),
}

/// The length that a header promises, and the rules that are violated by a different length.
pub(crate) struct Promise {
    pub length: u64,
    /// The rule for content that is too long.
    pub excess: &'static Rule,
    /// The rule for content that is too short. A caller that tolerates it also tolerates a gzip file that ends early.
    pub short: &'static Rule,
}

/// An unpacked gzip file.
pub(crate) struct Unpacked {
    /// The content, as far as it could be decompressed.
    pub content: Input<'static>,
    /// The members that were decompressed completely.
    pub members: Members,
    /// The findings about gzip and about the length of the content.
    pub findings: Vec<Finding>,
    /// The first error that the settings do not ignore.
    pub error: Option<Finding>,
    /// True if the content is complete, or is not required to be complete.
    pub is_whole: bool,
}

/// A function that examines the first bytes of the content. If there are more, the total length is unknown and treated as
/// unlimited.
pub(crate) type Judge<'j> = &'j dyn Fn(Source<'_>) -> Inside;

/// Returns whether an input is a gzip file that must be unpacked. A gzip file inside another one is not unpacked.
pub(crate) fn is_packed(input: &Input<'_>) -> bool {
    is_gzip(input.head()) && !input.is_unpacked()
}

/// Inspects the first bytes of a gzip file's content, given the first bytes of the file. Unless they are the complete content, its
/// total length is unknown and is treated as unlimited.
pub fn with_first_bytes<T>(input: &Input<'_>, ask: impl FnOnce(Source<'_>) -> Option<T>) -> Option<T> {
    let (content, _) = first_bytes(input).ok()?;
    ask(content.source())
}

/// Decompresses the first bytes of the file. Returns the first bytes of the content and the members that end in them.
fn first_bytes(input: &Input<'_>) -> Result<(Content, Members)> {
    // Uses as much of a slice or a stream as of a file, so that all three are judged alike.
    let head = &input.head()[..input.head().len().min(HEAD)];
    let first = Input::from_slice(head, Limits::default());
    let mut inflater = Inflater::new(&first);
    let content = Content::first(&mut inflater)?;
    let is_whole = content.is_whole && head.len() as u64 == input.length();
    Ok((Content { is_whole, ..content }, inflater.finish().members))
}

/// Returns the input itself or, if it is a gzip file, its content, which carries the findings about gzip.
///
/// # Errors
/// [`Error::Invalid`] if the settings do not tolerate an error; [`Error::Limit`]; [`Error::Io`].
pub(crate) fn opened<'i>(input: Input<'i>, settings: &Settings, judge: Judge<'_>) -> Result<Input<'i>> {
    if !is_packed(&input) {
        return Ok(input);
    }
    if settings.is_raw {
        let message = "this is gzip-compressed data, but uncompressed data is required";
        let finding = Finding::new(&UNKNOWN_FORMAT, "", 0..Header::MAGIC.len() as u64, message);
        return Err(finding.help("decompress it first: gzip -d").into());
    }
    unpack(input, settings, Depth::Payload, judge)?.readable()
}

/// Splits the findings about an opened input into tolerated errors and warnings. Findings about the gzip file that contained it
/// come first, because they were skipped earlier.
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

/// Decompresses gzip data in memory, if the content has at most `most` bytes.
///
/// # Errors
/// [`Error::Invalid`] if it breaks a rule of gzip, or if the content is longer. [`Error::Limit`].
pub fn gunzip(bytes: &[u8], most: u64, limits: Limits) -> Result<Vec<u8>> {
    let input = Input::from_slice(bytes, limits);
    let mut inflater = Inflater::new(&input);
    let (mut content, mut length) = (Vec::<u8>::new(), 0);
    loop {
        // The buffer grows by a small factor in each round, so that a short stream does not get a long buffer.
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
            let message = format!("the gzip stream expands to more than {most} bytes");
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

/// Unpacks a gzip file. At depth `Structure`, content whose header promises a length is decompressed only up to the end of it.
///
/// # Errors
/// [`Error::Limit`]; [`Error::Io`].
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

/// Decompresses the first bytes of the file and returns the first bytes of the content if their header promises its length. `None`
/// if there is no such promise, or if these bytes are the complete content.
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

/// Returns the finding for a format whose reference reader does not decompress gzip.
fn compressed(input: &Input<'_>) -> Finding {
    Finding::new(&rules::COMPRESSED, "", 0..input.length(), "the file is inside gzip")
}

/// Content that is being decompressed.
struct Content {
    bytes: AlignedBytes,
    /// The number of bytes charged.
    debited: u64,
    /// True if there is no more content.
    is_whole: bool,
}

/// What errors call the memory for the content.
const WHAT: &str = "the content of a gzip file";

impl Content {
    /// The first bytes.
    fn first(inflater: &mut Inflater<'_>) -> Result<Self> {
        let mut head = [0; HEAD];
        let filled = inflater.fill(&mut head)?;
        Ok(Content { bytes: AlignedBytes::copy_of(&head[..filled])?, debited: 0, is_whole: filled < HEAD })
    }

    /// The number of decompressed bytes.
    fn length(&self) -> u64 {
        self.bytes.as_slice().len() as u64
    }

    /// A source for the decompressed bytes. Its length is unknown until everything is decompressed.
    fn source(&self) -> Source<'_> {
        let length = if self.is_whole { self.length() } else { u64::MAX };
        Source::prefix(self.bytes.as_slice(), length)
    }

    /// Decompresses everything. The buffer doubles while there is more content, so broken data takes little memory.
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

    /// Decompresses up to a length, without allocating more than the compressed bytes can expand to.
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

    /// The finding for content that is longer than promised. If that is tolerated, the rest is also decompressed and counted.
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
        let mut message = "the content has bytes after the payload".to_owned();
        if settings.tolerates(promise.excess) {
            beyond += inflater.drain()?;
            message = format!("the content has {} after the payload", bytes(beyond));
        }
        self.bytes.shorten(kept as usize);
        Ok(Some(Finding::new(promise.excess, "", kept..kept + beyond, message).inside_gzip()))
    }
}
