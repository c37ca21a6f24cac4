//! MessagePack: self-describing values. `cargo run -p everybyte-tests --example msgpack -- explain FILE`
//!
//! Source: `spec.md` of msgpack/msgpack. Section names below refer to its part "Formats".

use everybyte::{Format, codes, layout, list::filling, text::Text};

/// Values, one after the other.
#[layout]
#[brw(big)]
pub struct MessagePack {
    #[br(parse_with = filling(u64::MAX))]
    values: Vec<Value>,
}

/// A tag, and what follows it. "Overview": a table of all tags.
#[layout]
struct Value {
    /// With a small number, or a small length.
    #[layout(steady)]
    tag: u8,
    #[layout(inline)]
    #[br(args(tag))]
    body: Body,
}

/// The content of a value.
#[layout(match = tag)]
#[br(import(tag: u8))]
enum Body {
    /// "int format family": 0 to 127, and -32 to -1.
    #[when(0x00..=0x7F | 0xE0..=0xFF)]
    Small {},
    /// "map format family": up to 15 pairs.
    #[when(0x80..=0x8F)]
    SmallMap {
        #[br(count = tag & 15)]
        pairs: Vec<Pair>,
    },
    /// "array format family": up to 15 values.
    #[when(0x90..=0x9F)]
    SmallArray {
        #[br(count = tag & 15)]
        items: Vec<Value>,
    },
    /// "str format family": up to 31 bytes.
    #[when(0xA0..=0xBF)]
    SmallText {
        #[layout(fact)]
        #[br(count = tag & 31)]
        text: Text,
    },
    /// "nil format" and "bool format family".
    #[when(0xC0 | 0xC2 | 0xC3)]
    Constant {},
    /// "bin format family".
    #[when(0xC4)]
    Bin8 {
        #[br(temp)]
        length: u8,
        #[br(count = length)]
        bytes: Vec<u8>,
    },
    #[when(0xC5)]
    Bin16 {
        #[br(temp)]
        length: u16,
        #[br(count = length)]
        bytes: Vec<u8>,
    },
    #[when(0xC6)]
    Bin32 {
        #[br(temp)]
        length: u32,
        #[br(count = length)]
        bytes: Vec<u8>,
    },
    /// "ext format family".
    #[when(0xC7)]
    Ext8 {
        #[br(temp)]
        length: u8,
        #[layout(fact)]
        #[layout(rule("msgpack/timestamp", error, kind != Extension::TIMESTAMP || length == 12, "a timestamp does not have {length} bytes"))]
        kind: Extension,
        #[br(count = length)]
        bytes: Vec<u8>,
    },
    #[when(0xC8)]
    Ext16 {
        #[br(temp)]
        length: u16,
        #[layout(fact)]
        #[layout(rule("msgpack/timestamp", error, kind != Extension::TIMESTAMP, "a timestamp does not have {length} bytes"))]
        kind: Extension,
        #[br(count = length)]
        bytes: Vec<u8>,
    },
    #[when(0xC9)]
    Ext32 {
        #[br(temp)]
        length: u32,
        #[layout(fact)]
        #[layout(rule("msgpack/timestamp", error, kind != Extension::TIMESTAMP, "a timestamp does not have {length} bytes"))]
        kind: Extension,
        #[br(count = length)]
        bytes: Vec<u8>,
    },
    /// "float format family".
    #[when(0xCA)]
    F32 {
        #[layout(fact)]
        number: f32,
    },
    #[when(0xCB)]
    F64 {
        #[layout(fact)]
        number: f64,
    },
    #[when(0xCC)]
    U8 {
        #[layout(fact)]
        number: u8,
    },
    #[when(0xCD)]
    U16 {
        #[layout(fact)]
        number: u16,
    },
    #[when(0xCE)]
    U32 {
        #[layout(fact)]
        number: u32,
    },
    #[when(0xCF)]
    U64 {
        #[layout(fact)]
        number: u64,
    },
    #[when(0xD0)]
    I8 {
        #[layout(fact)]
        number: i8,
    },
    #[when(0xD1)]
    I16 {
        #[layout(fact)]
        number: i16,
    },
    #[when(0xD2)]
    I32 {
        #[layout(fact)]
        number: i32,
    },
    #[when(0xD3)]
    I64 {
        #[layout(fact)]
        number: i64,
    },
    /// 1, 2, 4, 8 or 16 bytes.
    #[when(0xD4..=0xD8)]
    SmallExt {
        #[layout(fact)]
        #[layout(rule("msgpack/timestamp", error, kind != Extension::TIMESTAMP || matches!(tag, 0xD6 | 0xD7), "a timestamp has 4, 8 or 12 bytes"))]
        kind: Extension,
        #[br(count = 1 << (tag - 0xD4))]
        bytes: Vec<u8>,
    },
    #[when(0xD9)]
    Text8 {
        #[br(temp)]
        length: u8,
        #[layout(fact)]
        #[br(count = length)]
        text: Text,
    },
    #[when(0xDA)]
    Text16 {
        #[br(temp)]
        length: u16,
        #[layout(fact)]
        #[br(count = length)]
        text: Text,
    },
    #[when(0xDB)]
    Text32 {
        #[br(temp)]
        length: u32,
        #[layout(fact)]
        #[br(count = length)]
        text: Text,
    },
    #[when(0xDC)]
    Array16 {
        #[br(temp)]
        count: u16,
        #[br(count = count)]
        items: Vec<Value>,
    },
    #[when(0xDD)]
    Array32 {
        #[br(temp)]
        count: u32,
        #[br(count = count)]
        items: Vec<Value>,
    },
    #[when(0xDE)]
    Map16 {
        #[br(temp)]
        count: u16,
        #[br(count = count)]
        pairs: Vec<Pair>,
    },
    #[when(0xDF)]
    Map32 {
        #[br(temp)]
        count: u32,
        #[br(count = count)]
        pairs: Vec<Pair>,
    },
}

/// A key, and what it stands for.
#[layout]
struct Pair {
    key: Value,
    value: Value,
}

codes! {
    /// The type of an extension: programs have those from 0 to 127 for themselves.
    struct Extension(i8) {
        /// Seconds since 1970, with nanoseconds if there are 8 or 12 bytes. "Timestamp extension type".
        TIMESTAMP = -1 => "timestamp";
    }
}

impl Format for MessagePack {
    const NAME: &'static str = "MessagePack";
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<MessagePack>()
}
