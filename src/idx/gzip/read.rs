//! Reading and judging an array inside gzip. Its header promises a length, which bounds what is inflated.

use crate::bytes::input::{HEAD, Input};
use crate::bytes::limits::Limits;
use crate::bytes::memory::AlignedBytes;
use crate::envelope::gzip::{Inflater, Members, Outcome};
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::general::UNKNOWN_FORMAT;
use crate::findings::rule::Depth;
use crate::format::{self, Format, foreign};
use crate::idx::content::{Examined, judge_payload, judge_with};
use crate::idx::rules;
use crate::idx::tolerance::is_passed_over;
use crate::options::Settings;
use everybyte::Source;
use ndbytes_codecs::deflate::most_inflated;
use ndbytes_schemas::idx::Idx;

/// Reads and judges a gzip file.
pub(crate) fn examine_gzip<'a>(input: Input<'a>, settings: &Settings, depth: Depth) -> Result<Examined<'a>> {
    // As much of a slice or a stream as of a file, so that all three are judged alike.
    let head = &input.head()[..input.head().len().min(HEAD)];
    let whole = head.len() as u64 == input.length();
    if depth == Depth::Structure
        && !whole
        && let Some((header, content, judged)) = judge_head(head, settings)?
    {
        let findings = std::iter::once(inside_gzip(&input)).chain(judged).collect();
        let header = Some(header);
        return Ok(Examined { content: input.replaced(content), header, gzip: Some(Members::default()), findings });
    }
    let mut findings = Vec::new();
    let (mut content, mut inflater) = inflate_header(&input)?;
    let (header, _) = judge_content(Source::prefix(content.as_slice(), u64::MAX), settings);
    let mut beyond = 0;
    if let Some(header) = &header {
        findings.push(inside_gzip(&input));
        match inflate_payload(header, &input, &mut inflater, &mut content)? {
            Ok(excess) => beyond = excess,
            Err(finding) => findings.push(*finding),
        }
        if settings.tolerates(&rules::TRAILING_BYTES) {
            beyond += inflater.drain()?;
        }
    }
    let length = content.as_slice().len() as u64 + beyond;
    let Outcome { members, warnings, failure } = inflater.finish();
    let stands_in_the_way = |finding: &Finding| !is_passed_over(settings, finding.rule);
    let unreadable = findings.iter().any(Finding::is_error) || failure.as_ref().is_some_and(stands_in_the_way);
    findings.extend(warnings);
    findings.extend(failure);
    let stopped = beyond > 0 && !settings.tolerates(&rules::TRAILING_BYTES);
    let source = Source::prefix(content.as_slice(), length);
    let (header, judged) = if unreadable { (header, Vec::new()) } else { judge_content(source, settings) };
    findings.extend(judged.into_iter().map(|finding| {
        let finding = finding.in_space(1);
        match stopped && finding.rule == &rules::TRAILING_BYTES {
            true => {
                Finding { message: "the content goes on after the payload".into(), found: None, help: None, ..finding }
            }
            false => finding,
        }
    }));
    let content = input.replaced(content);
    if let Some(header) = &header {
        judge_payload(header, &content, settings, &mut findings)?;
    }
    Ok(Examined { content, header, gzip: Some(members), findings })
}

/// Reads and judges the header of an array, if the first bytes of the gzip file hold it. Without the payload, only the header
/// can be judged: the content ends where it should, or it does not.
fn judge_head(head: &[u8], settings: &Settings) -> Result<Option<(Idx, AlignedBytes, Vec<Finding>)>> {
    let first = Input::from_slice(head, Limits::default());
    let (content, inflater) = inflate_header(&first)?;
    let (header, findings) = judge_content(Source::prefix(content.as_slice(), u64::MAX), settings);
    let header = header.filter(|_| inflater.finish().members.first.is_empty());
    let about_header =
        |finding: &Finding| finding.rule != &rules::TRUNCATED_PAYLOAD && finding.rule != &rules::TRAILING_BYTES;
    let findings = findings.into_iter().filter(about_header).map(|finding| finding.in_space(1)).collect();
    Ok(header.map(|header| (header, content, findings)))
}

/// Judges the inflated content, which has to be IDX.
fn judge_content(source: Source<'_>, settings: &Settings) -> (Option<Idx>, Vec<Finding>) {
    if format::detect(source.bytes(), source.length()) == Some(Format::Idx) {
        return judge_with(source, settings);
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
fn inflate_header<'i>(input: &'i Input<'i>) -> Result<(AlignedBytes, Inflater<'i>)> {
    let mut inflater = Inflater::new(input);
    let mut header = [0; Idx::LONGEST_HEADER];
    let filled = inflater.fill(&mut header)?;
    Ok((AlignedBytes::copy_of(&header[..filled])?, inflater))
}

/// The rest of what the header promises, and whether a byte follows it. What the compressed bytes cannot become is not
/// allocated.
fn inflate_payload(
    header: &Idx,
    input: &Input<'_>,
    inflater: &mut Inflater<'_>,
    content: &mut AlignedBytes,
) -> Result<Result<u64, Box<Finding>>> {
    let at_hand = content.as_slice().len() as u64;
    let promised = header.payload.offset.saturating_add(header.payload.length);
    if at_hand > promised {
        return Ok(Ok(inflater.fill(&mut [0])? as u64));
    }
    let possible = at_hand.saturating_add(most_inflated(inflater.left())).saturating_add(1 << 16);
    let wanted = promised.min(possible);
    let refused = |error: Error| Ok(Err(Finding::limit(&error).in_space(1).into()));
    let what = "the inflated array";
    if let Err(error) = input.budget().take(wanted - at_hand, what) {
        return refused(error);
    }
    let filled = content.as_slice().len();
    if !usize::try_from(wanted).is_ok_and(|wanted| content.resize(wanted)) {
        return refused(Error::Limit { what, needed: wanted, left: 0 });
    }
    let filled = filled + inflater.fill(&mut content.as_mut_slice()[filled..])?;
    content.shorten(filled);
    Ok(Ok(inflater.fill(&mut [0])? as u64))
}

fn inside_gzip(input: &Input<'_>) -> Finding {
    Finding::new(&rules::GZIP, "", 0..input.length(), "the array is inside gzip")
}
