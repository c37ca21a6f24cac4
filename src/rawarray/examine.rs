//! Reads and checks a file.

use super::decode::{Decoded, decode, presumed};
use super::judge::{Array, byte_order, judge, judge_metadata, read_header};
use crate::bytes::input::Input;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use everybyte::Endian;
use ndbytes_schemas::rawarray as layout;

/// A file whose structure and, if requested, whose elements were read and checked.
#[derive(Debug)]
pub(crate) struct Examined<'a> {
    pub input: Input<'a>,
    pub header: Option<layout::RawArray>,
    /// The type and number of the elements, if the header is consistent.
    pub array: Option<(Array, Endian)>,
    /// The elements, if they were read and could be decoded.
    pub decoded: Option<Decoded>,
    /// The length of the encoded elements in bytes, if it is not `size`.
    pub stored: Option<u64>,
    pub findings: Vec<Finding>,
}

/// Reads and checks a file. At depth `Structure`, only the header is read.
pub(crate) fn examine(input: Input<'_>, depth: Depth) -> Result<Examined<'_>> {
    let endian = byte_order(input.head());
    let judged = judge(&input, endian, input.parse(|source| read_header(source, endian))?);
    let (mut header, mut findings) = (judged.header, judged.findings);
    let big = endian == Endian::Big || header.as_ref().is_some_and(|header| header.flags.big_endian());
    let order = if big { Endian::Big } else { Endian::Little };
    let (mut decoded, mut stored) = (None, None);
    if let (Some(read), Some(array)) = (&header, judged.array) {
        match depth {
            Depth::Structure => findings.extend(presumed(read, array)),
            Depth::Payload => match decode(&input, read, array, order) {
                Ok(decoding) => {
                    findings.extend(decoding.findings);
                    (decoded, stored) = (decoding.decoded, decoding.stored);
                }
                Err(error @ (Error::Limit { .. } | Error::Time { .. })) => {
                    findings.extend(presumed(read, array));
                    findings.push(Finding::limit(&error));
                }
                Err(error) => return Err(error),
            },
        }
        // The end of LEB128 numbers is known only after they are decoded.
        let ends_somewhere = array.has_known_end() || decoded.is_some();
        if let (Some(header), Some(stored)) = (&mut header, stored) {
            header.data.set_length(stored, &mut header.metadata);
        }
        findings.extend(header.as_ref().filter(|_| ends_somewhere).and_then(judge_metadata));
    }
    let array = judged.array.map(|array| (array, order));
    Ok(Examined { input, header, array, decoded, stored, findings })
}
