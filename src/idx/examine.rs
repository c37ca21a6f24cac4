//! Reading and judging the structure of an IDX file, gzip around it included.

use super::Options;
use super::rules::{self, judge, judge_byte_order};
use crate::gzip::{Inflated, Inflater, is_gzip};
use crate::input::{HEAD, Input};
use crate::memory::AlignedBytes;
use crate::rule::UNKNOWN_FORMAT;
use crate::{Depth, Finding, Format, Result, foreign, format};
use ndbytes_schemas::Source;
use ndbytes_schemas::idx::Idx;

/// The longest header: 255 axes.
const LONGEST_HEADER: usize = 4 + 4 * 255;

/// How much of the payload the check of the byte order looks at.
const SAMPLE: u64 = 16 << 10;

/// The most bytes that one compressed byte can become.
const DEFLATE_RATIO: u64 = 1032;

/// A file whose structure was read and judged.
#[derive(Debug)]
pub(crate) struct Examined<'a> {
    /// The array itself: the input, or what it inflated to.
    pub content: Input<'a>,
    /// The header, if all of it could be read.
    pub header: Option<Idx>,
    /// Of a gzip file: the members that were inflated to their end.
    pub gzip: Option<Vec<Inflated>>,
    pub findings: Vec<Finding>,
}

/// Reads and judges a file. At depth `Structure`, no more of it is looked at than holds the header.
pub(crate) fn examine<'a>(input: Input<'a>, options: &Options, depth: Depth) -> Result<Examined<'a>> {
    if !is_gzip(input.head()) {
        let (header, mut findings) = judge_with(input.source(), options);
        if let (Depth::Payload, Some(header)) = (depth, &header) {
            judge_payload(header, &input, options, &mut findings)?;
        }
        return Ok(Examined { content: input, header, gzip: None, findings });
    }
    if options.raw {
        let message = "this is gzip-compressed data where the array itself was demanded";
        let finding = Finding::new(&UNKNOWN_FORMAT, "", 0..2, message).help("decompress it first: gzip -d");
        return Ok(Examined { content: input, header: None, gzip: None, findings: vec![finding] });
    }
    examine_gzip(input, options, depth)
}

/// Judges the header as it is or, where that is tolerated and the only way to read it, with its words reversed.
fn judge_with(source: Source<'_>, options: &Options) -> (Option<Idx>, Vec<Finding>) {
    let judged = judge(source);
    let reversed = judged.1.first().is_some_and(|finding| finding.rule == &rules::LITTLE_ENDIAN_HEADER);
    if !(options.little_endian_header && reversed) {
        return judged;
    }
    let mut bytes = source.bytes().to_vec();
    let words = 1 + usize::from(bytes[0]);
    bytes.as_chunks_mut::<4>().0.iter_mut().take(words).for_each(|word| word.reverse());
    let (header, findings) = judge(Source::prefix(&bytes, source.length()));
    (header, judged.1.into_iter().chain(findings).collect())
}

/// The byte order is not judged where the caller has chosen one, or where the payload is not what it should be.
fn judge_payload(header: &Idx, content: &Input<'_>, options: &Options, findings: &mut Vec<Finding>) -> Result<()> {
    if findings.iter().any(Finding::is_error) || options.little_endian_payload || header.element_type.size() == 1 {
        return Ok(());
    }
    let mut sample = vec![0; header.payload.present.min(SAMPLE) as usize];
    content.read_at(&mut sample, header.payload.offset)?;
    findings.extend(judge_byte_order(header, &sample));
    Ok(())
}

