//! Breakers of the rules of IDX.

use super::super::elements::{Sort, elements};
use super::super::forged_file::ForgedFile;
use super::super::grid::Grid;
use super::super::kind_driver::Breaker;
use super::file_parts::{FileParts, put_together};
use super::valid;
use everybyte::Endian;
use everybyte::forge::Choices;
use ndbytes_schemas::idx::ElementType;

/// The breakers.
pub(crate) static BREAKERS: &[Breaker] = &[
    Breaker::new("idx/truncated-header", wide, "repair nothing\ncut dims[1] + 1"),
    Breaker::new("idx/bad-prefix", wide, "set zero = x\"0001\""),
    Breaker::new("idx/unknown-type", wide, "repair nothing\nset element_type = 0x0a"),
    Breaker::new(
        "idx/size-overflow",
        cube,
        "repair nothing\nset dims[0] = 0xffffffff\nset dims[1] = 0x80000001\nset dims[2] = 0x7fffffff",
    ),
    Breaker::new("idx/truncated-payload", wide, "cut end - 1"),
    Breaker::new("idx/trailing-bytes", wide, "append x\"00\""),
    Breaker::new("idx/little-endian-header", reversed, ""),
    Breaker::new("idx/scalar", scalar, ""),
    Breaker::new("idx/many-dimensions", deep, ""),
    Breaker::new("idx/implausible-byte-order", swapped, ""),
];

fn made(draft: &FileParts) -> Option<ForgedFile> {
    put_together(draft).map(ForgedFile::unknown)
}

fn array(element_type: ElementType, dims: Vec<u64>, payload: Vec<u8>) -> FileParts {
    FileParts { element_type, grid: Grid { dims, item: element_type.size(), payload }, rest: Vec::new() }
}

fn wide(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    made(&valid::wide(choices))
}

/// Creates an array with three axes.
fn cube(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let dims: Vec<u64> = (0..3).map(|_| choices.from_to(1, 4)).collect();
    let length = dims.iter().product::<u64>() as usize;
    made(&array(ElementType::U8, dims, choices.bytes(length)))
}

/// Creates a file whose header is in native byte order.
fn reversed(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let draft = valid::wide(choices);
    let header = 4 + 4 * draft.grid.dims.len();
    let mut bytes = put_together(&draft)?;
    bytes.get_mut(..header)?.chunks_mut(4).for_each(<[u8]>::reverse);
    Some(ForgedFile::unknown(bytes))
}

fn scalar(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let element_type = *choices.pick(ElementType::ALL);
    let payload = elements(choices, Sort::Plain, element_type.size() as usize, 1, Endian::Big);
    made(&array(element_type, Vec::new(), payload))
}

fn deep(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let axes = choices.from_to(65, 80) as usize;
    let mut dims = vec![1; axes];
    let extent = choices.from_to(1, 4);
    dims[choices.index(axes)] = extent;
    made(&array(ElementType::U8, dims, choices.bytes(extent as usize)))
}

/// Creates elements in native byte order.
fn swapped(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (element_type, sort) = *choices.pick(&[
        (ElementType::I16, Sort::Plain),
        (ElementType::I32, Sort::Plain),
        (ElementType::F64, Sort::Float(11)),
    ]);
    let item = element_type.size() as usize;
    let count = choices.from_to(4, 12);
    let mut payload = Vec::new();
    for _ in 0..count {
        match sort {
            Sort::Plain => payload.extend(&choices.from_to(1, 100).to_le_bytes()[..item]),
            // Small numbers have few bits in the fraction, followed by zeros.
            Sort::Float(_) => payload.extend(((1023 + choices.below(8)) << 52).to_le_bytes()),
        }
    }
    made(&array(element_type, vec![count], payload))
}
