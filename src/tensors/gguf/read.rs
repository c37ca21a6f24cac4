//! Reads the header of a GGUF file.

use super::judge::judge;
use super::lenient;
use super::rules;
use crate::bytes::input::Input;
use crate::bytes::limits::{Debit, Limits};
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::tensors::directory::Directory;
use binrw::args;
use everybyte::map::Nodes;
use everybyte::{Endian, ParseError, Source, error::Problem, trace::trace};
use ndbytes_schemas::gguf::{Gguf, Header};

/// The number of bytes that are first searched for the end of a header. Each further attempt doubles this number.
const FIRST_LOOK: u64 = 64 << 10;

/// The maximum number of bytes in a header whose parts need not be debited.
const FREE: u64 = 16 << 10;

/// The maximum number of bytes in memory for the parts of a header, per byte of the header.
const PARSED: u64 = 64;

/// The information in the first bytes: the version, the byte order, and the findings about them.
struct Prefix {
    order: Endian,
    version: u32,
    findings: Vec<Finding>,
}

fn prefix(input: &Input<'_>) -> Result<Prefix> {
    let (mut magic, mut version) = ([0; 4], [0; 4]);
    let there = input.length().min(8);
    input.read_at(&mut magic[..there.min(4) as usize], 0)?;
    input.read_at(&mut version[..there.saturating_sub(4) as usize], there.min(4))?;
    let little = u32::from_le_bytes(version);
    // As in the reference reader, the other byte order is used if the lower half is zero.
    let (order, version) =
        if little & 0xFFFF == 0 { (Endian::Big, little.swap_bytes()) } else { (Endian::Little, little) };
    let mut findings = Vec::new();
    if magic != Gguf::MAGIC {
        let finding = Finding::new(&rules::MAGIC, "header", 0..there.min(4), "the file does not begin with GGUF");
        findings.push(finding);
    } else if there < 8 {
        findings.push(Finding::new(
            &rules::TRUNCATED_HEADER,
            "header.version",
            4..there,
            "the file ends inside the version",
        ));
    } else if !matches!(version, 2 | 3) {
        let finding = Finding::new(&rules::VERSION, "header.version", 4..8, "the version is not one that readers know");
        findings.push(finding.expected("2 or 3").found(version));
    }
    Ok(Prefix { order, version, findings })
}

/// Reads and checks the header of a file.
pub(super) fn read(input: &Input<'_>) -> Result<Directory> {
    let Prefix { order, version, findings } = prefix(input)?;
    if !findings.is_empty() {
        return Ok(Directory { findings, header: Gguf::PREFIX as u64, ..Directory::default() });
    }
    let mut look = FIRST_LOOK.min(input.length());
    loop {
        input.ensure_time()?;
        let debit = Debit::new(input.budget());
        debit.take(look.saturating_sub(FREE).saturating_mul(PARSED), "the facts and the entries of the header")?;
        let bytes = input.seen(0..look, &debit)?;
        let error = match everybyte::read::<Header>(Source::prefix(&bytes, input.length()), order, ()) {
            Ok(header) => return judge(&header, (version, order), input),
            Err(error) => error,
        };
        if error.problem != Problem::Unavailable || look == input.length() {
            let within = ParseError { path: format!("header.{}", error.path), ..(*error).clone() };
            let mut findings = vec![unreadable(&within)];
            if let Some(header) = lenient::header(&bytes, &error, order, &debit)? {
                findings = findings.into_iter().map(|finding| finding.with_reference(Reference::Accepts)).collect();
                findings.extend(judge(&header, (version, order), input)?.findings);
            }
            return Ok(Directory { findings, header: look, ..Directory::default() });
        }
        look = look.saturating_mul(2).min(input.length());
    }
}

/// Returns the header of a complete file in memory, and the byte order of its numbers; `None` if it cannot be read.
pub(crate) fn header(bytes: &[u8]) -> Option<(Header, Endian)> {
    let order = prefix(&Input::from_slice(bytes, Limits::default())).ok()?.order;
    Some((everybyte::read(Source::new(bytes), order, ()).ok()?, order))
}

fn unreadable(error: &ParseError) -> Finding {
    match &error.problem {
        Problem::UnknownCode { .. } => {
            let message = format!("a value has no type that readers know: {}", error.problem);
            Finding::unreadable(&rules::VALUE_TYPE, error, message)
        }
        Problem::TooDeep { .. } => {
            let finding = Finding::unreadable(&rules::VALUE_TYPE, error, "lists are nested too deep");
            finding.with_reference(Reference::Accepts)
        }
        problem => {
            let message = format!("the file ends inside the header: {problem}");
            Finding::unreadable(&rules::TRUNCATED_HEADER, error, message)
        }
    }
}

/// Returns the fields of the header and of the bytes after it.
pub(super) fn fields(input: &Input<'_>, directory: &Directory) -> Result<Nodes> {
    let (padding, data) = match &directory.data {
        Some(data) => (data.start - directory.header, data.end - data.start),
        None => (0, u64::MAX),
    };
    let debit = Debit::new(input.budget());
    let end = directory.header.min(input.length());
    debit.take(end.saturating_sub(FREE).saturating_mul(PARSED), "the map of the header")?;
    let bytes = input.seen(0..end, &debit)?;
    let order = prefix(input)?.order;
    let (_, nodes) = trace::<Gguf>(Source::prefix(&bytes, input.length()), order, args! { padding, data });
    Ok(nodes.into_parts())
}
