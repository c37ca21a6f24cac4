//! RawArray: one n-dimensional array after a header of 64-bit words, column-major.
//!
//! Source of the rules: the author's description, and the C, Python, Julia and Rust programs. The words are little-endian. However,
//! a big-endian host may have written all of them, including the magic, in its own byte order. Such a file has the same layout, but
//! big-endian.

use everybyte::bits::*;
use everybyte::{
    bytes::{Region, Rest},
    layout,
};

/// A file with one array.
#[layout]
#[brw(magic = 0x7961_7272_6177_6172u64)]
#[br(import { stored: Option<u64> = None })]
pub struct RawArray {
    /// How the elements are stored.
    pub flags: Flags,
    /// The class of the elements.
    pub eltype: Eltype,
    /// Bytes of one element; of both parts together for complex numbers.
    #[layout(fact)]
    pub elbyte: u64,
    /// Bytes of the data in the file; for Julia's LEB128 encoding, bytes before encoding.
    #[layout(extent = data)]
    pub size: u64,
    /// Number of axes.
    #[br(temp)]
    ndims: u64,
    /// The length of each axis; the first varies fastest.
    #[layout(fact)]
    #[br(count = ndims)]
    pub dims: Vec<u64>,
    /// The elements, encoded as the flags say.
    #[layout(payload)]
    #[br(args { length: stored.unwrap_or(size) })]
    pub data: Region,
    /// Any further bytes: free-form, not described by the header.
    pub metadata: Rest,
}

/// The classes of elements that the format defines.
#[layout]
#[brw(repr = u64)]
pub enum Eltype {
    /// Records whose content the file does not describe.
    Record = 0,
    /// Signed integers, two's complement.
    Signed = 1,
    /// Unsigned integers.
    Unsigned = 2,
    /// IEEE 754 numbers.
    Float = 3,
    /// Complex numbers: real and imaginary part.
    Complex = 4,
    /// 2-byte bfloat16 (Rust), or 1-byte booleans or 8-byte bit arrays (Julia).
    Disputed = 5,
}

/// How the elements are stored.
#[layout(bits = 64)]
pub struct Flags {
    /// The elements (not the header) are big-endian.
    pub big_endian: bool,
    /// The elements are compressed: one LZ4 block (C), or LEB128 numbers (Julia).
    pub encoded: bool,
    /// Each element is one bit (Julia's BitArray).
    pub bits: bool,
    /// No program defines these.
    pub reserved: B61,
}
