//! Breakers of the rules of RawArray.

use super::super::forged_file::ForgedFile;
use super::super::grid::Grid;
use super::super::kind_driver::Breaker;
use super::file_parts::{FileParts, Storage, put_together};
use super::lz4;
use super::valid::{array, kind};
use everybyte::Endian;
use everybyte::forge::Choices;
use ndbytes::ElementKind;
use ndbytes_schemas::rawarray::Eltype;

/// The offset of `flags`.
const FLAGS: usize = 8;

/// The breakers.
pub(crate) static BREAKERS: &[Breaker] = &[
    Breaker::new("rawarray/truncated-header", plane, "repair nothing\ncut dims[1] + 3"),
    Breaker::new("rawarray/bad-magic", plane, "splice magic[0..1] = \"R\""),
    Breaker::new("rawarray/unknown-flags", plane, "set flags = 8"),
    Breaker::new("rawarray/inconsistent-flags", plane, "set flags = 4"),
    Breaker::new("rawarray/unknown-type", plane, "set eltype = 6"),
    Breaker::new("rawarray/bad-width", integers, "repair nothing\nset elbyte = 3"),
    Breaker::new(
        "rawarray/size-overflow",
        plane,
        "repair nothing\nset dims[0] = 0x4000000000000001\nset dims[1] = 0x20",
    ),
    Breaker::new("rawarray/wrapping-dims", wrapping, ""),
    Breaker::new("rawarray/size-mismatch", plane, "repair nothing\nset size = 1"),
    Breaker::new("rawarray/truncated-payload", plane, "repair nothing\ncut end - 1"),
    Breaker::new("rawarray/ambiguous-encoding", ambiguous, ""),
    Breaker::new("rawarray/bad-encoding", no_lz4, ""),
    Breaker::new("rawarray/overlong-leb128", overlong, ""),
    Breaker::new("rawarray/raw-despite-flag", raw_floats, ""),
    Breaker::new("rawarray/encoded", repetitive, ""),
    Breaker::new("rawarray/bit-array", bits, ""),
    Breaker::new("rawarray/bit-padding", padded_bits, ""),
    Breaker::new("rawarray/bool-value", truths, "repair nothing\nsplice data[0..1] = x\"02\""),
    Breaker::new("rawarray/disputed-type", truths, ""),
    Breaker::new("rawarray/big-endian-payload", plane, "set flags = 1"),
    Breaker::new("rawarray/big-endian-file", big_endian, ""),
    Breaker::new("rawarray/metadata", plane, "append \"unit: m\""),
    Breaker::new("rawarray/scalar", scalar, ""),
];

fn made(draft: &FileParts) -> Option<ForgedFile> {
    put_together(draft).map(ForgedFile::unknown)
}

/// Creates an array with two axes, without metadata, with at least two bytes of data.
fn plane(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    made(&plane_of(choices))
}

fn plane_of(choices: &mut Choices<'_>) -> FileParts {
    let kind = kind(choices);
    let dims = vec![choices.from_to(2, 5), choices.from_to(1, 5)];
    array(choices, kind, dims)
}

fn integers(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let kind = *choices.pick(&[
        ElementKind::I16,
        ElementKind::U32,
        ElementKind::I64,
        ElementKind::F32,
        ElementKind::Complex64,
    ]);
    let dims = vec![choices.from_to(1, 9)];
    made(&array(choices, kind, dims))
}

/// Sets a dimension that is correct modulo 2^63, for elements of two bytes.
fn wrapping(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let extent = choices.from_to(1, 9);
    let mut draft = array(choices, ElementKind::U16, vec![extent]);
    draft.grid.dims = vec![extent + (1 << 63)];
    made(&draft)
}

/// Creates a file that is flagged as encoded.
fn encoded(kind: ElementKind, dims: Vec<u64>, size: usize, data: &[u8]) -> Option<ForgedFile> {
    let grid = Grid { dims, item: kind.size(), payload: vec![0; size] };
    let eltype = super::valid::eltype(kind);
    let mut draft = array(&mut Choices::of_bytes(&[]), kind, Vec::new());
    (draft.grid, draft.eltype) = (grid, eltype);
    let mut bytes = put_together(&draft)?;
    *bytes.get_mut(FLAGS)? = 2;
    bytes.truncate(bytes.len() - size);
    bytes.extend(data);
    Some(ForgedFile::unknown(bytes))
}

/// Creates four floats that are also an LZ4 block of sixteen bytes.
fn ambiguous(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    // Four literals and a repetition of four, then eight literals.
    let data = [&[0x40][..], &choices.bytes(4), &[4, 0, 0x80], &choices.bytes(8)].concat();
    encoded(ElementKind::F32, vec![4], data.len(), &data)
}

/// Creates an LZ4 block with a repetition that starts before the block.
fn no_lz4(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let data = [&[0x1f, 7][..], &[9, 0], &[choices.below(200) as u8, 0x50], &choices.bytes(5)].concat();
    encoded(ElementKind::U8, vec![choices.from_to(300, 1000)], data.len(), &data)
}

/// Creates LEB128 numbers, one of them overlong.
fn overlong(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let count = choices.from_to(2, 8);
    let which = choices.below(count);
    let mut data = Vec::new();
    for number in 0..count {
        match number == which {
            true => data.extend([0x80 | choices.below(128) as u8, 0]),
            false => data.push(choices.below(128) as u8),
        }
    }
    encoded(ElementKind::U32, vec![count], count as usize * 4, &data)
}

/// Creates unencoded floats.
fn raw_floats(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (kind, extent) =
        (*choices.pick(&[ElementKind::F32, ElementKind::F64, ElementKind::Complex64]), choices.from_to(1, 8));
    let draft = array(choices, kind, vec![extent]);
    encoded(kind, vec![extent], draft.grid.payload.len(), &draft.grid.payload)
}

/// Creates an LZ4 block of repetitive bytes.
fn repetitive(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let extent = choices.from_to(100, 400);
    let run = choices.bytes(7);
    let payload: Vec<u8> = run.into_iter().cycle().take(extent as usize).collect();
    let block = lz4::packed(&payload);
    encoded(ElementKind::U8, vec![extent], block.len(), &block)
}

/// Creates single bits, with nonzero trailing bits.
fn bits_of(choices: &mut Choices<'_>, has_padding: bool) -> FileParts {
    let extent = choices.from_to(1, 60);
    let bits = choices.any() & ((1 << extent) - 1);
    let word = if has_padding { bits | 1 << 63 } else { bits };
    FileParts {
        endian: Endian::Little,
        eltype: Eltype::Disputed,
        is_swapped: false,
        storage: Storage::Bits,
        grid: Grid { dims: vec![extent], item: 0, payload: word.to_le_bytes().to_vec() },
        metadata: Vec::new(),
    }
}

fn bits(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    made(&bits_of(choices, false))
}

fn padded_bits(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    made(&bits_of(choices, true))
}

fn truths(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let extent = choices.from_to(1, 20);
    let mut draft = array(choices, ElementKind::Bool, vec![extent]);
    draft.grid.payload.iter_mut().for_each(|byte| *byte &= 1);
    made(&draft)
}

fn big_endian(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    made(&FileParts { endian: Endian::Big, ..plane_of(choices) })
}

fn scalar(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let kind = kind(choices);
    made(&array(choices, kind, Vec::new()))
}
