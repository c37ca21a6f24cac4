//! Decodes the data in the encodings that the flag for encoded data can mean.
//!
//! The flag has two meanings. The C program writes a single LZ4 block, and `size` is its stored length. Julia writes LEB128
//! numbers, and `size` is their decoded length. If both are possible, both are tried, and exactly one must succeed. Data that can
//! be decoded in both ways is refused as ambiguous, because a guess could return wrong numbers.

use super::judge::{Array, Storage, encoded};
use super::rules;
use crate::arrays::elements::Stored;
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::bytes::memory::AlignedBytes;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::types::dtype::ElementKind;
use everybyte::Endian;
use ndbytes_schemas::rawarray::RawArray;

/// The number of booleans that are checked at once.
const PIECE: u64 = 1 << 20;

/// The maximum number of bytes that one byte of an LZ4 block can expand to.
const LZ4_RATIO: u64 = 255;

/// The decoded elements.
#[derive(Debug)]
pub(crate) enum Decoded {
    /// The elements are stored unencoded.
    Plain,
    /// Decoded elements, in the byte order of the file.
    Elements(AlignedBytes),
}

impl Decoded {
    /// The position of the elements.
    pub fn stored(self, header: &RawArray) -> Stored {
        match self {
            Decoded::Plain => Stored::Plain(header.data.range()),
            Decoded::Elements(bytes) => Stored::Decoded(bytes),
        }
    }
}

/// The outcome of decoding.
#[derive(Debug)]
pub(crate) struct Decoding {
    /// The elements, if they could be decoded.
    pub decoded: Option<Decoded>,
    /// The length of the encoded elements in bytes, if it is not `size`.
    pub stored: Option<u64>,
    pub findings: Vec<Finding>,
}

/// Decodes the elements and checks those whose type has invalid values.
pub(crate) fn decode(input: &Input<'_>, header: &RawArray, array: Array, endian: Endian) -> Result<Decoding> {
    let mut decoding = Decoding { decoded: Some(Decoded::Plain), stored: None, findings: Vec::new() };
    match array.storage {
        Storage::Plain if array.kind == ElementKind::Bool => {
            let mut piece = vec![0; header.size.min(PIECE) as usize];
            for start in (0..header.size).step_by(PIECE as usize) {
                piece.truncate((header.size - start).min(PIECE) as usize);
                input.read_at(&mut piece, header.data.offset + start)?;
                decoding.findings.extend(judge_bools(&piece, start, header));
                if !decoding.findings.is_empty() {
                    break;
                }
            }
        }
        Storage::Plain => {}
        Storage::Bits => decode_bits(input, header, array, endian, &mut decoding)?,
        Storage::Lz4 => {
            let debit = Debit::new(input.budget());
            let block = input.owned(header.data.range(), &debit)?;
            let length = array.count * header.elbyte;
            decoding.block(header, lz4(&block, length, input)?);
        }
        Storage::Unclear => decode_unclear(input, header, array, endian, &mut decoding)?,
    }
    if let (ElementKind::Bool, Some(Decoded::Elements(bytes))) = (array.kind, &decoding.decoded) {
        decoding.findings.extend(judge_bools(bytes.as_slice(), 0, header));
    }
    Ok(decoding)
}

/// Returns the finding about encoded elements that are not decoded.
pub(crate) fn presumed(header: &RawArray, array: Array) -> Option<Finding> {
    match array.storage {
        Storage::Plain | Storage::Bits => None,
        Storage::Unclear if is_float(array.kind) && array.count > 0 => Some(raw_despite_flag(header)),
        Storage::Lz4 | Storage::Unclear => Some(encoded(header, "the elements are encoded")),
    }
}

fn is_float(kind: ElementKind) -> bool {
    use ElementKind::{Complex32, Complex64, Complex128, F16, F32, F64};
    matches!(kind, F16 | F32 | F64 | Complex32 | Complex64 | Complex128)
}

impl Decoding {
    fn refuse(&mut self, rule: &'static crate::findings::rule::Rule, header: &RawArray, why: impl Into<String>) {
        self.decoded = None;
        self.findings.push(Finding::new(rule, "data", header.data.range(), why));
    }

    /// Decodes elements that are a single LZ4 block.
    fn block(&mut self, header: &RawArray, lz4: Result<AlignedBytes, String>) {
        self.findings.push(encoded(header, "the elements are one LZ4 block"));
        match lz4 {
            Ok(bytes) => self.decoded = Some(Decoded::Elements(bytes)),
            Err(why) => self.refuse(&rules::BAD_ENCODING, header, why),
        }
    }

