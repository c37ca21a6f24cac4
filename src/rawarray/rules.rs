//! What a RawArray file may break.

use crate::rule::{Reference, Rule};

const AUTHOR: &str = "the format's description by its author";
const C: &str = "the C program `ra` and the Julia package RawArray.jl";
const JULIA: &str = "the Julia package RawArray.jl";

/// The file ends inside the header.
pub static TRUNCATED_HEADER: Rule = Rule::error(
    "rawarray/truncated-header",
    Reference::Refuses,
    "The header is 48 bytes and 8 more for every axis. A file that ends before has no array, whatever number of axes it \
     claims.",
    AUTHOR,
);
/// The first eight bytes are not the magic.
pub static BAD_MAGIC: Rule = Rule::error(
    "rawarray/bad-magic",
    Reference::Refuses,
    "A file begins with the ASCII characters `rawarray`, or with their reverse where the whole file is big-endian.",
    AUTHOR,
);
/// Flags are set that nobody defined.
pub static UNKNOWN_FLAGS: Rule = Rule::error(
    "rawarray/unknown-flags",
    Reference::Accepts,
    "Only the three lowest flags have a meaning. A flag that a reader does not know may change what the data are. The \
     reference reader refuses the known flags and accepts these.",
    C,
);
/// The flag for bit arrays where there can be none.
pub static INCONSISTENT_FLAGS: Rule = Rule::error(
    "rawarray/inconsistent-flags",
    Reference::Refuses,
    "The flag for bit arrays stands together with the flag for encoded data, on elements of class 5 and 8 bytes.",
    JULIA,
);
/// The class of the elements is not defined.
pub static UNKNOWN_TYPE: Rule = Rule::error(
    "rawarray/unknown-type",
    Reference::Refuses,
    "Classes of elements are 0 to 5. Higher ones are reserved.",
    AUTHOR,
);
/// The class has no elements of this width.
pub static BAD_WIDTH: Rule = Rule::error(
    "rawarray/bad-width",
    Reference::Refuses,
    "Integers have 1, 2, 4, 8 or 16 bytes, floats 2, 4 or 8, complex numbers 4, 8 or 16 in all, class 5 has 1 (Bool) or \
     2 (brain float), or 8 in a bit array; a record has at least 1.",
    "the C, Julia and Rust programs",
);
/// The extents multiply to more than any file can hold.
pub static SIZE_OVERFLOW: Rule = Rule::error(
    "rawarray/size-overflow",
    Reference::Refuses,
    "The product of all extents that are not zero, times the size of an element, fits 63 bits. No file can hold more, \
     and readers that multiply unchecked are led astray.",
    "NumPy and ndarray, which ask the same of a shape",
);
/// The extents multiply to the right size only because the product overflows.
pub static WRAPPING_DIMS: Rule = Rule::error(
    "rawarray/wrapping-dims",
    Reference::Accepts,
    "As for `rawarray/size-overflow`; but here the product, cut to 64 bits, is just what `size` says, so that a reader \
     that multiplies unchecked takes the file and has an array whose shape is a lie.",
    "NumPy and ndarray, which ask the same of a shape",
);
/// `size` is not what the extents give.
pub static SIZE_MISMATCH: Rule = Rule::error(
    "rawarray/size-mismatch",
    Reference::Refuses,
    "Unless the data are encoded, `size` is the number of elements times their width; of a bit array, 8 bytes for every 64 \
     elements.",
    AUTHOR,
);
/// The data are shorter than `size`.
pub static TRUNCATED_PAYLOAD: Rule =
    Rule::error("rawarray/truncated-payload", Reference::Refuses, "The file holds `size` bytes of data.", AUTHOR);
