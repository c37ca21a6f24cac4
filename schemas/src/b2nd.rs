//! b2nd: the metalayer that makes an n-dimensional array of a Blosc2 frame.
//!
//! Source of the rules: the description that comes with C-Blosc2, and the files that it writes.

use crate::blosc2::{AxesHead, Int32, Int64, Marker};
use everybyte::{Value, layout};

/// The name of the metalayer.
pub const METALAYER: &[u8] = b"b2nd";

/// The name that it had in caterva, before b2nd.
pub const OLD_METALAYER: &[u8] = b"caterva";

/// The shape of an array, its chunks and blocks, and the type of its items.
#[layout]
#[brw(big)]
pub struct ArrayLayer {
    /// Number of the parts that follow.
    pub parts: Parts,
    /// Version of the metalayer; 0, the only one so far.
    #[layout(steady)]
    pub version: u8,
    /// Number of axes.
    #[layout(counts = shape.extents)]
    pub ndim: u8,
    /// The dimensions of the array.
    #[br(args { ndim })]
    pub shape: Shape,
    /// The dimensions of a chunk.
    #[br(args { ndim })]
    pub chunk_shape: InnerShape,
    /// The dimensions of a block.
    #[br(args { ndim })]
    pub block_shape: InnerShape,
    /// The type of the items; present in b2nd, missing in caterva.
    #[br(if(parts.have_dtype()))]
    pub dtype: Option<DtypeText>,
}

/// The head of an [`ArrayLayer`].
#[layout(name = "msgpack array", expected = [Parts::WITH_DTYPE.0, Parts::WITHOUT_DTYPE.0], value = Value::Uint((self.0 - 0x90).into()))]
#[derive(Copy, Eq, Hash)]
pub struct Parts(u8);

impl Parts {
    /// As caterva wrote it.
    pub const WITHOUT_DTYPE: Parts = Parts(0x95);
    /// As b2nd writes it.
    pub const WITH_DTYPE: Parts = Parts(0x97);

    /// Returns whether the last part is there.
    pub fn have_dtype(self) -> bool {
        self == Parts::WITH_DTYPE
    }
}

/// The dimensions of an array, the last axis varying fastest.
#[layout]
#[brw(big)]
#[br(import { ndim: u8 })]
pub struct Shape {
    /// Head of the dimensions.
    #[layout(counts = extents)]
    #[br(args(ndim))]
    pub head: AxesHead,
    /// The length of each axis.
    #[layout(fact)]
    #[br(count = ndim)]
    pub extents: Vec<Int64>,
}

/// The dimensions of a chunk or a block.
#[layout]
#[brw(big)]
#[br(import { ndim: u8 })]
pub struct InnerShape {
    /// Head of the dimensions.
    #[layout(counts = extents)]
    #[br(args(ndim))]
    pub head: AxesHead,
    /// The length of each axis.
    #[layout(fact)]
    #[br(count = ndim)]
    pub extents: Vec<Int32>,
}

/// The type of the items, in words.
#[layout]
#[brw(big)]
pub struct DtypeText {
    /// The language of the words; 0 is NumPy's, the only defined one.
    #[layout(fact)]
    pub format: u8,
    /// The words.
    pub text: Str32,
}

/// `db`, a string with a length of 32 bits.
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
