//! IDX, the format of the MNIST files: one n-dimensional array, big-endian, row-major.
//!
//! Source of the rules: Lush's documentation of its `idx` files and Yann LeCun's page on the MNIST data.

use everybyte::{
    Format, Layout,
    bytes::{Region, Zeros},
    layout,
    view::ByteOrder,
};

/// A file with one array: everything is big-endian, and the last axis varies fastest.
#[layout]
#[brw(big)]
pub struct Idx {
    /// Distinguishes IDX from other files, especially gzip, whose second byte is 0x8B.
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
    /// The elements, one after another.
    #[layout(payload)]
    #[br(args { length: payload_length(element_type, &dims) })]
    pub payload: Region,
}

impl Idx {
    /// The offset of the element type.
    pub const TYPE_OFFSET: usize = <Zeros<2> as Layout>::MIN_SIZE as usize;
    /// The offset of the number of axes.
    pub const NDIM_OFFSET: usize = Self::TYPE_OFFSET + <ElementType as Layout>::MIN_SIZE as usize;
    /// The offset of the length of the first axis.
    pub const DIMS_OFFSET: usize = Self::NDIM_OFFSET + size_of::<u8>();
    /// The maximum length of a header in bytes.
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
    /// 32-bit IEEE 754 number.
    F32 = 0x0D,
    /// 64-bit IEEE 754 number.
    F64 = 0x0E,
}

impl ElementType {
    /// The size of an element in bytes.
    pub const fn size(self) -> u64 {
        match self {
            ElementType::U8 | ElementType::I8 => 1,
            ElementType::I16 => 2,
            ElementType::I32 | ElementType::F32 => 4,
            ElementType::F64 => 8,
        }
    }
}

/// The length of the elements in bytes: their number (1 without axes, 0 if an axis is empty) times their size. `u64::MAX` on
/// overflow.
pub fn payload_length(element_type: ElementType, dims: &[u32]) -> u64 {
    if dims.contains(&0) {
        return 0;
    }
    let length = dims.iter().try_fold(element_type.size(), |length, &dim| length.checked_mul(u64::from(dim)));
    length.unwrap_or(u64::MAX)
}
