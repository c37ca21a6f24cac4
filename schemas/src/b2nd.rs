//! b2nd: the metalayer that turns a Blosc2 frame into an n-dimensional array.
//!
//! Source of the rules: the description that comes with C-Blosc2, and the files that C-Blosc2 writes.

use crate::blosc2::{AxesHead, Int32, Int64, Marker};
use everybyte::{layout, map::Value};

/// The name of the metalayer.
pub const METALAYER: &[u8] = b"b2nd";

/// The name that caterva, b2nd's predecessor, uses for it.
pub const OLD_METALAYER: &[u8] = b"caterva";

/// The shape of an array, its chunks and blocks, and the type of its items.
#[layout]
#[brw(big)]
pub struct ArrayLayer {
    /// The number of parts that follow.
    pub parts: Parts,
    /// The version of the metalayer; 0 is the only one so far.
    #[layout(steady)]
    pub version: u8,
    /// Number of axes.
    #[layout(counts = shape.extents)]
    pub ndim: u8,
    /// The shape of the array.
    #[br(args { ndim })]
    pub shape: Shape,
    /// The shape of a chunk.
    #[br(args { ndim })]
    pub chunk_shape: InnerShape,
    /// The shape of a block.
    #[br(args { ndim })]
    pub block_shape: InnerShape,
    /// The type of the items; present in b2nd, missing in caterva.
    #[br(if(parts.have_dtype()))]
    pub dtype: Option<DtypeText>,
}

/// The head of an [`ArrayLayer`], which states the number of its parts.
#[layout(name = "msgpack array", expected = [Parts::WITH_DTYPE.0, Parts::WITHOUT_DTYPE.0], value = Value::Uint((self.0 - 0x90).into()))]
#[derive(Copy, Eq, Hash)]
pub struct Parts(u8);

impl Parts {
    /// The parts that caterva writes.
    pub const WITHOUT_DTYPE: Parts = Parts(0x95);
    /// The parts that b2nd writes.
    pub const WITH_DTYPE: Parts = Parts(0x97);

    /// Returns whether the last part is present.
    pub fn have_dtype(self) -> bool {
        self == Parts::WITH_DTYPE
    }
}

/// The shape of an array, with the last axis varying fastest.
#[layout]
#[brw(big)]
#[br(import { ndim: u8 })]
pub struct Shape {
    /// The head of the shape.
    #[layout(counts = extents)]
    #[br(args(ndim))]
    pub head: AxesHead,
    /// The length of each axis.
    #[layout(fact)]
    #[br(count = ndim)]
    pub extents: Vec<Int64>,
}

/// The shape of a chunk or block.
#[layout]
#[brw(big)]
#[br(import { ndim: u8 })]
pub struct InnerShape {
    /// The head of the shape.
    #[layout(counts = extents)]
    #[br(args(ndim))]
    pub head: AxesHead,
    /// The length of each axis.
    #[layout(fact)]
    #[br(count = ndim)]
    pub extents: Vec<Int32>,
}

/// The type of the items, as text.
#[layout]
#[brw(big)]
pub struct DtypeText {
    /// The notation of the type; only 0 (NumPy) is defined.
    #[layout(fact)]
    pub format: u8,
    /// The words.
    pub text: Str32,
}

/// `db`, a string with a 32-bit length.
#[layout]
#[brw(big)]
pub struct Str32 {
    /// `db`.
    pub head: Marker<0xdb>,
    /// Number of bytes.
    #[layout(extent = bytes)]
    #[br(temp)]
    length: i32,
    /// The bytes, in UTF-8.
    #[br(count = length)]
    pub bytes: Vec<u8>,
}
