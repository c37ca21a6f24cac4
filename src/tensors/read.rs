//! Reads the header of a safetensors file.

use super::directory::Directory;
use super::judge::judge;
use super::kind::Kind;
use super::rules;
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::format::Format;
use binrw::args;
use everybyte::map::Nodes;
use everybyte::{Endian, ParseError, Source, trace::trace};
use ndbytes_schemas::safetensors::SafeTensors;

/// The maximum number of bytes in a header whose entries need not be debited.
const FREE: u64 = 16 << 10;

/// The maximum number of bytes in memory for the entries of a header, per byte of the header. An entry has at least 6 bytes.
const PARSED: u64 = 64;

/// safetensors as a tensor format.
pub(super) static KIND: Kind = Kind { format: Format::Safetensors, file: "safetensors file", read, fields };

fn read(input: &Input<'_>) -> Result<Directory> {
    let debit = Debit::new(input.budget());
    let refused = |finding| Ok(Directory { findings: vec![finding], ..Directory::default() });
    let mut prefix = [0; SafeTensors::PREFIX];
    if input.length() < prefix.len() as u64 {
        let message = "the file ends inside the length of the header";
        return refused(Finding::new(&rules::TRUNCATED_HEADER, "length", 0..input.length(), message));
    }
    input.read_at(&mut prefix, 0)?;
    let length = u64::from_le_bytes(prefix);
    if length > SafeTensors::LONGEST_HEADER {
        let message = "the header is longer than readers take";
        let finding = Finding::new(&rules::HEADER_LENGTH, "length", 0..prefix.len() as u64, message);
        return refused(finding.expected(format!("at most {}", SafeTensors::LONGEST_HEADER)).found(length));
    }
    let end = (prefix.len() as u64 + length).min(input.length());
    // If the header extends beyond the end of the file, only the part in the file is debited.
    let held = length.min(input.length());
    debit.take(held, "the header")?;
    debit.take(held.saturating_sub(FREE).saturating_mul(PARSED), "the entries of the header")?;
    let bytes = input.seen(0..end, &debit)?;
    match everybyte::read::<SafeTensors>(
        Source::prefix(&bytes, input.length()),
        Endian::Little,
        args! { data: u64::MAX },
    ) {
        Ok(layout) => judge(layout, input),
        Err(error) => refused(unreadable(&error)),
    }
}

/// Returns the fields of the header and of the bytes after it.
fn fields(input: &Input<'_>, directory: &Directory) -> Result<Nodes> {
    let (end, data) = match &directory.data {
        // If the length is unknown, the end is saturated.
        Some(data) => (data.start, if data.end == u64::MAX { u64::MAX } else { data.end - data.start }),
        None => (SafeTensors::PREFIX as u64, u64::MAX),
    };
    let debit = Debit::new(input.budget());
    let bytes = input.seen(0..end.min(input.length()), &debit)?;
    let source = Source::prefix(&bytes, input.length());
    let (_, nodes) = trace::<SafeTensors>(source, Endian::Little, args! { data });
    Ok(nodes.into_parts())
}

fn unreadable(error: &ParseError) -> Finding {
    let message = format!("the file ends inside the header: {}", error.problem);
    Finding::unreadable(&rules::TRUNCATED_HEADER, error, message)
}
