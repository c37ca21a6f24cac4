//! How the rules of IDX are broken.

use super::super::craft::Breaker;
use super::super::elements::{Sort, elements};
use super::super::grid::Grid;
use super::super::whole::Whole;
use super::draft::{Draft, put_together};
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

fn made(draft: &Draft) -> Option<Whole> {
    put_together(draft).map(Whole::unknown)
}

fn array(element_type: ElementType, dims: Vec<u64>, payload: Vec<u8>) -> Draft {
    Draft { element_type, grid: Grid { dims, item: element_type.size(), payload }, rest: Vec::new() }
}

fn wide(choices: &mut Choices<'_>) -> Option<Whole> {
    made(&valid::wide(choices))
}

/// Three axes.
fn cube(choices: &mut Choices<'_>) -> Option<Whole> {
    let dims: Vec<u64> = (0..3).map(|_| choices.from_to(1, 4)).collect();
    let length = dims.iter().product::<u64>() as usize;
    made(&array(ElementType::U8, dims, choices.bytes(length)))
}

/// A file whose header has the order of the machine.
fn reversed(choices: &mut Choices<'_>) -> Option<Whole> {
    let draft = valid::wide(choices);
    let header = 4 + 4 * draft.grid.dims.len();
    let mut bytes = put_together(&draft)?;
    bytes.get_mut(..header)?.chunks_mut(4).for_each(<[u8]>::reverse);
    Some(Whole::unknown(bytes))
}

fn scalar(choices: &mut Choices<'_>) -> Option<Whole> {
    let element_type = *choices.pick(ElementType::ALL);
    let payload = elements(choices, Sort::Plain, element_type.size() as usize, 1, Endian::Big);
    made(&array(element_type, Vec::new(), payload))
}

fn deep(choices: &mut Choices<'_>) -> Option<Whole> {
    let axes = choices.from_to(65, 80) as usize;
    let mut dims = vec![1; axes];
    let extent = choices.from_to(1, 4);
    dims[choices.index(axes)] = extent;
    made(&array(ElementType::U8, dims, choices.bytes(extent as usize)))
}

/// Elements in the order of the machine.
fn swapped(choices: &mut Choices<'_>) -> Option<Whole> {
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
            // Small numbers have few bits of mantissa, and zeros at the end.
            Sort::Float(_) => payload.extend(((1023 + choices.below(8)) << 52).to_le_bytes()),
        }
    }
    made(&array(element_type, vec![count], payload))
}
