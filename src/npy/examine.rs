//! Reading and judging a file.

use super::judge::{Array, Judged, judge_end, judge_header};
use super::rules;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::general::{LIMIT_EXCEEDED, UNKNOWN_FORMAT};
use crate::findings::rule::Depth;
use crate::format::foreign;
use crate::types::dtype::{Dtype, ElementKind};
use crate::types::item_type::ItemType;
use binrw::args;
use everybyte::{Endian, ParseError, Problem, read};
use ndbytes_schemas::npy::Npy;

/// Booleans that are checked in one go.
const PIECE: u64 = 1 << 20;

/// Bytes of a header's text whose literals need not be debited.
const FREE: u64 = 16 << 10;

/// The maximum number of bytes in memory that the literals and types in a text take for each byte of it. A field of
/// five letters has some 500 in memory, while a list of fields grows.
const PARSED: u64 = 160;

/// A file that was read and judged.
#[derive(Debug)]
pub(crate) struct Examined<'a> {
    pub input: Input<'a>,
    /// The header, if it could be read.
    pub header: Option<Npy>,
    /// The array, if the header describes one that can be read.
    pub array: Option<Array>,
    pub findings: Vec<Finding>,
}

/// Reads and judges a file. At depth `Structure`, only the header is read.
pub(crate) fn examine(input: Input<'_>, depth: Depth) -> Result<Examined<'_>> {
    let mut header = match input.parse(|source| read::<Npy>(source, Endian::Little, args! { elements: u64::MAX }))? {
        Ok(header) => header,
        Err(error) => {
            let findings = vec![unreadable(&error, input.head())];
            return Ok(Examined { input, header: None, array: None, findings });
        }
    };
    let parsed = (header.header.text().len() as u64).saturating_sub(FREE) * PARSED;
    if let Err(error) = input.budget().take(parsed, "the types in the header") {
        return Ok(Examined { input, header: Some(header), array: None, findings: vec![Finding::limit(&error)] });
    }
    let Judged { array, mut findings } = judge_header(&header);
    // Where the header does not say how long the items are, all that follows counts as items.
    let length = array.as_ref().map_or(header.payload.present, Array::length);
    header.payload.set_length(length, &mut header.trailing);
    let Some(array) = array else {
        return Ok(Examined { input, header: Some(header), array: None, findings });
    };
    let mut next = [0; Npy::MAGIC.len()];
    let next = &mut next[..header.trailing.length.min(Npy::MAGIC.len() as u64) as usize];
    input.read_at(next, header.trailing.offset)?;
    judge_end(&header, &array, next, &mut findings);
    if depth == Depth::Payload && is_bool(&array.item_type) {
        findings.extend(judge_bools(&input, &header)?);
    }
    let array = (!header.payload.is_truncated()).then_some(array);
    Ok(Examined { input, header: Some(header), array, findings })
}

fn unreadable(error: &ParseError, head: &[u8]) -> Finding {
    let found = &head[..head.len().min(Npy::MAGIC.len())];
    match &error.problem {
        Problem::WrongMagic { .. } => match foreign::recognise(head) {
            Some((what, help)) => {
                Finding::new(&UNKNOWN_FORMAT, "", 0..0, format!("this is {what}, not .npy")).help(help)
            }
            None => Finding::unreadable(&rules::BAD_MAGIC, error, "the file does not begin with NumPy's magic")
                .expected(format!("\"{}\"", Npy::MAGIC.escape_ascii()))
                .found(format!("\"{}\"", found.escape_ascii())),
        },
        Problem::Unavailable => Finding::unreadable(&LIMIT_EXCEEDED, error, "the header is longer than 1 MiB"),
        problem if !Npy::MAGIC.starts_with(found) => {
            Finding::unreadable(&rules::BAD_MAGIC, error, format!("the file is too short for a magic: {problem}"))
        }
        problem => {
            let message = format!("the file ends inside the header: {problem}");
            Finding::unreadable(&rules::TRUNCATED_HEADER, error, message)
        }
    }
}

/// Returns whether the items are booleans.
fn is_bool(item_type: &ItemType) -> bool {
    matches!(item_type, ItemType::Plain(Dtype { kind: ElementKind::Bool, .. }))
}

/// The finding about the first boolean that is none.
fn judge_bools(input: &Input<'_>, header: &Npy) -> Result<Option<Finding>> {
    let range = header.payload.range();
    let mut piece = vec![0; (range.end - range.start).min(PIECE) as usize];
    for start in range.clone().step_by(PIECE as usize) {
        input.budget().ensure_time()?;
        piece.truncate((range.end - start).min(PIECE) as usize);
        input.read_at(&mut piece, start)?;
        if let Some(place) = piece.iter().position(|&byte| byte > 1) {
            let at = start + place as u64;
            let message = format!("item {} is not a boolean", at - range.start);
            let finding = Finding::new(&rules::BOOL_VALUE, "payload", at..at + 1, message);
            return Ok(Some(finding.expected("0 or 1").found(piece[place])));
        }
    }
    Ok(None)
}
