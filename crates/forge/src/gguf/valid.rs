//! Complete valid GGUF files.

use super::super::elements::{Sort, elements};
use super::super::forged_file::{Content, ForgedFile};
use super::super::grid::{extents, room};
use super::file_parts::{Order, Tensor};
use everybyte::Endian;
use everybyte::forge::Choices;
use ndbytes_schemas::gguf::{Element, Gguf, Kind};

/// An element type, how its numbers are chosen, and its item type in files of each byte order.
type Sorted = (Element, Sort, [&'static str; 2]);

/// The types of plain elements.
const TYPES: [Sorted; 8] = [
    (Element::F32, Sort::Float(8), ["<f4", ">f4"]),
    (Element::F16, Sort::Float(5), ["<f2", ">f2"]),
    (Element::I8, Sort::Plain, ["|i1", "|i1"]),
    (Element::I16, Sort::Plain, ["<i2", ">i2"]),
    (Element::I32, Sort::Plain, ["<i4", ">i4"]),
    (Element::I64, Sort::Plain, ["<i8", ">i8"]),
    (Element::F64, Sort::Float(11), ["<f8", ">f8"]),
    (Element::BF16, Sort::Float(8), ["", ""]),
];

/// Block types: the supported ones, and two others.
const BLOCKS: [Element; 9] = [
    Element::Q4_0,
    Element::Q4_1,
    Element::Q5_0,
    Element::Q5_1,
    Element::Q8_0,
    Element::Q4_K,
    Element::Q6_K,
    Element::Q2_K,
    Element::MXFP4,
];

/// The maximum number of tensors.
const MOST: u64 = 6;

fn name(choices: &mut Choices<'_>, number: usize) -> Vec<u8> {
    let part = *choices.pick(&["attn_q.weight", "ffn_norm.weight", "bias", "", "a b"]);
    format!("blk.{number}.{part}").into_bytes()
}

/// Creates a tensor of plain elements.
fn plain(choices: &mut Choices<'_>, number: usize, sorted: Sorted, (size, order): (usize, Endian)) -> Tensor {
    let (element, sort, _) = sorted;
    let width = element.bytes();
    let axes = choices.from_to(1, Gguf::MOST_AXES as u64);
    let room = room(choices, size);
    let shape = extents(choices, axes, width, room);
    let count = shape.iter().product::<u64>() as usize;
    let bytes = elements(choices, sort, width as usize, count, order);
    Tensor { name: name(choices, number), element, axes: shape.into_iter().rev().collect(), bytes }
}

/// Creates a tensor of blocks.
fn blocks(choices: &mut Choices<'_>, number: usize, size: usize) -> Tensor {
    let element = *choices.pick(&BLOCKS);
    let width = element.bytes() as usize;
    let count = choices.small((size / width).max(1) as u64);
    let bytes = choices.bytes(width * count as usize);
    Tensor { name: name(choices, number), element, axes: vec![element.block() * count], bytes }
}

/// Creates metadata of some types.
fn facts(choices: &mut Choices<'_>, order: Order) -> Vec<Vec<u8>> {
    let mut facts = Vec::new();
    if choices.one_in(2) {
        facts.push(order.fact(b"general.architecture", Kind::String, &order.text(b"llama")));
    }
    if choices.one_in(3) {
        facts.push(order.fact(b"llama.block_count", Kind::U32, &order.u32(choices.small(64) as u32)));
    }
    if choices.one_in(3) {
        facts.push(order.fact(b"tokenizer.ggml.add_bos_token", Kind::Bool, &[choices.one_in(2).into()]));
    }
    if choices.one_in(3) {
        let count = choices.small(5);
        let items: Vec<u8> = (0..count).flat_map(|number| order.text(format!("<{number}>").as_bytes())).collect();
        let list = [order.u32(Kind::String as u32), order.u64(count), items].concat();
        facts.push(order.fact(b"tokenizer.ggml.tokens", Kind::Array, &list));
    }
    if choices.one_in(4) {
        facts.push(order.fact(b"general.alignment", Kind::U32, &order.u32(32)));
    }
    facts
}

/// Creates a file of at most about `size` bytes.
pub(super) fn whole(choices: &mut Choices<'_>, size: usize) -> ForgedFile {
    let order = if choices.one_in(8) { Endian::Big } else { Endian::Little };
    let number = if choices.one_in(2) { 1 } else { choices.small(MOST) as usize };
    let each = size / number.max(1);
    let mut sorts = Vec::new();
    let mut tensors = Vec::new();
    for number in 0..number {
        if choices.one_in(3) {
            sorts.push("");
            tensors.push(blocks(choices, number, each));
        } else {
            let sorted = *choices.pick(&TYPES);
            sorts.push(sorted.2[usize::from(order == Endian::Big)]);
            tensors.push(plain(choices, number, sorted, (each, order)));
        }
    }
    let facts = facts(choices, Order(order));
    let bytes = Order(order).file(&facts, &tensors);
    match (&*tensors, &*sorts) {
        ([tensor], [item_type]) if !item_type.is_empty() => {
            let shape = tensor.axes.iter().rev().copied().collect();
            ForgedFile::new(
                bytes,
                Content::Array { item_type: (*item_type).to_owned(), shape, items: tensor.bytes.clone() },
            )
        }
        _ => ForgedFile::unknown(bytes),
    }
}
