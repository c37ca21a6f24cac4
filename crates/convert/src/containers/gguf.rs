//! `.gguf`: a directory of arrays, followed by the aligned items of each.
//!
//! No metadata is written, because the arrays do not contain what a program needs to run a model.

use super::entry::Entry;
use crate::arrays::tensor_types::GGUF;
use crate::arrays::write::write_little_endian;
use crate::error::{Error, Result};
use crate::kind::FileKind;
use ndbytes::everybyte::{self, Endian};
use ndbytes_schemas::gguf::{Entry as Described, Gguf, Header, String64};
use std::io::Write;

/// Writes arrays in the given order.
pub fn write(entries: &[Entry<'_>], to: &mut dyn Write) -> Result<()> {
    let mut directory = Vec::new();
    let mut offset = 0_u64;
    for entry in entries {
        directory.push(described(entry, offset)?);
        let padded = entry.length().checked_next_multiple_of(Gguf::ALIGNMENT);
        let end = padded.and_then(|length| offset.checked_add(length));
        offset = end.ok_or_else(|| refused("more than 2^64 bytes of items".to_owned()))?;
    }
    let header = Header { version: Gguf::VERSION, facts: Vec::new(), directory };
    let header = everybyte::write(&header, Endian::Little).map_err(|error| refused(format!("a header: {error}")))?;
    to.write_all(&header)?;
    pad(header.len() as u64, to)?;
    for entry in entries {
        write_little_endian(&entry.view, &entry.fit, to)?;
        pad(entry.length(), to)?;
    }
    Ok(())
}

/// Returns the entry of an array in the directory.
fn described(entry: &Entry<'_>, offset: u64) -> Result<Described> {
    let name = &entry.name;
    if name.len() > Gguf::LONGEST_NAME {
        let most = Gguf::LONGEST_NAME;
        return Err(refused(format!("an array whose name {name:?} has more than {most} bytes: give it another name")));
    }
    let kind = entry.fit.item_type.dtype().kind;
    let (_, element) = GGUF.iter().find(|(known, _)| *known == kind).expect("the type was looked at");
    let extents = entry.view.shape().iter().rev().map(|&extent| extent as u64).collect();
    Ok(Described { name: String64 { text: name.as_str().into() }, extents, element: *element, offset })
}

/// Pads to the alignment.
fn pad(length: u64, to: &mut dyn Write) -> Result<()> {
    let end = length.next_multiple_of(Gguf::ALIGNMENT);
    Ok(to.write_all(&[0; Gguf::ALIGNMENT as usize][..(end - length) as usize])?)
}

fn refused(what: String) -> Error {
    Error::Refused { kind: FileKind::Gguf, what }
}
