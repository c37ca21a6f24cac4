//! Checking, mapping and describing what is inside gzip.

use super::named::Binding;
use super::rooms::inside;
use crate::bytes::input::Input;
use crate::bytes::limits::{Debit, Limits};
use crate::envelope::gzip::{self, Unpacked, unpack};
use crate::error::Result;
use crate::findings::collect::refuse_errors;
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::options::Settings;
use crate::room::{Described, Examined, Question};

/// A function that judges and maps the content.
pub(super) type Answer<'a> = &'a dyn Fn(Input<'_>, Question) -> Result<Examined>;

/// Judges and maps a gzip file, and its content.
pub(super) fn answer(
    input: Input<'_>,
    depth: Depth,
    limits: Limits,
    question: Question,
    content: Answer<'_>,
) -> Result<Examined> {
    let settings = Settings { limits, ..Settings::default() };
    let unpacked = |input, depth| unpack(input, &settings, depth, &|source| inside(source, &settings));
    if !question.map {
        return judged(unpacked(input, depth)?, question, content);
    }
    let debit = Debit::new(input.budget());
    let bytes = &input.owned(0..input.length(), &debit)?[..];
    let again = || Input::from_slice(bytes, limits).clocked_as(&input);
    // A map shows what the file inflates to, which at the depth of the structure is not looked at.
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

/// Judges the content of a gzip file, if it is whole, and maps it. The spaces are those of the content.
fn judged(unpacked: Unpacked, question: Question, content: Answer<'_>) -> Result<Examined> {
    let Unpacked { content: input, is_whole, mut findings, .. } = unpacked;
    let input = input.unpacked(Vec::new());
    let binding = Binding::of(&input);
    let examined = content(input, question)?;
    // What is missing from a broken file would be missed in its content, too.
    let own = match binding {
        _ if !is_whole => Vec::new(),
        Some(binding) => binding.bind_all(examined.findings),
        None => examined.findings,
    };
    findings.extend(own.into_iter().map(Finding::inside_gzip));
    Ok(Examined { findings: if question.findings { findings } else { Vec::new() }, ..examined })
}

/// Describes a gzip file by what is in it. Content that promises its length is not inflated beyond its header.
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