/// The encoded data can be read in two ways.
pub static AMBIGUOUS_ENCODING: Rule = Rule::error(
    "rawarray/ambiguous-encoding",
    Reference::Refuses,
    "The flag for encoded data means one LZ4 block to the C program, and LEB128 numbers or plain floats to Julia. They are \
     told apart by `size`, which is the encoded length in C and the decoded one in Julia. Where both lengths are equal and \
     both readings decode, nothing in the file says which one is meant.",
    C,
);
/// The encoded data do not decode.
pub static BAD_ENCODING: Rule = Rule::error(
    "rawarray/bad-encoding",
    Reference::Refuses,
    "Encoded data decode to exactly as many elements as the extents say.",
    C,
);
/// LEB128 numbers are longer than they have to be.
pub static OVERLONG_LEB128: Rule = Rule::warning(
    "rawarray/overlong-leb128",
    Reference::Refuses,
    "LEB128 numbers are as short as they can be: the last byte of one is zero only if it is its only byte.",
    JULIA,
);
/// The data are not encoded although the flag says so.
pub static RAW_DESPITE_FLAG: Rule = Rule::warning(
    "rawarray/raw-despite-flag",
    Reference::Refuses,
    "Julia sets the flag for encoded data on floats and complex numbers too, and stores them as they are. Its own reader \
     cannot read such a file.",
    JULIA,
);
/// The data are encoded.
pub static ENCODED: Rule = Rule::warning(
    "rawarray/encoded",
    Reference::Refuses,
    "The flag for encoded data has two meanings: an LZ4 block in C, LEB128 numbers in Julia. No program but ndbytes reads \
     both.",
    C,
);
/// The elements are single bits.
pub static BIT_ARRAY: Rule =
    Rule::warning("rawarray/bit-array", Reference::Refuses, "Only Julia reads and writes bit arrays.", JULIA);
/// Bits behind the last element are set.
pub static BIT_PADDING: Rule = Rule::warning(
    "rawarray/bit-padding",
    Reference::Refuses,
    "The bits behind the last element of a bit array are zero.",
    JULIA,
);
/// A truth value that is neither.
pub static BOOL_VALUE: Rule =
    Rule::error("rawarray/bool-value", Reference::Refuses, "Each byte of a Bool array is 0 or 1.", JULIA);
/// A type that only Julia has.
pub static DISPUTED_TYPE: Rule = Rule::warning(
    "rawarray/disputed-type",
    Reference::Refuses,
    "Class 5 is Bool in Julia and brain floats in Rust; complex numbers of half precision exist in Julia only. The widths \
     differ, so that they can be told apart, but few programs do.",
    "the Julia and Rust programs",
);
/// Only the data are big-endian.
pub static BIG_ENDIAN_PAYLOAD: Rule = Rule::warning(
    "rawarray/big-endian-payload",
    Reference::Refuses,
    "The lowest flag says that the elements are big-endian. No other reader swaps them: most ignore the flag and return \
     wrong numbers.",
    "the Python program `ra.py`",
);
/// The whole file is big-endian.
pub static BIG_ENDIAN_FILE: Rule = Rule::warning(
    "rawarray/big-endian-file",
    Reference::Refuses,
    "C and Julia write in the order of the machine. On a big-endian one the magic reads `yarrawar`, and everything behind \
     it is big-endian too.",
    C,
);
/// Bytes follow the data.
pub static METADATA: Rule = Rule::allowed(
    "rawarray/metadata",
    "Whatever stands behind the data is metadata, free-form. The reference reader fails on it.",
    AUTHOR,
);
/// There are no axes.
pub static SCALAR: Rule = Rule::warning(
    "rawarray/scalar",
    Reference::Accepts,
    "The author describes at least one axis. The Python program writes files without, holding one element.",
    AUTHOR,
);

pub(crate) static ALL: &[&Rule] = &[
    &TRUNCATED_HEADER,
    &BAD_MAGIC,
    &UNKNOWN_FLAGS,
    &INCONSISTENT_FLAGS,
    &UNKNOWN_TYPE,
    &BAD_WIDTH,
    &SIZE_OVERFLOW,
    &WRAPPING_DIMS,
    &SIZE_MISMATCH,
    &TRUNCATED_PAYLOAD,
    &AMBIGUOUS_ENCODING,
    &BAD_ENCODING,
    &OVERLONG_LEB128,
    &RAW_DESPITE_FLAG,
    &ENCODED,
    &BIT_ARRAY,
    &BIT_PADDING,
    &BOOL_VALUE,
    &DISPUTED_TYPE,
    &BIG_ENDIAN_PAYLOAD,
    &BIG_ENDIAN_FILE,
    &METADATA,
    &SCALAR,
];
