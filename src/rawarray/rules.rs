//! The rules of RawArray files.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;
use crate::format::Format;

const AUTHOR: &str = "the format's description by its author";
const C: &str = "the C program `ra` and the Julia package RawArray.jl";
const JULIA: &str = "the Julia package RawArray.jl";

rules! {
    ALL of Scope::Format(Format::RawArray), since "0.1.0";

    /// The header is 48 bytes and 8 more for every axis. A file that ends before its end has no array, whatever number of
    /// axes it claims.
    TRUNCATED_HEADER = error "rawarray/truncated-header", Refuses, AUTHOR;

    /// A file begins with the ASCII characters `rawarray`, or with their reverse if the whole file is big-endian.
    BAD_MAGIC = error "rawarray/bad-magic", Refuses, AUTHOR;

    /// Only the three lowest flags are defined. A flag that a reader does not know may change the meaning of the data. The
    /// reference reader refuses the known flags and accepts these.
    UNKNOWN_FLAGS = error "rawarray/unknown-flags", Accepts, C;

    /// The flag for bit arrays stands together with the flag for encoded data, on elements of class 5 and 8 bytes.
    INCONSISTENT_FLAGS = error "rawarray/inconsistent-flags", Refuses, JULIA;

    /// Classes of elements are 0 to 5. Higher ones are reserved.
    UNKNOWN_TYPE = error "rawarray/unknown-type", Refuses, AUTHOR;

    /// Integers have 1, 2, 4, 8 or 16 bytes, floats 2, 4 or 8, complex numbers 4, 8 or 16 in all. Class 5 has 1 (Bool)
    /// or 2 (brain float), or 8 in a bit array. A record has at least 1.
    BAD_WIDTH = error "rawarray/bad-width", Refuses, "the C, Julia and Rust programs";

    /// The product of all dimensions that are not zero, times the size of an element, fits 63 bits. No file can hold more,
    /// and readers that multiply unchecked get a wrong length.
    SIZE_OVERFLOW = error "rawarray/size-overflow", Refuses, "NumPy and ndarray, which ask the same of a shape";

    /// As for `rawarray/size-overflow`, but here the product, cut to 64 bits, equals `size`. A reader that multiplies
    /// unchecked accepts the file and gets an array with a false shape.
    WRAPPING_DIMS = error "rawarray/wrapping-dims", Accepts, "NumPy and ndarray, which ask the same of a shape";

    /// Unless the data are encoded, `size` is the number of elements times their width. For a bit array, it is 8 bytes
    /// for every 64 elements.
    SIZE_MISMATCH = error "rawarray/size-mismatch", Refuses, AUTHOR;

    /// The file holds `size` bytes of data.
    TRUNCATED_PAYLOAD = error "rawarray/truncated-payload", Refuses, AUTHOR;

    /// The flag for encoded data means one LZ4 block to the C program, and LEB128 numbers or plain floats to Julia.
    /// They are distinguished by `size`, which is the encoded length in C and the decoded one in Julia. If both lengths are
    /// equal and both readings decode, the meaning of the file is unknown.
    AMBIGUOUS_ENCODING = error "rawarray/ambiguous-encoding", Refuses, C;

    /// Encoded data decode to exactly as many elements as the dimensions declare.
    BAD_ENCODING = error "rawarray/bad-encoding", Refuses, C;

    /// LEB128 numbers are as short as they can be: the last byte of one is zero only if it is its only byte.
    OVERLONG_LEB128 = warning "rawarray/overlong-leb128", Refuses, JULIA;

    /// Julia sets the flag for encoded data on floats and complex numbers too, and stores them as they are. Its own
    /// reader cannot read such a file.
    RAW_DESPITE_FLAG = warning "rawarray/raw-despite-flag", Refuses, JULIA;

    /// The flag for encoded data has two meanings: an LZ4 block in C, LEB128 numbers in Julia. No program but ndbytes
    /// reads both.
    ENCODED = warning "rawarray/encoded", Refuses, C;

    /// Only Julia reads and writes bit arrays.
    BIT_ARRAY = warning "rawarray/bit-array", Refuses, JULIA;

    /// The bits after the last element of a bit array are zero.
    BIT_PADDING = warning "rawarray/bit-padding", Refuses, JULIA;

    /// Each byte of a Bool array is 0 or 1.
    BOOL_VALUE = error "rawarray/bool-value", Refuses, JULIA;

    /// Class 5 is Bool in Julia and brain floats in Rust; complex numbers of half precision exist in Julia only. The
    /// widths differ, so that readers can distinguish them, but few programs do.
    DISPUTED_TYPE = warning "rawarray/disputed-type", Refuses, "the Julia and Rust programs";

    /// The lowest flag says that the elements are big-endian. No other reader swaps them: most ignore the flag and
    /// return wrong numbers.
    BIG_ENDIAN_PAYLOAD = warning "rawarray/big-endian-payload", Refuses, "the Python program `ra.py`";

    /// C and Julia write in the order of the machine. On a big-endian one the magic reads `yarrawar`, and everything
    /// after it is big-endian too.
    BIG_ENDIAN_FILE = warning "rawarray/big-endian-file", Refuses, C;

    /// Bytes after the data are free-form metadata. The reference reader fails on them.
    METADATA = allowed "rawarray/metadata", Refuses, AUTHOR;

    /// The author describes at least one axis. The Python program writes files without axes, which hold one element.
    SCALAR = warning "rawarray/scalar", Accepts, AUTHOR;
}
