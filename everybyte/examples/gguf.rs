//! GGUF: language models, with their metadata and tensors. `cargo run -p everybyte-tests --example gguf -- explain FILE`
//!
//! Source: `docs/gguf.md` of ggml, version 3; block sizes from `ggml-common.h`.

use everybyte::{Format, bytes::Align, codes, layout, text::Text};
use std::collections::BTreeSet;

/// Facts, the directory of tensors, and the tensors.
#[layout]
#[brw(little, magic = b"GGUF")]
pub struct Gguf {
    #[layout(steady, rule("gguf/version", error, matches!(version, 2 | 3), "version {version} is not declared"))]
    version: u32,
    #[br(temp)]
    tensor_count: u64,
    #[br(temp)]
    fact_count: u64,
    #[layout(rule("gguf/key", error, facts.iter().map(|fact| fact.key.text.bytes()).collect::<BTreeSet<_>>().len() == facts.len(), "a key stands twice"))]
    #[br(count = fact_count)]
    facts: Vec<Fact>,
    #[layout(rule("gguf/name", error, tensors.iter().map(|tensor| tensor.name.text.bytes()).collect::<BTreeSet<_>>().len() == tensors.len(), "a name stands twice"))]
    #[br(count = tensor_count)]
    tensors: Vec<Tensor>,
    /// The offset of each tensor is a multiple of this many bytes.
    #[br(temp, calc = facts.iter().find_map(|fact| match (fact.key.text.bytes(), &fact.value) {
        (b"general.alignment", Value::U32 { value: value @ 1.. }) => Some(u64::from(*value)),
        _ => None,
    }).unwrap_or(32))]
    #[bw(ignore)]
    #[layout(value)]
    alignment: u64,
    #[br(args { to: alignment })]
    padding: Align<32>,
    #[br(args(alignment, tensor.extents.iter().product::<u64>() / tensor.element.block() * tensor.element.bytes()))]
    #[layout(each(tensor in tensors), at = tensor.offset, after = padding)]
    data: Vec<Data>,
}

/// A text and its length.
#[layout]
struct String64 {
    #[br(temp)]
    length: u64,
    #[layout(fact)]
    #[br(count = length)]
    text: Text,
}

/// A name, and what it stands for.
#[layout]
struct Fact {
    key: String64,
    #[layout(steady)]
    kind: Kind,
    #[layout(inline)]
    #[br(args(kind))]
    value: Value,
}

/// The type of a value.
#[layout]
#[brw(repr = u32)]
enum Kind {
    U8 = 0,
    I8 = 1,
    U16 = 2,
    I16 = 3,
    U32 = 4,
    I32 = 5,
    F32 = 6,
    Bool = 7,
    String = 8,
    Array = 9,
    U64 = 10,
    I64 = 11,
    F64 = 12,
}

/// A value of a type that stands before it.
#[layout(match = kind)]
#[br(import(kind: Kind))]
enum Value {
    #[when(Kind::U8)]
    U8 {
        #[layout(fact)]
        value: u8,
    },
    #[when(Kind::I8)]
    I8 {
        #[layout(fact)]
        value: i8,
    },
    #[when(Kind::U16)]
    U16 {
        #[layout(fact)]
        value: u16,
    },
    #[when(Kind::I16)]
    I16 {
        #[layout(fact)]
        value: i16,
    },
    #[when(Kind::U32)]
    U32 {
        #[layout(fact)]
        value: u32,
    },
    #[when(Kind::I32)]
    I32 {
        #[layout(fact)]
        value: i32,
    },
    #[when(Kind::F32)]
    F32 {
        #[layout(fact)]
        value: f32,
    },
    #[when(Kind::Bool)]
    Bool {
        #[layout(rule("gguf/bool", error, value < 2, "a boolean is 0 or 1"))]
        value: u8,
    },
    #[when(Kind::String)]
    String { value: String64 },
    #[when(Kind::Array)]
    Array {
        #[layout(steady)]
        item_kind: Kind,
        #[br(temp)]
        count: u64,
        #[br(count = count, args { inner: (item_kind,) })]
        items: Vec<Value>,
    },
    #[when(Kind::U64)]
    U64 {
        #[layout(fact)]
        value: u64,
    },
    #[when(Kind::I64)]
    I64 {
        #[layout(fact)]
        value: i64,
    },
    #[when(Kind::F64)]
    F64 {
        #[layout(fact)]
        value: f64,
    },
}

/// An entry of the directory.
#[layout]
struct Tensor {
    name: String64,
    #[br(temp)]
    #[layout(rule("gguf/rank", error, rank <= 4, "a tensor has at most 4 axes"))]
    rank: u32,
    #[layout(steady)]
    #[br(count = rank)]
    extents: Vec<u64>,
    #[layout(steady)]
    #[layout(rule("gguf/row", error, !matches!(element.0, 2..=8) || extents.first().is_some_and(|row| row % 32 == 0), "blocks of 32 elements do not fill a row"))]
    #[layout(rule("gguf/element", error, element.name().is_some(), "elements of type {} are not declared", element.0))]
    element: Element,
    /// From the beginning of the data.
    #[layout(place = outer::data, after = outer::padding)]
    #[layout(rule("gguf/offset", error, offset % 8 == 0, "a tensor stands at a multiple of 8 bytes"))]
    offset: u64,
}

codes! {
    /// The type of the elements: how many a block has, and the bytes of a block.
    struct Element(u32) {
        /// Single precision.
        F32 = 0 => "F32", block = 1, bytes = 4;
        /// Half precision.
        F16 = 1 => "F16", block = 1, bytes = 2;
        /// 4 bits each, and a scale for the block.
        Q4_0 = 2 => "Q4_0", block = 32, bytes = 18;
        /// 4 bits each, a scale and an offset for the block.
        Q4_1 = 3 => "Q4_1", block = 32, bytes = 20;
        /// 5 bits each, and a scale for the block.
        Q5_0 = 6 => "Q5_0", block = 32, bytes = 22;
        /// 5 bits each, a scale and an offset for the block.
        Q5_1 = 7 => "Q5_1", block = 32, bytes = 24;
        /// 8 bits each, and a scale for the block.
        Q8_0 = 8 => "Q8_0", block = 32, bytes = 34;
        /// Whole numbers.
        I8 = 24 => "I8", block = 1, bytes = 1;
        /// Whole numbers.
        I16 = 25 => "I16", block = 1, bytes = 2;
        /// Whole numbers.
        I32 = 26 => "I32", block = 1, bytes = 4;
        /// Whole numbers.
        I64 = 27 => "I64", block = 1, bytes = 8;
        /// Double precision.
        F64 = 28 => "F64", block = 1, bytes = 8;
        /// The upper half of single precision.
        BF16 = 30 => "BF16", block = 1, bytes = 2;
    }
}

/// The elements of a tensor.
#[layout]
#[br(import(alignment: u64, length: u64))]
struct Data {
    #[layout(payload)]
    #[br(count = length)]
    elements: Vec<u8>,
    #[br(args { to: alignment })]
    padding: Align<32>,
}

impl Format for Gguf {
    const NAME: &'static str = "GGUF";
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Gguf>()
}
