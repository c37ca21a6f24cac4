//! Checks the header of a RawArray file.

use super::rules;
use crate::bytes::input::Input;
use crate::findings::finding::Finding;
use crate::findings::general::{LIMIT_EXCEEDED, UNKNOWN_FORMAT};
use crate::findings::rule::Reference;
use crate::findings::words::bytes;
use crate::format::foreign;
use crate::types::dtype::ElementKind;
use binrw::args;
use everybyte::map::Nodes;
use everybyte::{Endian, ParseError, Source, error::Problem, read, trace::trace};
use ndbytes_schemas::rawarray::{Eltype, Flags, RawArray};
use std::cell::LazyCell;

/// The storage of the elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Storage {
    /// The elements are stored one after another.
    Plain,
    /// The elements are bits in 64-bit words, lowest bit first.
    Bits,
    /// The elements are one LZ4 block of `size` bytes.
    Lz4,
    /// The elements are in one of the encodings that the flag for encoded data can mean, but `size` does not determine which.
    Unclear,
}

/// A consistent header.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Array {
    pub kind: ElementKind,
    pub storage: Storage,
    /// The number of elements.
    pub count: u64,
}

impl Array {
    /// Returns whether the header is sufficient to find the end of the data.
    pub fn has_known_end(&self) -> bool {
        self.storage != Storage::Unclear
    }
}

/// The outcome of checking a header.
#[derive(Debug)]
pub(crate) struct Judged {
    pub header: Option<RawArray>,
    /// The array; `None` if an error prevents reading the elements.
    pub array: Option<Array>,
    pub findings: Vec<Finding>,
}

/// Reads the header. All data is assumed to be `size` bytes long.
pub(crate) fn read_header(source: Source<'_>, endian: Endian) -> Result<RawArray, Box<ParseError>> {
    read::<RawArray>(source, endian, args! {})
}

/// Returns the fields of the header. `stored` is the length of encoded data, if it is not `size`.
pub(crate) fn header_nodes(input: &Input<'_>, endian: Endian, stored: Option<u64>) -> Nodes {
    input.trace_header(|source| trace::<RawArray>(source, endian, args! { stored }).1)
}

/// Returns the byte order of the header's words: big-endian if the magic is closer to that of big-endian files.
pub(crate) fn byte_order(head: &[u8]) -> Endian {
    let agreement = |endian| RawArray::magic(endian).iter().zip(head).filter(|(one, other)| one == other).count();
    if agreement(Endian::Big) > agreement(Endian::Little) { Endian::Big } else { Endian::Little }
}

/// Checks a header that was read, or reports the error from reading it.
pub(crate) fn judge(input: &Input<'_>, endian: Endian, read: Result<RawArray, Box<ParseError>>) -> Judged {
    let mut findings = Vec::new();
    match read {
        Err(error) => Judged { header: None, array: None, findings: vec![unreadable(&error, input.source())] },
        Ok(header) => {
            let root = LazyCell::new(|| header_nodes(input, endian, None));
            let placed = |finding: Finding| finding.placed_by(&root);
            let array = judge_header(&header, endian, &placed, &mut findings);
            Judged { header: Some(header), array, findings }
        }
    }
}

fn unreadable(error: &ParseError, source: Source<'_>) -> Finding {
    let head = source.bytes();
    let magic = RawArray::magic(Endian::Little);
    let like_magic = head.iter().zip(magic).all(|(found, expected)| *found == expected) && !head.is_empty();
    match &error.problem {
        Problem::WrongMagic { .. } => match foreign::recognise(head) {
            Some((what, help)) => {
                Finding::new(&UNKNOWN_FORMAT, "", 0..0, format!("this is {what}, not RawArray")).help(help)
            }
            None => Finding::unreadable(&rules::BAD_MAGIC, error, "the file does not begin with RawArray's magic")
                .expected(format!("\"{}\"", magic.escape_ascii()))
                .found(format!("\"{}\"", head[..magic.len()].escape_ascii())),
        },
        Problem::UnknownCode { .. } => {
            Finding::unreadable(&rules::UNKNOWN_TYPE, error, "this element class is not defined").expected("0 to 5")
        }
        Problem::Unavailable => {
            Finding::unreadable(&LIMIT_EXCEEDED, error, "the header is longer than 1 MiB: there are too many axes")
        }
        problem if error.path == "magic" && !like_magic => {
            Finding::unreadable(&rules::BAD_MAGIC, error, format!("the file ends inside the magic: {problem}"))
        }
        problem => {
            let message = format!("the file ends inside the header: {problem}");
            Finding::unreadable(&rules::TRUNCATED_HEADER, error, message)
        }
    }
}

