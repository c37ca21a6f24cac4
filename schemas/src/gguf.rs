//! GGUF: language models, with metadata and tensors.
//!
//! Source of the rules: `docs/gguf.md` of ggml, versions 2 and 3, and the `gguf` package. The byte order is not stated. It is the
//! order in which the version is a small number.

use everybyte::{
    bytes::{Region, Rest},
    codes, layout,
    text::Text,
};

/// A file of tensors.
#[layout]
#[br(import { padding: u64 = 0, data: u64 = u64::MAX })]
pub struct Gguf {
    /// Metadata, and the directory of tensors.
    pub header: Header,
    /// Padding up to a multiple of the alignment.
    #[br(args { length: padding })]
    pub padding: Region,
    /// The elements of all tensors. Offsets in the directory count from here.
    #[layout(payload)]
    #[br(args { length: data })]
    pub tensors: Region,
    /// Any further bytes.
    pub trailing: Rest,
}

/// Metadata, and the directory of tensors.
#[layout]
#[brw(magic = b"GGUF")]
pub struct Header {
    /// The version of the format.
    #[layout(steady)]
    pub version: u32,
    /// Number of tensors.
    #[br(temp)]
    tensor_count: u64,
    /// Number of metadata entries.
    #[br(temp)]
    fact_count: u64,
    /// Metadata about the model.
    #[br(count = fact_count)]
    pub facts: Vec<Fact>,
    /// The type, shape and offset of each tensor.
    #[br(count = tensor_count)]
    pub directory: Vec<Entry>,
}

/// A text with its length.
#[layout]
pub struct String64 {
    /// Bytes of the text.
    #[br(temp)]
    length: u64,
    /// The text.
    #[layout(fact)]
    #[br(count = length)]
    pub text: Text,
}

/// A key and its value.
#[layout]
pub struct Fact {
    /// Lowercase words, separated by dots.
    pub key: String64,
    /// The type of the value.
    #[layout(steady)]
    pub kind: Kind,
    /// The value.
    #[layout(inline)]
    #[br(args(kind))]
    pub value: Value,
}

/// The type of a value.
#[layout]
#[brw(repr = u32)]
pub enum Kind {
    /// An unsigned 8-bit integer.
    U8 = 0,
    /// A signed 8-bit integer.
    I8 = 1,
    /// An unsigned 16-bit integer.
    U16 = 2,
    /// A signed 16-bit integer.
    I16 = 3,
    /// An unsigned 32-bit integer.
    U32 = 4,
    /// A signed 32-bit integer.
    I32 = 5,
    /// A single-precision number.
    F32 = 6,
    /// 0 or 1.
    Bool = 7,
    /// A text.
    String = 8,
    /// Values of one type.
    Array = 9,
    /// An unsigned 64-bit integer.
    U64 = 10,
    /// A signed 64-bit integer.
    I64 = 11,
    /// A double-precision number.
    F64 = 12,
}

/// A value, whose type is stated before it.
#[layout(match = kind)]
#[br(import(kind: Kind))]
pub enum Value {
    /// An unsigned 8-bit integer.
    #[when(Kind::U8)]
    U8 {
        /// The value.
        #[layout(fact)]
        value: u8,
    },
    /// A signed 8-bit integer.
    #[when(Kind::I8)]
    I8 {
        /// The value.
        #[layout(fact)]
        value: i8,
    },
    /// An unsigned 16-bit integer.
    #[when(Kind::U16)]
    U16 {
        /// The value.
        #[layout(fact)]
        value: u16,
    },
    /// A signed 16-bit integer.
    #[when(Kind::I16)]
    I16 {
        /// The value.
        #[layout(fact)]
        value: i16,
    },
    /// An unsigned 32-bit integer.
    #[when(Kind::U32)]
    U32 {
        /// The value.
        #[layout(fact)]
        value: u32,
    },
    /// A signed 32-bit integer.
    #[when(Kind::I32)]
    I32 {
        /// The value.
        #[layout(fact)]
        value: i32,
    },
    /// A single-precision number.
    #[when(Kind::F32)]
    F32 {
        /// The value.
        #[layout(fact)]
        value: f32,
    },
    /// 0 or 1.
    #[when(Kind::Bool)]
    Bool {
        /// The value.
        #[layout(fact)]
        value: u8,
    },
    /// A text.
    #[when(Kind::String)]
    String {
        /// The value.
        value: String64,
    },
    /// Values of one type.
    #[when(Kind::Array)]
    Array {
        /// The type of the values.
        #[layout(steady)]
        item_kind: Kind,
        /// Number of values.
        #[br(temp)]
        count: u64,
        /// The values.
        #[br(count = count, args { inner: (item_kind,) })]
        items: Vec<Value>,
    },
    /// An unsigned 64-bit integer.
    #[when(Kind::U64)]
    U64 {
        /// The value.
        #[layout(fact)]
        value: u64,
    },
    /// A signed 64-bit integer.
    #[when(Kind::I64)]
    I64 {
        /// The value.
        #[layout(fact)]
        value: i64,
    },
    /// A double-precision number.
    #[when(Kind::F64)]
    F64 {
        /// The value.
        #[layout(fact)]
        value: f64,
    },
}

