//! Reads structures with wrong markers, most of which C-Blosc2 ignores because it reads by position.
//!
//! The declared layout stops at a wrong marker. Here, the marker is corrected in a copy of the bytes, and the structure is read
//! again, until this succeeds or [`REPAIRS`] markers have been corrected. Each correction becomes a finding with the reaction of
//! C-Blosc2. A wrong marker therefore does not hide the findings after it, and the declaration needs no exceptions.

use crate::blosc2::rules;
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use binrw::BinRead;
use everybyte::map::Nodes;
use everybyte::{
    Endian, Layout, ParseError, Source,
    error::Problem,
    trace::{read_next, trace},
};

/// The number of markers that are corrected before a structure is abandoned.
const REPAIRS: usize = 64;

/// The maximum number of bytes that are copied to correct markers.
const COPIED: usize = 1 << 20;

/// The message for a wrong magic.
pub const NO_FRAME: &str = "the file is not marked as a Blosc2 frame";

/// A wrong marker.
#[derive(Debug)]
pub struct Repair {
    pub field: String,
    pub offset: u64,
    pub expected: Vec<u8>,
    pub found: Vec<u8>,
}

impl Repair {
    /// The finding for a marker. C-Blosc2 checks the markers before metalayers and before the dtype. It may also notice a wrong
    /// marker of the trailer's length or of the block shape, depending on other bytes of the file.
    pub fn finding(&self) -> Finding {
        let bytes = self.offset..self.offset + self.expected.len() as u64;
        let finding = match self.field.as_str() {
            "magic" => Finding::new(&rules::MAGIC, &self.field, bytes, NO_FRAME),
            field => {
                let message = format!("expected a msgpack marker, found 0x{}", hex(&self.found));
                Finding::new(&rules::WRONG_MARKER, field, bytes, message)
            }
        };
        let field = self.field.as_str();
        let is_content = field.contains("contents[") && field.ends_with("].head");
        let is_name = field.ends_with("directory.count") || field.contains("directory.entries[");
        let reference = match field {
            field if field.ends_with("trailer_length") || field.ends_with("block_shape.head") => Reference::Unforeseen,
            field if is_content || is_name || field.ends_with("dtype.text.head") => Reference::Refuses,
            _ => Reference::Accepts,
        };
        finding.expected(hex(&self.expected)).found(hex(&self.found)).with_reference(reference)
    }
}

/// Formats bytes as hexadecimal digits for messages.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// A structure, the offset after it, and the corrections needed to read it.
pub struct Repaired<T> {
    pub value: T,
    pub end: u64,
    pub repairs: Vec<Repair>,
}

/// Reads a structure as if its markers were correct.
pub fn read_repaired<T>(source: Source<'_>) -> Result<Repaired<T>, Box<ParseError>>
where
    T: Layout + for<'a> BinRead<Args<'a> = ()>,
{
    let mut repairs = Vec::new();
    let mut reader = source;
    let mut result = read_next::<T>(&mut reader, Endian::Big, ());
    if !matches!(&result, Err(error) if is_marker(error)) {
        return result.map(|value| Repaired { value, end: reader.position(), repairs });
    }
    let (start, ahead) = (source.position(), source.bytes_from(source.position()));
    let mut bytes = ahead[..ahead.len().min(COPIED)].to_vec();
    loop {
        match result {
            Ok(value) => return Ok(Repaired { value, end: reader.position(), repairs }),
            Err(error) if repairs.len() < REPAIRS && is_marker(&error) => {
                let ParseError { path, offset, problem: Problem::WrongMagic { expected, found }, .. } = *error else {
                    unreachable!("a marker is wrong")
                };
                let place = (offset - start) as usize;
                bytes[place..place + expected.len()].copy_from_slice(&expected);
                repairs.push(Repair { field: path, offset, expected, found });
            }
            Err(error) => return Err(error),
        }
        reader = Source::window(&bytes, start, source.length());
        result = read_next::<T>(&mut reader, Endian::Big, ());
    }
}

/// The fields of a structure, with corrected markers.
pub fn trace_repaired<T>(source: Source<'_>) -> Nodes
where
    T: Layout + for<'a> BinRead<Args<'a> = ()>,
{
    let start = source.position();
    let mut bytes = source.bytes_from(start).to_vec();
    if let Ok(repaired) = read_repaired::<T>(source) {
        for Repair { offset, expected, .. } in repaired.repairs {
            let place = (offset - start) as usize;
            if let Some(there) = bytes.get_mut(place..place + expected.len()) {
                there.copy_from_slice(&expected);
            }
        }
    }
    trace::<T>(Source::window(&bytes, start, source.length()), Endian::Big, ()).1
}

/// Returns whether a parser stopped at a wrong marker, which can be repaired.
fn is_marker(error: &ParseError) -> bool {
    matches!(error.problem, Problem::WrongMagic { .. })
}