fn judge_header(
    header: &RawArray,
    endian: Endian,
    placed: &dyn Fn(Finding) -> Finding,
    findings: &mut Vec<Finding>,
) -> Option<Array> {
    let about = |rule, field: &str, message: String| placed(Finding::new(rule, field, 0..0, message));
    let (flags, elbyte) = (header.flags, header.elbyte);
    if flags.reserved() != 0 {
        let raw = flags.raw();
        let finding = about(&rules::UNKNOWN_FLAGS, "flags", format!("undefined flags are set: {raw:#x}"));
        // If a flag that it supports is also set, the `rawarray` crate panics.
        let has_known = flags.big_endian() || flags.encoded() || flags.bits();
        findings.push(finding.with_reference(if has_known { Reference::Refuses } else { Reference::Accepts }));
    }
    if header.dims.is_empty() {
        findings.push(about(&rules::SCALAR, "ndims", "the array has no axes: it is one element".into()));
    }
    if endian == Endian::Big {
        findings.push(about(&rules::BIG_ENDIAN_FILE, "magic", "the whole file is big-endian".into()));
    } else if flags.big_endian() {
        findings.push(about(&rules::BIG_ENDIAN_PAYLOAD, "flags", "the elements are big-endian".into()));
    }

    let kind = judge_type(header, placed, findings)?;
    let count = judge_dims(header, placed, findings)?;
    let plain = match kind {
        ElementKind::Bit => count.div_ceil(64) * 8,
        _ => count * elbyte,
    };
    let storage = match (flags.encoded(), kind) {
        (_, ElementKind::Bit) => Storage::Bits,
        (true, _) if header.size == plain => Storage::Unclear,
        (true, _) => Storage::Lz4,
        (false, _) => Storage::Plain,
    };
    let has_size = matches!(storage, Storage::Plain | Storage::Bits);
    if has_size && header.size != plain {
        let message = match kind {
            ElementKind::Bit => format!("{count} bits take {}", bytes(plain)),
            _ => format!("{count} elements of {} take {}", bytes(elbyte), bytes(plain)),
        };
        findings.push(about(&rules::SIZE_MISMATCH, "size", message).expected(plain).found(header.size));
        return None;
    }
    if let Some(finding) = missing_data(header).filter(|_| storage != Storage::Unclear) {
        findings.push(finding);
        return None;
    }
    if flags.reserved() != 0 && storage == Storage::Plain {
        findings.extend(judge_metadata(header));
    }
    (flags.reserved() == 0).then_some(Array { kind, storage, count })
}