/// A tensor in the directory.
#[layout]
pub struct Entry {
    /// Its name.
    pub name: String64,
    /// Number of axes.
    #[br(temp)]
    rank: u32,
    /// Length of each axis, the fastest first.
    #[layout(steady)]
    #[br(count = rank)]
    pub extents: Vec<u64>,
    /// The type of the elements.
    #[layout(steady)]
    pub element: Element,
    /// The offset of its first byte from the beginning of all tensors.
    #[layout(place = outer::tensors, after = outer::padding)]
    pub offset: u64,
}

codes! {
    /// The type of the elements, with the number of elements and bytes per block.
    pub struct Element(u32) {
        /// Single precision.
        F32 = 0 => "F32", block = 1, bytes = 4;
        /// Half precision.
        F16 = 1 => "F16", block = 1, bytes = 2;
        /// 4 bits each, with a scale per block.
        Q4_0 = 2 => "Q4_0", block = 32, bytes = 18;
        /// 4 bits each, with a scale and an offset per block.
        Q4_1 = 3 => "Q4_1", block = 32, bytes = 20;
        /// 5 bits each, with a scale per block.
        Q5_0 = 6 => "Q5_0", block = 32, bytes = 22;
        /// 5 bits each, with a scale and an offset per block.
        Q5_1 = 7 => "Q5_1", block = 32, bytes = 24;
        /// 8 bits each, with a scale per block.
        Q8_0 = 8 => "Q8_0", block = 32, bytes = 34;
        /// 8 bits each, with a scale and a sum per block.
        Q8_1 = 9 => "Q8_1", block = 32, bytes = 40;
        /// 2 bits each, with scales and offsets for parts of the block.
        Q2_K = 10 => "Q2_K", block = 256, bytes = 84;
        /// 3 bits each, with scales for parts of the block.
        Q3_K = 11 => "Q3_K", block = 256, bytes = 110;
        /// 4 bits each, with scales and offsets for parts of the block.
        Q4_K = 12 => "Q4_K", block = 256, bytes = 144;
        /// 5 bits each, with scales and offsets for parts of the block.
        Q5_K = 13 => "Q5_K", block = 256, bytes = 176;
        /// 6 bits each, with scales for parts of the block.
        Q6_K = 14 => "Q6_K", block = 256, bytes = 210;
        /// 8 bits each, with a scale and sums per block.
        Q8_K = 15 => "Q8_K", block = 256, bytes = 292;
        /// 2 bits each, using a table of points.
        IQ2_XXS = 16 => "IQ2_XXS", block = 256, bytes = 66;
        /// 2 bits each, using a table of points.
        IQ2_XS = 17 => "IQ2_XS", block = 256, bytes = 74;
        /// 3 bits each, using a table of points.
        IQ3_XXS = 18 => "IQ3_XXS", block = 256, bytes = 98;
        /// 1.6 bits each, using a table of points.
        IQ1_S = 19 => "IQ1_S", block = 256, bytes = 50;
        /// 4 bits each, using a table of values.
        IQ4_NL = 20 => "IQ4_NL", block = 32, bytes = 18;
        /// 3 bits each, using a table of points.
        IQ3_S = 21 => "IQ3_S", block = 256, bytes = 110;
        /// 2 bits each, using a table of points.
        IQ2_S = 22 => "IQ2_S", block = 256, bytes = 82;
        /// 4 bits each, using a table of values.
        IQ4_XS = 23 => "IQ4_XS", block = 256, bytes = 136;
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
        /// 1.8 bits each, using a table of points.
        IQ1_M = 29 => "IQ1_M", block = 256, bytes = 56;
        /// The upper half of a single-precision number.
        BF16 = 30 => "BF16", block = 1, bytes = 2;
        /// One of three values each, five per byte.
        TQ1_0 = 34 => "TQ1_0", block = 256, bytes = 54;
        /// One of three values each, four per byte.
        TQ2_0 = 35 => "TQ2_0", block = 256, bytes = 66;
        /// 4-bit floats, with a power of two per block.
        MXFP4 = 39 => "MXFP4", block = 32, bytes = 17;
        /// 4-bit floats, with 8-bit scales for parts of the block.
        NVFP4 = 40 => "NVFP4", block = 64, bytes = 36;
        /// 1 bit each, with a scale per block.
        Q1_0 = 41 => "Q1_0", block = 128, bytes = 18;
    }
}

impl Kind {
    /// The length of a value in bytes; `None` for strings and lists, which state their own length.
    pub fn width(self) -> Option<u64> {
        match self {
            Kind::U8 | Kind::I8 | Kind::Bool => Some(1),
            Kind::U16 | Kind::I16 => Some(2),
            Kind::U32 | Kind::I32 | Kind::F32 => Some(4),
            Kind::U64 | Kind::I64 | Kind::F64 => Some(8),
            Kind::String | Kind::Array => None,
        }
    }
}

impl Gguf {
    /// The number of bytes before the metadata.
    pub const PREFIX: usize = 24;

    /// The first bytes.
    pub const MAGIC: [u8; 4] = *b"GGUF";

    /// The latest version. Unlike version 2, it allows big-endian files.
    pub const VERSION: u32 = 3;

    /// The alignment of files that do not state one.
    pub const ALIGNMENT: u64 = 32;

    /// The maximum length of a tensor's name in bytes.
    pub const LONGEST_NAME: usize = 64;

    /// The maximum number of axes of a tensor.
    pub const MOST_AXES: usize = 4;
}