    /// Decodes floats, which are stored unencoded (if the file is long enough) or as one LZ4 block.
    fn floats(&mut self, header: &RawArray, has_room: bool, lz4: Result<AlignedBytes, String>) {
        match lz4 {
            Ok(_) if has_room => {
                let why = "the elements can be read as they are, or as one LZ4 block: the file does not say which";
                self.refuse(&rules::AMBIGUOUS_ENCODING, header, why);
            }
            _ if has_room => self.findings.push(raw_despite_flag(header)),
            _ => self.refuse(&rules::TRUNCATED_PAYLOAD, header, "the file ends inside the data"),
        }
    }

    /// Decodes integers and booleans, which are stored as LEB128 numbers or as one LZ4 block.
    fn integers(&mut self, header: &RawArray, leb128: Result<Leb128, String>, lz4: Result<AlignedBytes, String>) {
        match (leb128, lz4) {
            (Ok(_), Ok(_)) => {
                self.findings.push(encoded(header, "the elements are encoded"));
                let why = "the data decodes both as LEB128 numbers and as one LZ4 block: the file does not say which is meant";
                self.refuse(&rules::AMBIGUOUS_ENCODING, header, why);
            }
            (Ok(Leb128 { bytes, stored, overlong }), Err(_)) => {
                self.findings.push(encoded(header, "the elements are LEB128 numbers"));
                if let Some(at) = overlong {
                    let place = header.data.offset + at..header.data.offset + at + 1;
                    let message = "a LEB128 number is longer than necessary";
                    self.findings.push(Finding::new(&rules::OVERLONG_LEB128, "data", place, message));
                }
                self.stored = Some(stored);
                self.decoded = Some(Decoded::Elements(bytes));
            }
            (Err(_), lz4 @ Ok(_)) => self.block(header, lz4),
            (Err(leb128), Err(_)) => {
                self.findings.push(encoded(header, "the elements are encoded"));
                self.refuse(&rules::BAD_ENCODING, header, format!("read as LEB128 numbers: {leb128}"));
            }
        }
    }
}

/// Decodes elements whose `size` is the decoded length: Julia's encodings, or an LZ4 block that is not shorter than its decoded
/// bytes.
fn decode_unclear(
    input: &Input<'_>,
    header: &RawArray,
    array: Array,
    endian: Endian,
    decoding: &mut Decoding,
) -> Result<()> {
    if array.count == 0 {
        decoding.findings.push(encoded(header, "the elements are marked as encoded, but there are none"));
        return Ok(());
    }
    let debit = Debit::new(input.budget());
    let rest = &input.owned(header.data.offset..input.length(), &debit)?[..];
    let as_lz4 = match rest.get(..usize::try_from(header.size).unwrap_or(usize::MAX)) {
        Some(block) => lz4(block, header.size, input)?,
        None => Err("the file ends inside the LZ4 block".into()),
    };
    match array.kind {
        kind if is_float(kind) => decoding.floats(header, rest.len() as u64 >= header.size, as_lz4),
        ElementKind::Record(_) | ElementKind::Bf16 | ElementKind::Bit => decoding.block(header, as_lz4),
        _ => decoding.integers(header, leb128(rest, array, endian, input)?, as_lz4),
    }
    Ok(())
}

fn raw_despite_flag(header: &RawArray) -> Finding {
    let message = "the elements are not encoded, although marked so";
    Finding::new(&rules::RAW_DESPITE_FLAG, "data", header.data.range(), message)
}

/// Debits and reserves memory for decoded elements.
fn reserve(length: u64, input: &Input<'_>) -> Result<AlignedBytes> {
    let what = "the decoded array";
    input.budget().take(length, what)?;
    let bytes = usize::try_from(length).ok().and_then(AlignedBytes::zeros);
    bytes.ok_or(Error::Limit { what, needed: length, left: 0 })
}

/// Decodes one LZ4 block to exactly `length` bytes. Inner error: the reason why decoding fails.
fn lz4(block: &[u8], length: u64, input: &Input<'_>) -> Result<Result<AlignedBytes, String>> {
    if length > (block.len() as u64).saturating_mul(LZ4_RATIO) {
        return Ok(Err(format!("{} bytes of LZ4 cannot expand to {length}", block.len())));
    }
    let mut bytes = reserve(length, input)?;
    let why = match lz4_flex::block::decompress_into(block, bytes.as_mut_slice()) {
        Ok(decoded) if decoded as u64 == length => return Ok(Ok(bytes)),
        Ok(decoded) => format!("the LZ4 block decodes to {decoded} bytes, not {length}"),
        Err(error) => format!("the LZ4 block does not decode to {length} bytes: {error}"),
    };
    // The memory is returned, because the data may still be in another encoding.
    input.budget().give_back(length);
    Ok(Err(why))
}