/// Determines the element type from the class, the width and the flags.
fn judge_type(
    header: &RawArray,
    placed: &dyn Fn(Finding) -> Finding,
    findings: &mut Vec<Finding>,
) -> Option<ElementKind> {
    let about = |rule, field: &str, message: String| placed(Finding::new(rule, field, 0..0, message));
    let (flags, eltype, elbyte) = (header.flags, header.eltype, header.elbyte);
    if flags.bits() {
        if is_bit_array(flags, eltype, elbyte) {
            findings.push(about(&rules::BIT_ARRAY, "flags", "the elements are single bits".into()));
            return Some(ElementKind::Bit);
        }
        let message = "the flag for bit arrays is set on elements that are not bits".into();
        let finding = about(&rules::INCONSISTENT_FLAGS, "flags", message);
        let found = format!("flags {:#x} on class {} of {}", flags.raw(), eltype.code(), bytes(elbyte));
        findings.push(finding.expected("flags 0x6 on class 5 of 8 bytes").found(found));
        return None;
    }
    let kind = match (eltype, elbyte) {
        (Eltype::Record, 1..) => ElementKind::Record(elbyte),
        (Eltype::Signed, 1) => ElementKind::I8,
        (Eltype::Signed, 2) => ElementKind::I16,
        (Eltype::Signed, 4) => ElementKind::I32,
        (Eltype::Signed, 8) => ElementKind::I64,
        (Eltype::Signed, 16) => ElementKind::I128,
        (Eltype::Unsigned, 1) => ElementKind::U8,
        (Eltype::Unsigned, 2) => ElementKind::U16,
        (Eltype::Unsigned, 4) => ElementKind::U32,
        (Eltype::Unsigned, 8) => ElementKind::U64,
        (Eltype::Unsigned, 16) => ElementKind::U128,
        (Eltype::Float, 2) => ElementKind::F16,
        (Eltype::Float, 4) => ElementKind::F32,
        (Eltype::Float, 8) => ElementKind::F64,
        (Eltype::Complex, 4) => ElementKind::Complex32,
        (Eltype::Complex, 8) => ElementKind::Complex64,
        (Eltype::Complex, 16) => ElementKind::Complex128,
        (Eltype::Disputed, 1) => ElementKind::Bool,
        (Eltype::Disputed, 2) => ElementKind::Bf16,
        _ => {
            let message =
                format!("elements of class {} ({}) cannot have {}", eltype.code(), eltype.name(), bytes(elbyte));
            findings.push(about(&rules::BAD_WIDTH, "elbyte", message).found(elbyte));
            return None;
        }
    };
    if matches!(kind, ElementKind::Bool | ElementKind::Complex32) {
        let message = format!("only Julia knows elements of type {kind}");
        findings.push(about(&rules::DISPUTED_TYPE, "eltype", message));
    }
    Some(kind)
}

fn is_bit_array(flags: Flags, eltype: Eltype, elbyte: u64) -> bool {
    flags.encoded() && (eltype, elbyte) == (Eltype::Disputed, 8)
}

/// Returns the number of elements.
fn judge_dims(header: &RawArray, placed: &dyn Fn(Finding) -> Finding, findings: &mut Vec<Finding>) -> Option<u64> {
    let dims = &header.dims;
    let unit = if header.flags.bits() { 1 } else { header.elbyte };
    let nonempty = dims.iter().filter(|&&dim| dim > 0).try_fold(unit, |bytes, &dim| bytes.checked_mul(dim));
    let has_zero = dims.contains(&0);
    if nonempty.is_some_and(|bytes| i64::try_from(bytes).is_ok()) {
        return Some(if has_zero { 0 } else { dims.iter().product() });
    }
    let wrapped = dims.iter().fold(header.elbyte, |bytes, dim| bytes.wrapping_mul(*dim));
    let wraps = wrapped == header.size && (nonempty.is_none() || has_zero);
    let (rule, message) = match wraps {
        true => (&rules::WRAPPING_DIMS, "the dimensions match `size` only because their product overflows"),
        false => (&rules::SIZE_OVERFLOW, "the product of the axis lengths exceeds the maximum size of a file"),
    };
    findings.push(placed(Finding::new(rule, "dims", 0..0, message)));
    if wraps {
        findings.extend(missing_data(header));
        findings.extend(judge_metadata(header).filter(|_| !header.flags.encoded()));
        findings.extend(header.flags.encoded().then(|| encoded(header, "the elements are marked as encoded")));
    }
    None
}

/// Returns the finding about truncated data.
fn missing_data(header: &RawArray) -> Option<Finding> {
    let missing = header.data.length.saturating_sub(header.data.present);
    let end = header.data.range().end;
    let finding = || {
        Finding::new(&rules::TRUNCATED_PAYLOAD, "data", end..end, format!("the data are missing {}", bytes(missing)))
    };
    (missing > 0).then(|| finding().expected(bytes(header.size)).found(bytes(header.data.present)))
}

/// Returns the finding about encoded elements.
pub(crate) fn encoded(header: &RawArray, message: &str) -> Finding {
    Finding::new(&rules::ENCODED, "data", header.data.range(), message)
}

/// Returns the finding about metadata, if there is any. This is correct only if the end of the data is known.
pub(crate) fn judge_metadata(header: &RawArray) -> Option<Finding> {
    if header.metadata.length == 0 {
        return None;
    }
    let message = format!("the file has {} of metadata after its data", bytes(header.metadata.length));
    Some(Finding::new(&rules::METADATA, "metadata", header.metadata.range(), message))
}
