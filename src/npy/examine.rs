//! Reads and checks a file.

use super::header::parsed;
use super::judge::{Array, Judged, Several, judge_end, judge_header};
use super::rules;
use super::several;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::general::{LIMIT_EXCEEDED, UNKNOWN_FORMAT};
use crate::findings::rule::Depth;
use crate::format::foreign;
use crate::types::dtype::{Dtype, ElementKind};
use crate::types::item_type::ItemType;
use binrw::args;
use everybyte::{Endian, ParseError, error::Problem, read};
use ndbytes_schemas::npy::Npy;

/// The number of booleans that are checked at once.
const PIECE: u64 = 1 << 20;

/// A file that was read and checked.
#[derive(Debug)]
pub(crate) struct Examined<'a> {
    pub input: Input<'a>,
    /// The header, if it could be read.
    pub header: Option<Npy>,
    /// The array, if the header describes a readable one.
    pub array: Option<Array>,
    /// The number of arrays in the file, if there are several.
    pub several: Option<Several>,
    pub findings: Vec<Finding>,
}

/// Reads and checks a file. At depth `Structure`, only the header is read.
pub(crate) fn examine(input: Input<'_>, depth: Depth) -> Result<Examined<'_>> {
    let mut header = match input.parse(|source| read::<Npy>(source, Endian::Little, args! { elements: u64::MAX }))? {
        Ok(header) => header,
        Err(error) => {
            let findings = vec![unreadable(&error, input.head())];
            return Ok(Examined { input, header: None, array: None, several: None, findings });
        }
    };
    if let Err(error) = input.budget().take(parsed(&header), "the types in the header") {
        let findings = vec![Finding::limit(&error)];
        return Ok(Examined { input, header: Some(header), array: None, several: None, findings });
    }
    let Judged { array, mut findings } = judge_header(&header);
    // If the header does not determine the length of the items, everything after it is treated as items.
    let length = array.as_ref().map_or(header.payload.present, Array::length);
    header.payload.set_length(length, &mut header.trailing);
    let Some(array) = array else {
        return Ok(Examined { input, header: Some(header), array: None, several: None, findings });
    };
    let several = several(&input, &header)?;
    judge_end(&header, &array, several, &mut findings);
    if let Some(last) = findings.last_mut().filter(|finding| finding.is_error() && array.count > 0)
        && begins(&input, header.payload.offset)?
    {
        last.help = Some(
            "a file of its own begins where the items should: the header before it is that of another file".into(),
        );
    }
    if depth == Depth::Payload && is_bool(&array.item_type) {
        findings.extend(judge_bools(&input, &header)?);
    }
    let array = (!header.payload.is_truncated()).then_some(array);
    Ok(Examined { input, header: Some(header), array, several, findings })
}

/// Returns the number of arrays if another one begins where the first one ends.
fn several(input: &Input<'_>, header: &Npy) -> Result<Option<Several>> {
    let is_another = header.trailing.length > 0 && begins(input, header.trailing.offset)?;
    is_another.then(|| several::count(input, header.trailing.offset)).transpose()
}

/// Returns whether a `.npy` file begins at an offset.
fn begins(input: &Input<'_>, offset: u64) -> Result<bool> {
    let mut found = [0; Npy::MAGIC.len()];
    if input.length().saturating_sub(offset) < found.len() as u64 {
        return Ok(false);
    }
    input.read_at(&mut found, offset)?;
    Ok(found == Npy::MAGIC)
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
            Finding::unreadable(&rules::BAD_MAGIC, error, format!("the file ends inside the magic: {problem}"))
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

/// Returns the finding about the first invalid boolean.
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