/// Decoded LEB128 numbers.
struct Leb128 {
    /// The numbers, in the byte order of the file's elements.
    bytes: AlignedBytes,
    /// The stored length of the numbers in bytes.
    stored: u64,
    /// The offset of the last byte of the first number that is longer than necessary.
    overlong: Option<u64>,
}

/// Decodes LEB128 numbers, one per element, which are zigzag-encoded if signed. Inner error: the reason why decoding fails.
fn leb128(rest: &[u8], array: Array, endian: Endian, input: &Input<'_>) -> Result<Result<Leb128, String>> {
    let Array { kind, count, .. } = array;
    if count > rest.len() as u64 {
        return Ok(Err(format!("{} bytes cannot hold {count} numbers", rest.len())));
    }
    let width = kind.size() as usize;
    let signed =
        matches!(kind, ElementKind::I8 | ElementKind::I16 | ElementKind::I32 | ElementKind::I64 | ElementKind::I128);
    let mut bytes = reserve(count * kind.size(), input)?;
    let (mut at, mut overlong) = (0, None);
    for (index, element) in bytes.as_mut_slice().chunks_exact_mut(width).enumerate() {
        let (mut number, mut shift) = (0_u128, 0);
        loop {
            let Some(&byte) = rest.get(at) else {
                return Ok(Err(format!("the file ends inside element {index}")));
            };
            at += 1;
            let bits = u128::from(byte & 0x7F);
            if bits != 0 && (shift >= 8 * width || bits >> (8 * width - shift).min(7) != 0) {
                return Ok(Err(format!("element {index} does not fit {width} bytes")));
            }
            if shift < 8 * width {
                number |= bits << shift;
            }
            if byte & 0x80 == 0 {
                if byte == 0 && shift > 0 {
                    overlong.get_or_insert(at as u64 - 1);
                }
                break;
            }
            shift += 7;
        }
        let number = if signed { (number >> 1) ^ (number & 1).wrapping_neg() } else { number };
        element.copy_from_slice(&number.to_le_bytes()[..width]);
        if endian == Endian::Big {
            element.reverse();
        }
    }
    Ok(Ok(Leb128 { bytes, stored: at as u64, overlong }))
}

/// Decodes each bit to one byte.
fn decode_bits(
    input: &Input<'_>,
    header: &RawArray,
    array: Array,
    endian: Endian,
    decoding: &mut Decoding,
) -> Result<()> {
    let debit = Debit::new(input.budget());
    let data = input.seen(header.data.range(), &debit)?;
    let words = data.as_chunks::<8>().0;
    let mut bytes = reserve(array.count, input)?;
    let word =
        |word: &[u8; 8]| if endian == Endian::Big { u64::from_be_bytes(*word) } else { u64::from_le_bytes(*word) };
    for (bits, elements) in words.iter().map(word).zip(bytes.as_mut_slice().chunks_mut(64)) {
        for (place, element) in elements.iter_mut().enumerate() {
            *element = (bits >> place & 1) as u8;
        }
    }
    let used = array.count % 64;
    let padding = words.last().map_or(0, |last| if used == 0 { 0 } else { word(last) >> used });
    if padding != 0 {
        let end = header.data.range().end;
        let message = format!("the bits after the last element are {padding:#x}, not zero");
        decoding.findings.push(Finding::new(&rules::BIT_PADDING, "data", end - 8..end, message));
    }
    decoding.decoded = Some(Decoded::Elements(bytes));
    Ok(())
}

/// Checks booleans, which are preceded by `start` others.
fn judge_bools(bytes: &[u8], start: u64, header: &RawArray) -> Option<Finding> {
    let place = bytes.iter().position(|&byte| byte > 1)?;
    let index = start + place as u64;
    // An encoded element has no position in the file.
    let at = if header.flags.encoded() {
        header.data.range()
    } else {
        header.data.offset + index..header.data.offset + index + 1
    };
    let finding = Finding::new(&rules::BOOL_VALUE, "data", at, format!("element {index} is not a boolean"));
    Some(finding.expected("0 or 1").found(bytes[place]))
}
