//! b2nd: the metalayer that makes an n-dimensional array of a Blosc2 frame.
//!
//! Source of the rules: the description that comes with C-Blosc2, and the files that it writes.

use crate::blosc2::{AxesHead, Int32, Int64, Marker};
use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian};
use everybyte::{Layout, Problem, Value, layout};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, everybyte::Arbitrary)]
pub enum Parts {
    /// `95`: as caterva wrote it.
    WithoutDtype,
    /// `97`: as b2nd writes it.
    WithDtype,
}

impl Parts {
    /// Returns whether the last part is there.
    pub fn have_dtype(self) -> bool {
        self == Parts::WithDtype
    }
}

impl BinRead for Parts {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        let pos = reader.stream_position()?;
        match u8::read_options(reader, Endian::Big, ())? {
            0x95 => Ok(Parts::WithoutDtype),
            0x97 => Ok(Parts::WithDtype),
            found => {
                let err = Box::new(Problem::WrongMagic { expected: vec![0x97], found: vec![found] });
                Err(binrw::Error::Custom { pos, err })
            }
        }
    }
}

impl BinWrite for Parts {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        let head = if *self == Parts::WithDtype { 0x97 } else { 0x95 };
        Ok(writer.write_all(&[head])?)
    }
}

impl Layout for Parts {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = Some(1);

    fn type_name() -> String {
        "msgpack array".into()
    }

    fn value(&self) -> Value {
        Value::Uint(if *self == Parts::WithDtype { 7 } else { 5 })
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
    #[bw(try_calc = i32::try_from(bytes.len()))]
    length: i32,
    /// The bytes, in UTF-8.
    #[br(count = length)]
    pub bytes: Vec<u8>,
}
