//! Repairs gzip files and their content: everything that can be decompressed is repaired and compressed again.

use super::{Attempt, Mended, Options, Tried, ensure_room};
use crate::any::check::Checker;
use crate::any::drivers::inside;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::general::UNKNOWN_FORMAT;
use crate::findings::rule::Rule;
use crate::findings::words::bytes as count_of_bytes;
use crate::format::foreign::GZIP;
use crate::format::is_gzip;
use crate::gzip::{Inflater, Inside, rules, write_gzip};
use crate::options::Settings;
use everybyte::Source;

const INFLATES: &str = "What inflates is packed anew, with the checksum and the length of what is there. Then it is mended in \
                        its turn.";

const DROPS: &str = "With `--drop`, what inflates is packed anew, with the checksum and the length of what is there. Some of it may be \
                     damaged. Then it is mended in its turn.";

const WHOLE: &str = "the file ends with the length of its content: it was not cut, so that its stream is damaged within, and what \
                     inflates is not proven";

/// The rules whose violations are repaired here, with descriptions of the repairs.
pub(super) const DOCS: &[(&Rule, &str)] = &[
    (&rules::TRUNCATED, INFLATES),
    (&rules::CORRUPT_STREAM, DROPS),
    (&rules::WRONG_CRC, DROPS),
    (&rules::WRONG_LENGTH, INFLATES),
    (&rules::TRAILING_BYTES, DROPS),
    (
        &UNKNOWN_FORMAT,
        "A file that was compressed with gzip twice is decompressed once. Other content is not repaired.",
    ),
];

/// Returns whether the format is unknown because of double compression. Other causes are not repaired.
pub(super) fn is_packed_twice(finding: &Finding) -> bool {
    finding.found.as_deref() == Some(GZIP)
}

/// The number of bytes that are decompressed at once.
const PIECE: usize = 1 << 20;

/// Returns the next step for a gzip file.
pub(super) fn next_step(bytes: &[u8], options: &Options) -> Result<Tried> {
    let (content, failure) = inflated(bytes, options)?;
    if content.is_empty() {
        return Ok(None);
    }
    if let Some(failure) = failure {
        if !DOCS.iter().any(|(rule, _)| *rule == failure.rule) {
            return Ok(None);
        }
        if failure.rule == &rules::TRUNCATED && ends_with_length(bytes, &content) {
            return Ok(Some((failure.rule, Attempt::refused(WHOLE))));
        }
        let done = format!("{} that can be decompressed are compressed again", count_of_bytes(content.len() as u64));
        let mended = Mended::new(packed(&content)?, done);
        let mended = match failure.rule {
            rule if rule == &rules::WRONG_LENGTH => mended,
            rule if rule == &rules::TRUNCATED => mended.giving_up(loss(rule)),
            rule => mended.dropping(loss(rule)),
        };
        return Ok(Some((failure.rule, mended.into())));
    }
    if is_gzip(&content) {
        let done = "the file was compressed twice: it is decompressed once";
        return Ok(Some((&UNKNOWN_FORMAT, Mended::new(content, done).into())));
    }
    let report = Checker::new().limits(options.limits).check_slice(&content)?;
    Ok(match super::next_step(&report, &content, options)? {
        Some((rule, Attempt::Mended(mended))) => {
            Some((rule, Mended { bytes: packed(&mended.bytes)?, ..mended }.into()))
        }
        other => other,
    })
}

/// Returns whether the last bytes of a file state the length that its content promises. If so, its end is not missing.
fn ends_with_length(bytes: &[u8], content: &[u8]) -> bool {
    match (inside(Source::new(content), &Settings::default()), bytes.last_chunk()) {
        (Inside::Promised(promise), Some(last)) => promise.length as u32 == u32::from_le_bytes(*last),
        _ => false,
    }
}

fn loss(rule: &Rule) -> &'static str {
    match rule {
        rule if rule == &rules::TRUNCATED => "the rest of the stream, which is missing",
        rule if rule == &rules::TRAILING_BYTES => "the bytes after the last member",
        rule if rule == &rules::CORRUPT_STREAM => "the rest of the stream, which does not decode",
        _ => "the old checksum, which does not match: some bytes may be damaged",
    }
}

/// Returns everything that can be decompressed, and the finding that ended it early, if any.
fn inflated(bytes: &[u8], options: &Options) -> Result<(Vec<u8>, Option<Finding>)> {
    let input = Input::from_slice(bytes, options.limits);
    let mut inflater = Inflater::new(&input);
    let (mut content, mut piece) = (Vec::new(), vec![0; PIECE]);
    loop {
        let filled = inflater.fill(&mut piece)?;
        content.extend_from_slice(&piece[..filled]);
        ensure_room(content.len() + bytes.len(), options.limits)?;
        if filled == 0 {
            return Ok((content, inflater.finish().failure));
        }
    }
}

fn packed(content: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write_gzip(&mut bytes, content, |_| Ok(()))?;
    Ok(bytes)
}
