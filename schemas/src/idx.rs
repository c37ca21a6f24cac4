//! IDX, the format of the MNIST files: one n-dimensional array, big-endian, row-major.
//!
//! Source of the rules: Lush's documentation of its `idx` files and Yann LeCun's page on the MNIST data.

use everybyte::{ByteOrder, Format, Layout, Region, Zeros, layout};

/// A file with one array: everything is big-endian, the last axis varies fastest.
#[layout]
#[brw(big)]
pub struct Idx {
    /// Distinguishes IDX from other files, gzip above all, whose second byte is 0x8B.
    pub zero: Zeros<2>,
    /// The type of the elements.
    pub element_type: ElementType,
    /// Number of axes; a scalar has none.
    #[br(temp)]
    ndim: u8,
    /// Length of each axis, outermost first.
    #[layout(fact)]
    #[br(count = ndim)]
    pub dims: Vec<u32>,
    /// The elements, one after the other.
    #[layout(payload)]
    #[br(args { length: payload_length(element_type, &dims) })]
    pub payload: Region,
}

impl Idx {
    /// Offset of the element type.
    pub const TYPE_OFFSET: usize = <Zeros<2> as Layout>::MIN_SIZE as usize;
    /// Offset of the number of axes.
    pub const NDIM_OFFSET: usize = Self::TYPE_OFFSET + <ElementType as Layout>::MIN_SIZE as usize;
    /// Bytes of the longest header.
    pub const LONGEST_HEADER: usize = Self::MIN_SIZE as usize + u8::MAX as usize * size_of::<u32>();
}

impl Format for Idx {
    const NAME: &'static str = "IDX";
    const BYTE_ORDER: ByteOrder = ByteOrder::Big;
}

/// The element types that the format defines.
#[layout]
#[brw(big, repr = u8)]
pub enum ElementType {
    /// Unsigned 8-bit integer.
    U8 = 0x08,
    /// Signed 8-bit integer.
    I8 = 0x09,
    /// Signed 16-bit integer.
    I16 = 0x0B,
    /// Signed 32-bit integer.
    I32 = 0x0C,
    /// IEEE 754 number of 32 bits.
    F32 = 0x0D,
    /// IEEE 754 number of 64 bits.
    F64 = 0x0E,
}

impl ElementType {
    /// Bytes of one element.
    pub const fn size(self) -> u64 {
        match self {
            ElementType::U8 | ElementType::I8 => 1,
            ElementType::I16 => 2,
            ElementType::I32 | ElementType::F32 => 4,
            ElementType::F64 => 8,
        }
    }
}

/// Bytes that the elements take: their number, which is 1 without axes and 0 with an empty one, times the size of one.
/// `u64::MAX` if the number does not fit.
pub fn payload_length(element_type: ElementType, dims: &[u32]) -> u64 {
    if dims.contains(&0) {
        return 0;
    }
    let length = dims.iter().try_fold(element_type.size(), |length, &dim| length.checked_mul(u64::from(dim)));
    length.unwrap_or(u64::MAX)
}
