//! Checks, maps and describes gzip-compressed files.

use super::drivers::inside;
use super::named::Binding;
use crate::bytes::input::Input;
use crate::bytes::limits::{Debit, Limits};
use crate::error::Result;
use crate::findings::collect::refuse_errors;
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::format_driver::{Described, Examined, Question};
use crate::gzip::{self, Unpacked, unpack};
use crate::options::Settings;

/// A function that checks and maps the content.
pub(super) type Answer<'a> = &'a dyn for<'i> Fn(Input<'i>, Question) -> Result<Examined<'i>>;

/// Checks and maps a gzip file and its content.
pub(super) fn answer(
    input: Input<'_>,
    depth: Depth,
    limits: Limits,
    question: Question,
    content: Answer<'_>,
) -> Result<Examined<'static>> {
    let settings = Settings { limits, ..Settings::default() };
    let unpacked = |input, depth| unpack(input, &settings, depth, &|source| inside(source, &settings));
    if !question.map {
        return judged(unpacked(input, depth)?, question, content);
    }
    let debit = Debit::new(input.budget());
    let bytes = &input.owned(0..input.length(), &debit)?[..];
    let again = || Input::from_slice(bytes, limits).clocked_as(&input);
    // A map shows the decompressed content, which a check of the structure does not need.
    let mut whole = unpacked(again(), Depth::Payload)?;
    let members = std::mem::take(&mut whole.members);
    let is_empty = whole.content.length() == 0;
    let mut examined = judged(whole, question, content)?;
    if question.findings && depth == Depth::Structure {
        let question = Question { map: false, ..question };
        examined.findings = judged(unpacked(again(), depth)?, question, content)?.findings;
    }
    let of_content = examined.spaces.take().filter(|_| !is_empty).transpose()?.unwrap_or_default();
    examined.spaces = Some(gzip::spaces(&input, bytes, &members, of_content));
    Ok(examined)
}

/// Maps the content of a gzip file and, if it is complete, checks it. Returns the spaces of the content.
fn judged(unpacked: Unpacked, question: Question, content: Answer<'_>) -> Result<Examined<'static>> {
    let Unpacked { content: input, is_whole, mut findings, .. } = unpacked;
    let input = input.unpacked(Vec::new());
    let binding = Binding::of(&input);
    let examined = content(input, question)?;
    // Otherwise, the missing bytes of a truncated gzip file would be reported again for its content.
    let own = match binding {
        _ if !is_whole => Vec::new(),
        Some(binding) => binding.bind_all(examined.findings),
        None => examined.findings,
    };
    findings.extend(own.into_iter().map(Finding::inside_gzip));
    let findings = if question.findings { findings } else { Vec::new() };
    Ok(Examined { format: examined.format, findings, spaces: examined.spaces, input: None })
}

/// Describes a gzip file by its content. If the header of the content declares its length, nothing after that header is
/// decompressed.
pub(super) fn described(input: Input<'_>, limits: Limits, content: impl FnOnce(Input<'_>) -> Described) -> Described {
    let settings = Settings { limits, ..Settings::default() };
    let size = input.length();
    let mut input = unpack(input, &settings, Depth::Structure, &|source| inside(source, &settings))?.readable()?;
    let around = refuse_errors(input.take_around().unwrap_or_default())?;
    let (mut info, warnings) = content(input)?;
    info.size = size;
    info.details.insert("envelope", "gzip".to_owned());
    Ok((info, around.into_iter().chain(warnings.into_iter().map(Finding::inside_gzip)).collect()))
}
