//! The rules of RawArray files.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;
use crate::format::Format;

const AUTHOR: &str = "the format's description by its author";
const C: &str = "the C program `ra` and the Julia package RawArray.jl";
const JULIA: &str = "the Julia package RawArray.jl";

rules! {
    ALL of Scope::Format(Format::RawArray), since "0.1.0";

    /// The header has 48 bytes, and 8 more per axis. A file that ends earlier contains no array, however many axes it
    /// claims.
    TRUNCATED_HEADER = error "rawarray/truncated-header", Refuses, AUTHOR;

    /// A file must begin with the ASCII characters `rawarray`, or with their reverse if the whole file is big-endian.
    BAD_MAGIC = error "rawarray/bad-magic", Refuses, AUTHOR;

    /// Only the three lowest flags are defined. An unknown flag may change the meaning of the data. The reference
    /// reader refuses the known flags and accepts unknown ones.
    UNKNOWN_FLAGS = error "rawarray/unknown-flags", Accepts, C;

    /// The flag for bit arrays must be set together with the flag for encoded data, for elements of class 5 and 8
    /// bytes.
    INCONSISTENT_FLAGS = error "rawarray/inconsistent-flags", Refuses, JULIA;

    /// The class of the elements must be 0 to 5; higher numbers are reserved.
    UNKNOWN_TYPE = error "rawarray/unknown-type", Refuses, AUTHOR;

    /// Integers must have 1, 2, 4, 8 or 16 bytes, floats 2, 4 or 8, and complex numbers 4, 8 or 16. Class 5 has 1 byte
    /// (Bool), 2 (bfloat16) or, in a bit array, 8. A record has at least 1.
    BAD_WIDTH = error "rawarray/bad-width", Refuses, "the C, Julia and Rust programs";

    /// The product of all axis lengths other than zero, times the element size, must fit 63 bits. No file can hold
    /// more, and readers that multiply without overflow checks compute a wrong length.
    SIZE_OVERFLOW = error "rawarray/size-overflow", Refuses, "NumPy and ndarray, which ask the same of a shape";

    /// Like `rawarray/size-overflow`, but the product, truncated to 64 bits, equals `size`. A reader that multiplies
    /// without overflow checks accepts the file, and returns an array with a wrong shape.
    WRAPPING_DIMS = error "rawarray/wrapping-dims", Accepts, "NumPy and ndarray, which ask the same of a shape";

    /// Unless the data is encoded, `size` must be the number of elements times their width; for a bit array, 8 bytes
    /// per 64 elements.
    SIZE_MISMATCH = error "rawarray/size-mismatch", Refuses, AUTHOR;

    /// The file must contain `size` bytes of data.
    TRUNCATED_PAYLOAD = error "rawarray/truncated-payload", Refuses, AUTHOR;

    /// It must be clear how data is encoded. The flag means one LZ4 block in C, and LEB128 numbers or plain floats in
    /// Julia. `size` tells them apart: it is the encoded length in C and the decoded one in Julia. If both are equal
    /// and the data decodes both ways, its meaning is unknown.
    AMBIGUOUS_ENCODING = error "rawarray/ambiguous-encoding", Refuses, C;

    /// Encoded data must decode to exactly as many elements as the dimensions declare.
    BAD_ENCODING = error "rawarray/bad-encoding", Refuses, C;

    /// LEB128 numbers should be as short as possible: the last byte is zero only if it is the only one.
    OVERLONG_LEB128 = warning "rawarray/overlong-leb128", Refuses, JULIA;

    /// Julia sets the flag for encoded data also on floats and complex numbers, which it does not encode. Its own
    /// reader cannot read such files.
    RAW_DESPITE_FLAG = warning "rawarray/raw-despite-flag", Refuses, JULIA;

    /// The flag for encoded data has two meanings: an LZ4 block in C, LEB128 numbers in Julia. Only ndbytes reads both.
    ENCODED = warning "rawarray/encoded", Refuses, C;

    /// Bit arrays should be avoided: only Julia reads and writes them.
    BIT_ARRAY = warning "rawarray/bit-array", Refuses, JULIA;

    /// The bits after the last element of a bit array should be zero.
    BIT_PADDING = warning "rawarray/bit-padding", Refuses, JULIA;

    /// Each byte of a Bool array must be 0 or 1.
    BOOL_VALUE = error "rawarray/bool-value", Refuses, JULIA;

    /// Class 5 is Bool in Julia and bfloat16 in Rust, and half-precision complex numbers exist only in Julia. Readers
    /// can tell them apart by width, but few do.
    DISPUTED_TYPE = warning "rawarray/disputed-type", Refuses, "the Julia and Rust programs";

    /// The lowest flag says that the elements are big-endian. No other reader swaps them: most ignore the flag and
    /// return wrong numbers.
    BIG_ENDIAN_PAYLOAD = warning "rawarray/big-endian-payload", Refuses, "the Python program `ra.py`";

    /// C and Julia write in the byte order of the machine. If it is big-endian, the magic reads `yarrawar`, and
    /// everything after it is big-endian, too.
    BIG_ENDIAN_FILE = warning "rawarray/big-endian-file", Refuses, C;

    /// Bytes after the data are free-form metadata. The reference reader fails on them.
    METADATA = allowed "rawarray/metadata", Refuses, AUTHOR;

    /// An array should have at least one axis, as the author describes it. The Python program writes files without
    /// axes, which hold one element.
    SCALAR = warning "rawarray/scalar", Accepts, AUTHOR;
}
