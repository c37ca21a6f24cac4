//! GGUF: models of language, with their facts and tensors. `cargo run -p everybyte --example gguf -- explain FILE`
//!
//! Source: `docs/gguf.md` of ggml, version 3; sizes of blocks from `ggml-common.h`.

use everybyte::{Align, Format, Text, codes, layout};
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
    #[br(args { to: alignment(&facts) })]
    padding: Align<32>,
    #[br(args(alignment(&facts), size(&tensor.extents, tensor.element)))]
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
    element: Element,
    /// From the beginning of the data.
    #[layout(place = outer::data, after = outer::padding)]
    #[layout(rule("gguf/offset", error, offset % 8 == 0, "a tensor stands at a multiple of 8 bytes"))]
    offset: u64,
}

codes! {
    /// The type of the elements.
    struct Element(u32) {
        /// 4 bytes.
        F32 = 0 => "F32";
        /// 2 bytes.
        F16 = 1 => "F16";
        /// 18 bytes for 32 elements.
        Q4_0 = 2 => "Q4_0";
        /// 20 bytes for 32 elements.
        Q4_1 = 3 => "Q4_1";
        /// 22 bytes for 32 elements.
        Q5_0 = 6 => "Q5_0";
        /// 24 bytes for 32 elements.
        Q5_1 = 7 => "Q5_1";
        /// 34 bytes for 32 elements.
        Q8_0 = 8 => "Q8_0";
        /// 1 byte.
        I8 = 24 => "I8";
        /// 2 bytes.
        I16 = 25 => "I16";
        /// 4 bytes.
        I32 = 26 => "I32";
        /// 8 bytes.
        I64 = 27 => "I64";
        /// 8 bytes.
        F64 = 28 => "F64";
        /// 2 bytes.
        BF16 = 30 => "BF16";
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

/// Bytes of the elements. Those of unknown types are not known: it has more than any file.
fn size(extents: &[u64], element: Element) -> u64 {
    let (of, bytes) = match element.0 {
        0 | 26 => (1, 4),
        1 | 25 | 30 => (1, 2),
        24 => (1, 1),
        27 | 28 => (1, 8),
        2 => (32, 18),
        3 => (32, 20),
        6 => (32, 22),
        7 => (32, 24),
        8 => (32, 34),
        _ => (1, u64::MAX),
    };
    (extents.iter().fold(1, |all: u64, &extent| all.saturating_mul(extent)) / of).saturating_mul(bytes)
}

/// A multiple of this many bytes is the offset of each tensor.
fn alignment(facts: &[Fact]) -> u64 {
    let stated = facts.iter().find(|fact| fact.key.text.bytes() == b"general.alignment");
    match stated.map(|fact| &fact.value) {
        Some(Value::U32 { value: value @ 1.. }) => (*value).into(),
        _ => 32,
    }
}

impl Format for Gguf {
    const NAME: &'static str = "GGUF";
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Gguf>()
}