fn examine_gzip<'a>(input: Input<'a>, options: &Options, depth: Depth) -> Result<Examined<'a>> {
    // As much of a slice or a stream as of a file, so that all three are judged alike.
    let head = &input.head()[..input.head().len().min(HEAD)];
    let whole = head.len() as u64 == input.length();
    if depth == Depth::Structure && !whole {
        let (content, inflater) = inflate_header(head);
        let (header, findings) = judge_content(Source::prefix(content.as_slice(), u64::MAX), options);
        if header.is_some() && inflater.members.is_empty() {
            // Without the payload, only the header can be judged: the content ends where it should, or it does not.
            let about_header =
                |finding: &Finding| finding.rule != &rules::TRUNCATED_PAYLOAD && finding.rule != &rules::TRAILING_BYTES;
            let findings = findings.into_iter().filter(about_header).map(|finding| finding.in_space(1));
            let findings = std::iter::once(inside_gzip(&input)).chain(findings).collect();
            return Ok(Examined { content: input.replaced(content), header, gzip: Some(Vec::new()), findings });
        }
    }
    let mut findings = Vec::new();
    let (mut content, mut inflater) = inflate_header(input.bytes()?);
    let (header, _) = judge_content(Source::prefix(content.as_slice(), u64::MAX), options);
    let mut beyond = 0;
    if let Some(header) = &header {
        findings.push(inside_gzip(&input));
        match inflate_payload(header, &input, &mut inflater, &mut content) {
            Ok(excess) => beyond = excess,
            Err(finding) => findings.push(*finding),
        }
        if options.trailing_bytes {
            beyond += inflater.drain();
        }
    }
    let failure = inflater.failure.take();
    let length = content.as_slice().len() as u64 + beyond;
    let (gzip, warnings) = (inflater.members, inflater.warnings);
    let stands_in_the_way = |finding: &Finding| options.tolerates(finding.rule).is_none();
    let unreadable = findings.iter().any(Finding::is_error) || failure.as_ref().is_some_and(stands_in_the_way);
    findings.extend(warnings);
    findings.extend(failure);
    let stopped = beyond > 0 && !options.trailing_bytes;
    let source = Source::prefix(content.as_slice(), length);
    let (header, judged) = if unreadable { (header, Vec::new()) } else { judge_content(source, options) };
    findings.extend(judged.into_iter().map(|finding| {
        let finding = finding.in_space(1);
        match stopped && finding.rule == &rules::TRAILING_BYTES {
            true => Finding { message: "more bytes behind the payload".into(), found: None, help: None, ..finding },
            false => finding,
        }
    }));
    let content = input.replaced(content);
    if let Some(header) = &header {
        judge_payload(header, &content, options, &mut findings)?;
    }
    Ok(Examined { content, header, gzip: Some(gzip), findings })
}

/// What a gzip file inflates to has to be IDX.
fn judge_content(source: Source<'_>, options: &Options) -> (Option<Idx>, Vec<Finding>) {
    if format::detect(source.bytes(), source.length()) == Some(Format::Idx) {
        return judge_with(source, options);
    }
    let finding = match (source.length(), foreign::recognise(source.bytes())) {
        (0, _) => Finding::new(&UNKNOWN_FORMAT, "", 0..0, "the gzip file is empty inside"),
        (_, Some((what, help))) => {
            Finding::new(&UNKNOWN_FORMAT, "", 0..0, format!("the gzip file holds {what}, not IDX")).help(help)
        }
        _ => Finding::new(&UNKNOWN_FORMAT, "", 0..0, "what the gzip file holds is not IDX"),
    };
    (None, vec![finding])
}

/// As much of the content as can be its header.
fn inflate_header(bytes: &[u8]) -> (AlignedBytes, Inflater<'_>) {
    let mut inflater = Inflater::new(bytes);
    let mut content = AlignedBytes::default();
    content.resize(LONGEST_HEADER);
    let filled = inflater.fill(content.as_mut_slice());
    content.resize(filled);
    (content, inflater)
}

/// The rest of what the header promises, and whether a byte follows it. What the compressed bytes cannot become is not
/// allocated.
fn inflate_payload(
    header: &Idx,
    input: &Input<'_>,
    inflater: &mut Inflater<'_>,
    content: &mut AlignedBytes,
) -> Result<u64, Box<Finding>> {
    let at_hand = content.as_slice().len() as u64;
    let promised = header.payload.offset.saturating_add(header.payload.length);
    if at_hand > promised {
        return Ok(inflater.fill(&mut [0]) as u64);
    }
    let possible = at_hand.saturating_add(inflater.left().saturating_mul(DEFLATE_RATIO)).saturating_add(1 << 16);
    let wanted = promised.min(possible);
    let refused = |error: crate::Error| Box::new(Finding::limit(&error).in_space(1));
    input.budget().take(wanted - at_hand, "the inflated array").map_err(refused)?;
    let filled = content.as_slice().len();
    if !usize::try_from(wanted).is_ok_and(|wanted| content.resize(wanted)) {
        return Err(refused(crate::Error::Limit { what: "the inflated array", needed: wanted, left: 0 }));
    }
    let filled = filled + inflater.fill(&mut content.as_mut_slice()[filled..]);
    content.resize(filled);
    Ok(inflater.fill(&mut [0]) as u64)
}

fn inside_gzip(input: &Input<'_>) -> Finding {
    Finding::new(&rules::GZIP, "", 0..input.length(), "the array is inside gzip")
}
