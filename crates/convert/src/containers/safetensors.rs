//! `.safetensors`: the length of a JSON header, the header, and the items of all arrays.
//!
//! The format: <https://github.com/huggingface/safetensors#format>. Every byte after the header belongs to one array.

use super::entry::Entry;
use crate::arrays::tensor_types::TYPES;
use crate::arrays::write::write_little_endian;
use crate::error::{Error, Result};
use crate::kind::FileKind;
use serde::Serialize;
use std::io::Write;

/// The format's limit on the length of the header.
const LONGEST_HEADER: u64 = 100_000_000;

/// The entry of the header that is not an array.
const METADATA: &str = "__metadata__";

/// The description of an array in the header.
#[derive(Debug, Serialize)]
struct Description {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

/// Writes arrays with the widest elements first, so that all of them are aligned.
pub fn write(entries: &[Entry<'_>], to: &mut dyn Write) -> Result<()> {
    let kind = FileKind::Safetensors;
    let mut entries: Vec<&Entry<'_>> = entries.iter().collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.fit.item_type.stride()));
    let (mut header, mut end) = (serde_json::Map::new(), 0);
    for Entry { name, view, fit } in &entries {
        let element = fit.item_type.dtype().kind;
        let (_, dtype) = TYPES.iter().find(|(known, _)| *known == element).expect("the type was looked at");
        if name == METADATA {
            return Err(Error::Refused { kind, what: format!("an array of the name {METADATA}") });
        }
        let start = end;
        end += view.length();
        let shape = view.shape().iter().map(|&extent| extent as u64).collect();
        let description = Description { dtype: (*dtype).to_owned(), shape, data_offsets: [start, end] };
        header.insert(name.clone(), serde_json::to_value(description).expect("it is plain data"));
    }
    let mut header = serde_json::to_vec(&header).expect("it is plain data");
    header.extend(std::iter::repeat_n(b' ', header.len().next_multiple_of(8) - header.len()));
    if header.len() as u64 > LONGEST_HEADER {
        return Err(Error::Refused { kind, what: format!("a header of {} bytes", header.len()) });
    }
    to.write_all(&(header.len() as u64).to_le_bytes())?;
    to.write_all(&header)?;
    for Entry { view, fit, .. } in &entries {
        write_little_endian(view, fit, to)?;
    }
    Ok(())
}
